import { action } from '../../kit/action.ts'
import { flag, pageNumber, text, wholeNumber } from '../../kit/parameters.ts'

const product = { productNo: text }

/** The catalogue in the operator's chats. */
export const CATALOG = {
  products: action('cp', { page: pageNumber }),
  product: action('cpv', product),
  create: action('cpn'),
  /** A product of an offer of a supplier. */
  createOfOffer: action('cpo', { id: wholeNumber }),
  edit: action('cpe', product),
  enable: action('cps', { ...product, on: flag }),
  stock: action('cpl', { ...product, page: pageNumber }),
  prices: action('cpp', product),
} as const
