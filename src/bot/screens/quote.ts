import type { Quote } from '../../core/orders/quote-static-order.ts'
import { pack } from '../callback-data.ts'
import { amount } from '../format.ts'
import type { Html } from '../html.ts'
import type { Texts } from '../locales/index.ts'
import type { Button } from '../screen.ts'

/** Who pays: the person, or a direct sub-user of an agent. */
export interface Payer {
  readonly id: number
  /** Name of the sub-user. */
  readonly subUser: string | undefined
}

type Costs = Omit<Quote, 'periods'>

/** What something costs, and what that leaves of the balance. */
export function quoteLines({ buy }: Texts, { subUser }: Payer, quote: Costs, periods: number): Html[] {
  const show = (micros: number) => amount(micros, quote.currency)
  const after = quote.balanceAfter < 0 ? '—' : show(quote.balanceAfter)
  const { nextTier } = quote
  return [
    buy.price(show(quote.unitPrice), periods),
    buy.total(show(quote.totalAmount)),
    subUser === undefined
      ? buy.balance(show(quote.balance), after)
      : buy.balanceOf(subUser, show(quote.balance), after),
    ...(nextTier ? [buy.nextTier(nextTier.minQuantity, show(nextTier.price))] : []),
  ]
}

/** What is missing, when the balance does not suffice. */
export function shortLines({ buy }: Texts, { subUser }: Payer, quote: Costs): (Html | '')[] {
  if (quote.balanceAfter >= 0) return []
  const missing = amount(-quote.balanceAfter, quote.currency)
  return ['', subUser === undefined ? buy.short(missing) : buy.shortOf(subUser, missing)]
}

/**
 * Pays; or, when the balance does not suffice, leads to more money: to one's own top-up, or to the sub-user, whom the agent can
 * give some.
 */
export function payButton(
  { buy }: Texts,
  { id, subUser }: Payer,
  quote: Costs,
  pay: { readonly text: string; readonly data: string },
): Button {
  const missing = -quote.balanceAfter
  if (missing <= 0) return { ...pay, style: 'success' }
  return subUser === undefined
    ? { text: buy.topUp(amount(missing, quote.currency)), data: pack('tps', missing.toString(36)) }
    : { text: buy.giveBalance(subUser), data: pack('user', id) }
}
