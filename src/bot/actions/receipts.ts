import { action } from '../kit/action.ts'
import { text, wholeNumber } from '../kit/parameters.ts'

/** Buttons that send a receipt: of an order of static proxies, of one of traffic, of a top-up. */
export const RECEIPTS = {
  order: action('rcpo', { id: wholeNumber }),
  traffic: action('rcpd', { id: wholeNumber }),
  topUp: action('rcpt', { orderNo: text }),
} as const
