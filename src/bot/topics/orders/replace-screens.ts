import type { ReplacementQuote } from '../../../core/orders/replace-instance.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { Replacement } from '../../../core/orders/replacement.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import { ORDERS, REPLACE, REPLACEMENT_REASONS } from '../../actions/orders.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'

/** Where a proxy is: the id of its order, and its position in it, from 0. */
export interface ProxyAt {
  readonly id: number
  readonly position: number
}

/**
 * Asks what is wrong with the proxy, and says what happens then.
 *
 * @param key with which the answer does it; undefined where it is confirmed first, because money comes instead of a proxy
 */
export function reasonsScreen(view: View, quote: ReplacementQuote, at: ProxyAt, key?: string): Screen {
  const { texts } = view
  const { replace: words } = texts.orders
  return {
    text: lines(
      words.title,
      html`<code>${addressOf(quote)}</code>`,
      '',
      ...consequenceLines(view, quote),
      '',
      words.why,
    ),
    buttons: [
      ...REPLACEMENT_REASONS.map((reason) => [
        { text: words.reasons[reason], data: REPLACE.reason.data({ ...at, reason, key }) },
      ]),
      [{ text: words.ownReason, data: REPLACE.ownReason.data(at) }],
      [backButton(texts, ORDERS.proxy.data(at)), homeButton(texts)],
    ],
  }
}

/** Says what a replacement will do. */
function consequenceLines({ texts, currency }: View, quote: ReplacementQuote): Html[] {
  const { replace: words } = texts.orders
  const { available } = quote
  const refund = amount(quote.refundAmount, currency)
  if (quote.way === 'ask') return [words.ask, ...(available ? [] : [words.askNoneFree(refund)])]
  return [available ? words.atOnce(texts.dateTime(new Date(quote.expireTime))) : words.noneFree(refund)]
}

/** Shows what a replacement will do, for confirmation. */
export function replaceConfirmScreen(
  view: View,
  quote: ReplacementQuote,
  at: ProxyAt,
  { reason, key }: { readonly reason: string; readonly key: string },
): Screen {
  const { texts, currency } = view
  const { replace: words } = texts.orders
  const { way, available } = quote
  const label =
    way === 'ask'
      ? words.askNow
      : available
        ? words.now
        : words.refundNow(amount(quote.refundAmount, currency))
  return {
    text: lines(
      words.title,
      html`<code>${addressOf(quote)}</code>`,
      words.reason(reason),
      '',
      ...consequenceLines(view, quote),
    ),
    buttons: [
      [{ text: label, data: REPLACE.confirm.data({ key }), style: 'success' }],
      [{ text: texts.buttons.cancel, data: ORDERS.proxy.data(at) }],
    ],
  }
}

/** Shows the outcome of a replacement. */
export function replacedScreen(
  { texts, currency }: View,
  order: StaticOrder,
  replacement: Replacement,
  at: ProxyAt,
): Screen {
  const { replace: words } = texts.orders
  const now = order.instances[at.position]
  const result: Readonly<Record<Replacement['status'], () => Html[]>> = {
    done: () => [words.done, ...(now ? [html`<code>${addressOf(now)}</code>`] : [])],
    refunded: () => [words.refunded(amount(replacement.refundAmount, currency))],
    requested: () => [words.requested],
    processing: () => [words.processing],
    declined: () => [html`${replacement.note}`],
  }
  return {
    text: lines(...result[replacement.status](), '', texts.orders.number(order.orderNo)),
    buttons: [[{ text: words.open, data: ORDERS.proxy.data(at) }], [homeButton(texts)]],
  }
}

/** Most replacements that the history of a proxy shows. */
const MOST = 3

/** What a proxy was before, and what became of wishes for another one. */
export function historyLines({ texts, currency }: View, replacements: readonly Replacement[]): (Html | '')[] {
  const { history } = texts.orders.replace
  const shown = replacements.slice(0, MOST).map((replacement): Html => {
    const { status, createdAt, oldIp, oldPort, refundAmount, note } = replacement
    const date = texts.date(new Date(createdAt))
    switch (status) {
      case 'done':
        return history.done(date, addressOf({ ip: oldIp, port: oldPort }))
      case 'refunded':
        return history.refunded(date, amount(refundAmount, currency))
      case 'requested':
        return history.requested(date)
      case 'processing':
        return history.processing(date)
      case 'declined':
        return history.declined(date, note)
    }
  })
  return shown.length === 0 ? [] : ['', ...shown]
}
