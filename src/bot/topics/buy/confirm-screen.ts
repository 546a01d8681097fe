import type { Quote } from '../../../core/orders/quote-static-order.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount } from '../../kit/format.ts'
import { type Html, lines } from '../../kit/html.ts'
import type { Screen } from '../../kit/screen.ts'
import { listed } from '../../kit/some-of.ts'
import { termLabel } from '../../kit/terms.ts'
import type { View } from '../../kit/view.ts'
import type { Texts } from '../../texts/index.ts'
import { PURCHASE_STEPS } from './actions.ts'
import { countOf, type Purchase, type Wanted } from './purchase.ts'
import { promoButton } from './promo.ts'
import { payRows, payerOf, proxyQuoteLines, shortLines } from './quote.ts'
import { heading } from './step-screens.ts'
import { maxCount, type Progress } from './steps.ts'

/** Everything that will happen, before it happens. */
export function confirmScreen(
  view: View,
  purchase: Purchase,
  progress: Progress,
  wanted: Wanted,
  quote: Quote,
): Screen {
  const { texts } = view
  const { autoRenew, confirmationKey } = purchase
  const payer = payerOf(purchase.userId, purchase.forUser)
  return {
    text: lines(
      ...heading(view, purchase, progress),
      texts.buy.count(countOf(wanted)),
      ...listed(texts, addressesOf(texts, wanted)),
      '',
      ...proxyQuoteLines(texts, payer, quote, {
        product: progress.offers[0],
        periods: quote.periods,
        most: maxCount(progress.offers),
      }),
      '',
      texts.buy.autoRenew(autoRenew, termLabel(progress.chosen.term ?? '', texts)),
      texts.buy.refund(progress.offers[0].refundHours),
      ...shortLines(view, payer, quote),
    ),
    buttons: [
      ...payRows(view, payer, quote, {
        text: texts.buttons.confirm(amount(quote.totalAmount, quote.currency)),
        // The amount is no price: it is the most that this press may cost, and the server's own price is charged.
        data: PURCHASE_STEPS.data(purchase, 'pay', {
          confirmationKey: confirmationKey,
          ceiling: quote.totalAmount,
        }),
      }),
      [
        {
          text: texts.buy.autoRenewButton(autoRenew),
          data: PURCHASE_STEPS.data(purchase, 'auto', { on: !autoRenew }),
        },
      ],
      [
        promoButton(texts, quote, {
          add: PURCHASE_STEPS.data(purchase, 'type-promo'),
          remove: PURCHASE_STEPS.data(purchase, 'no-promo'),
        }),
      ],
      [
        backButton(
          texts,
          'blocks' in wanted
            ? PURCHASE_STEPS.data(purchase, 'ranges', { page: 1 })
            : PURCHASE_STEPS.data(purchase, 'numbers'),
        ),
        homeButton(texts),
      ],
    ],
  }
}

/** The addresses or ranges that were chosen, one by one. */
function addressesOf({ buy }: Texts, wanted: Wanted): Html[] {
  if ('count' in wanted) return []
  return 'ips' in wanted
    ? wanted.ips.map((ip) => buy.listed(ip))
    : wanted.blocks.map(({ cidr, count }) => buy.listed(cidr, count))
}
