import { action } from '../kit/action.ts'
import { oneOf, optional, pageAsLeft, pageNumber, text, wholeNumber } from '../kit/parameters.ts'

const payout = { payoutNo: text }
/** Scope of a price: all products and sub-users, unless named. */
const scope = { productId: optional(wholeNumber), userId: optional(wholeNumber) }

export const REPORT_PERIODS = ['week', 'days', 'month'] as const
export const REPORT_PARTS = ['product', 'user'] as const

/** Buttons about what an agent earns. */
export const EARNINGS = {
  home: action('earn'),
  /** Moves the earnings to the balance. */
  move: action('earnm'),
  askPayout: action('earnp'),
  payouts: action('epo', { page: pageAsLeft }),
  payout: action('epov', payout),
  askCancel: action('epox', payout),
  cancel: action('epox!', payout),
  /** Prices for all sub-users, or for one. */
  prices: action('epr', { page: pageNumber, userId: optional(wholeNumber) }),
  /** Sub-users with prices of their own. */
  pricedUsers: action('epru', { page: pageNumber }),
  setPrice: action('eprs', scope),
  /** Sets a markup for everything, after one confirmation. */
  markUp: action('eprq', { percent: wholeNumber, userId: optional(wholeNumber) }),
  removePrice: action('eprx', scope),
  report: action('erp', { period: oneOf(REPORT_PERIODS), part: oneOf(REPORT_PARTS), page: pageNumber }),
  file: action('ercsv', { period: oneOf(REPORT_PERIODS) }),
} as const
