import { action } from '../kit/action.ts'
import { flag, money, oneOf, pageNumber, restOfText, text, wholeNumber } from '../kit/parameters.ts'
import { steps } from '../kit/steps.ts'

/** Steps at which something is chosen from a list; the choices of a step depend on the steps before it. */
export const STEPS = ['product', 'project', 'country', 'city', 'term'] as const
export type Step = (typeof STEPS)[number]

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
  /** Another product, in a place; an empty city is any. */
  there: { product: text, country: text, city: text },
  /** Button of earlier versions, no longer made: opens the list of a step. */
  back: { to: oneOf(STEPS) },
  /** Opens the list of a step. */
  pick: { step: oneOf(STEPS), page: pageNumber },
  page: { page: pageNumber },
  numbers: {},
  count: { count: wholeNumber },
  ranges: { page: pageNumber },
  range: { range: restOfText },
  take: { count: wholeNumber, range: restOfText },
  ips: { page: pageNumber },
  /** Picks an address, or unpicks it. */
  ip: { page: pageNumber, ip: restOfText },
  auto: { on: flag },
  confirm: {},
  /** The purchase without its promotion code. */
  'no-promo': {},
  'type-promo': {},
  /** Key of the purchase that the confirm screen showed, and the most that it may cost. */
  pay: { confirmationKey: text, ceiling: money },
  'type-project': {},
  'type-count': {},
  'type-ips': {},
  'type-range': { range: restOfText },
})
