import type { Quote } from '../../core/orders/quote-static-order.ts'
import { amount } from '../format.ts'
import { html, type Html, lines } from '../html.ts'
import { countOf, packPurchase, type Purchase, type Wanted } from '../purchase.ts'
import type { Progress } from '../purchase-steps.ts'
import type { Screen } from '../screen.ts'
import { heading, moreMoneyButton, termLabel } from './buy.ts'
import { homeButton } from './general.ts'
import type { View } from './view.ts'

/** Addresses or ranges that are listed one by one: more would not fit into a message. */
const LISTED = 15

/** Everything that will happen, before it happens. */
export function confirmScreen(
  view: View,
  purchase: Purchase,
  progress: Progress,
  wanted: Wanted,
  quote: Quote,
): Screen {
  const { texts } = view
  const { autoRenew, forUser, seal, userId } = purchase
  const show = (micros: number) => amount(micros, quote.currency)
  const missing = -quote.balanceAfter
  const affordable = missing <= 0
  const after = affordable ? show(quote.balanceAfter) : '—'
  const { refundHours } = progress.offers[0]
  const term = termLabel(progress.chosen.term ?? '', texts)
  return {
    text: lines(
      ...heading(view, purchase, progress),
      ...wantedLines(view, wanted),
      '',
      texts.buy.price(show(quote.unitPrice), quote.periods),
      texts.buy.total(show(quote.totalAmount)),
      forUser === undefined
        ? texts.buy.balance(show(quote.balance), after)
        : texts.buy.balanceOf(forUser, show(quote.balance), after),
      '',
      texts.buy.autoRenew(autoRenew, term),
      texts.buy.refund(refundHours),
      ...(quote.nextTier ? [texts.buy.nextTier(quote.nextTier.minQuantity, show(quote.nextTier.price))] : []),
      ...(affordable
        ? []
        : [
            '' as const,
            forUser === undefined
              ? texts.buy.short(show(missing))
              : texts.buy.shortOf(forUser, show(missing)),
          ]),
    ),
    buttons: [
      affordable
        ? [
            {
              text: texts.buttons.confirm(show(quote.totalAmount)),
              // The amount is no price: it is the most that this press may cost, and the server's own price is charged.
              data: packPurchase(purchase, 'pay', seal, quote.totalAmount.toString(36)),
              style: 'success',
            },
          ]
        : [moreMoneyButton(texts, { id: userId, name: forUser }, { micros: missing, text: show(missing) })],
      [
        {
          text: texts.buy.autoRenewButton(autoRenew),
          data: packPurchase(purchase, 'auto', autoRenew ? 0 : 1),
        },
      ],
      [{ text: texts.buttons.changeNumber, data: packPurchase(purchase, 'numbers') }, homeButton(texts)],
    ],
  }
}

function wantedLines({ texts }: View, wanted: Wanted): Html[] {
  const listed =
    'count' in wanted
      ? []
      : 'ips' in wanted
        ? wanted.ips.map((ip) => texts.buy.listed(ip))
        : wanted.blocks.map(({ cidr, count }) => texts.buy.listed(cidr, count))
  return [texts.buy.count(countOf(wanted)), ...shortened(listed, (count) => html`${texts.buy.more(count)}`)]
}

/** The first of many lines, and how many there are besides. */
function shortened(all: readonly Html[], more: (count: number) => Html): Html[] {
  return all.length <= LISTED ? [...all] : [...all.slice(0, LISTED), more(all.length - LISTED)]
}
