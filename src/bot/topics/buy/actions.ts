import { action } from '../../kit/action.ts'
import { flag, money, oneOf, pageNumber, restOfText, text, wholeNumber } from '../../kit/parameters.ts'
import { steps } from '../../kit/steps.ts'
import { STEPS } from './purchase.ts'

/** Buttons that begin to buy static proxies: for oneself, for a sub-user, or the same as in an order (its id). */
export const BUY = {
  begin: action('buy'),
  beginFor: action('bf', { user: wholeNumber }),
  again: action('ba', { order: wholeNumber }),
} as const

/** What the buttons do to a purchase under way. */
export const PURCHASE_STEPS = steps('b', {
  product: { value: text },
  project: { value: text },
  country: { value: text },
  /** Empty for any. */
  city: { value: text },
  term: { value: text },
  /** To the step before which the purchase stands then. */
  back: { to: oneOf(STEPS) },
  page: { page: pageNumber },
  numbers: {},
  count: { count: wholeNumber },
  ranges: { page: pageNumber },
  range: { range: restOfText },
  take: { count: wholeNumber, range: restOfText },
  auto: { on: flag },
  confirm: {},
  /** The purchase without its promotion code. */
  'no-promo': {},
  'type-promo': {},
  /** What the confirm screen showed, and the most that it may cost. */
  pay: { confirmationKey: text, ceiling: money },
  'type-project': {},
  'type-count': {},
  'type-ips': {},
  'type-range': { range: restOfText },
})
