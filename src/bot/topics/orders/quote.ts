import { type Micros, toNumber } from '../../../core/money.ts'
import type { Quote } from '../../../core/orders/quote-static-order.ts'
import { supportButtons } from '../../actions/support.ts'
import { TOP_UP } from '../../actions/top-ups.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import { amount, balanceText, type BillingPeriod, periodPrice } from '../../kit/format.ts'
import type { Button } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import type { Html } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { discountLines } from './promo.ts'

/** The direct sub-user of an agent who pays; where there is none, the person in the chat does. */
export interface Payer {
  readonly id: number
  readonly username: string
}

/** What is paid out of a balance. */
type Payment = Pick<Costs, 'balanceAfter' | 'currency'>

/** The costs in a quote; those of a renewal have no discount, because it takes no promotion code. */
type Costs = Omit<Quote, 'periods' | 'discount' | 'promoCode'> &
  Partial<Pick<Quote, 'discount' | 'promoCode'>>

/** @param username undefined for the person's own order */
export function payerOf(id: number, username: string | undefined): Payer | undefined {
  return username === undefined ? undefined : { id, username }
}

/**
 * What something costs, and what that leaves of the balance.
 *
 * @param price of one unit, in words
 */
export function quoteLines(texts: Texts, payer: Payer | undefined, quote: Costs, price: Html): Html[] {
  const { balance, balanceAfter, currency, totalAmount } = quote
  return [
    price,
    ...discountLines(texts, quote, currency),
    texts.buy.total(amount(totalAmount, currency)),
    ...balanceLines(texts, payer?.username, { balance, balanceAfter, currency }),
  ]
}

/**
 * What static proxies cost: {@link quoteLines}, and the quantity from which they are cheaper.
 *
 * @param sold the product, the number of its billing periods, and the most proxies that can be had
 */
export function proxyQuoteLines(
  texts: Texts,
  payer: Payer | undefined,
  quote: Costs,
  sold: { readonly product: BillingPeriod; readonly periods: number; readonly most: number },
): Html[] {
  const { buy } = texts
  const { currency, nextTier, unitPrice } = quote
  const perPeriod = (price: Micros) => periodPrice(price, sold.product, currency, texts)
  return [
    ...quoteLines(texts, payer, quote, buy.price(perPeriod(unitPrice), sold.periods)),
    ...(nextTier && nextTier.minQuantity <= sold.most
      ? [buy.nextTier(nextTier.minQuantity, perPeriod(nextTier.price))]
      : []),
  ]
}

/**
 * A balance before and after; only before, when it does not suffice.
 *
 * @param username owner of the balance; undefined for the person's own
 */
export function balanceLines(
  texts: Texts,
  username: string | undefined,
  { balance, balanceAfter, currency }: Pick<Costs, 'balance' | 'balanceAfter' | 'currency'>,
): Html[] {
  return [
    balanceLine(texts, username, balance, currency),
    ...(balanceAfter < 0 ? [] : [texts.buy.balanceAfter(balanceText(balanceAfter, currency))]),
  ]
}

/** A balance, with its owner unless it is the person's own. */
export function balanceLine(
  { buy }: Texts,
  username: string | undefined,
  balance: Micros,
  currency: string,
): Html {
  const shown = balanceText(balance, currency)
  return username === undefined ? buy.balance(shown) : buy.balanceOf(username, shown)
}

/** What is missing, when the balance does not suffice. */
export function shortLines(
  { texts: { buy }, askWhom }: View,
  payer: Payer | undefined,
  quote: Payment,
): (Html | '')[] {
  if (quote.balanceAfter >= 0) return []
  const missing = amount(-quote.balanceAfter, quote.currency)
  if (payer) return ['', buy.shortOf(payer.username, missing)]
  return ['', askWhom === undefined ? buy.short(missing) : buy.shortAsk[askWhom](missing)]
}

/** Buttons: to pay, or to get more money; when money is missing, also to ask the agent and to contact support. */
export function payRows(
  view: View,
  payer: Payer | undefined,
  quote: Payment,
  pay: { readonly text: string; readonly data: string },
): Button[][] {
  const { askWhom, hasAgent = false, texts } = view
  const missing = -quote.balanceAfter
  const short = missing > 0 && !payer
  const asks = short && hasAgent && askWhom === undefined
  return [
    [payButton(view, payer, quote, pay)],
    asks ? [{ text: texts.buy.ask.agent, data: TOP_UP.ask.data({ missing }) }] : [],
    short ? supportButtons(view, { subject: 'money', reference: String(missing) }) : [],
  ]
}

/**
 * Returns the button that pays; or, when the balance does not suffice, one that leads to money: to a top-up, to a request where
 * nobody can top up, or to where the agent gives the sub-user money. Each leads back afterwards.
 */
function payButton(
  { texts: { buy }, askWhom }: View,
  payer: Payer | undefined,
  quote: Payment,
  pay: { readonly text: string; readonly data: string },
): Button {
  const missing = -quote.balanceAfter
  if (missing <= 0) return { ...pay, style: 'success' }
  if (payer) {
    const data = USERS.adjust.data({ id: payer.id, position: AS_LEFT, missing })
    return { text: buy.giveBalance(payer.username), data, style: 'primary' }
  }
  return askWhom === undefined
    ? {
        text: buy.topUp(amount(missing, quote.currency)),
        data: TOP_UP.short.data({ missing }),
        style: 'primary',
      }
    : { text: buy.ask[askWhom], data: TOP_UP.ask.data({ missing }), style: 'primary' }
}

/** Returns the price limit of an order, in units of the currency; never 0, which means no limit. */
export function ceilingOf(most: Micros): number {
  return toNumber(Math.max(most, 1))
}
