import { action } from '../kit/action.ts'
import { flag, pageNumber, text, wholeNumber } from '../kit/parameters.ts'

const product = { productNo: text }

/** The catalogue in the operator's chats. */
export const CATALOG = {
  products: action('cp', { page: pageNumber }),
  product: action('cpv', product),
  create: action('cpn', {}, 'product.add'),
  /** A product of an offer of a supplier. */
  createOfOffer: action('cpo', { id: wholeNumber }, 'product.add'),
  edit: action('cpe', product, 'product.edit'),
  enable: action('cps', { ...product, on: flag }, 'product.edit'),
  stock: action('cpl', { ...product, page: pageNumber }),
  prices: action('cpp', product, 'price.set'),
} as const
