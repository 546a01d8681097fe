import { action } from '../kit/action.ts'
import { oneOf, optional, pageNumber, text } from '../kit/parameters.ts'

/** What can be done with a list of proxies. */
export const USES = ['import', 'update', 'off', 'on', 'release'] as const
export type Use = (typeof USES)[number]

/** Id of the list in the chat's draft; buttons of an older list do nothing. */
const list = { list: text }

/** The stock in the operator's chats. */
export const STOCK = {
  home: action('st'),
  resting: action('str'),
  /** Without a use, asks for it. */
  use: action('stu', { ...list, use: optional(oneOf(USES)) }, 'stock'),
  products: action('stp', { ...list, page: pageNumber }, 'stock'),
  product: action('stq', { ...list, productNo: text }, 'stock'),
  carryOut: action('st!', list, 'stock'),
} as const
