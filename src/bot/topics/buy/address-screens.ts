import type { Page } from '../../../core/page.ts'
import { ORDER_LIMITS } from '../../../core/orders/static-order-input.ts'
import { PURCHASE_STEPS } from '../../actions/buy.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { pager } from '../../kit/pager.ts'
import { grid, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'
import { heading } from './heading.ts'
import { taking } from './picker-screens.ts'
import { addressesIn, type Purchase } from './purchase.ts'
import type { Progress } from './steps.ts'

export const ADDRESSES_PER_PAGE = 8

/** The free addresses, each of which can be ticked; or pasted, which is quicker for many (rules 5.28). */
export function addressesScreen(
  view: View,
  purchase: Purchase,
  progress: Progress,
  { items, total, page, pageSize }: Page<string>,
): Screen {
  const { texts } = view
  const ticked = addressesIn(purchase)
  const buttons = items.map((ip) =>
    choiceButton(ip, ticked.includes(ip), PURCHASE_STEPS.data(purchase, 'ip', { page, ip })),
  )
  return {
    takes: taking({ id: purchase.id }),
    text: lines(
      ...heading(view, purchase, progress),
      '',
      texts.buy.addresses.browse(ticked.length, total, ORDER_LIMITS.ips),
    ),
    buttons: [
      ...grid(buttons, 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) =>
        PURCHASE_STEPS.data(purchase, 'ips', { page: to }),
      ),
      ticked.length > 0
        ? [
            {
              text: texts.buy.ranges.goOn(ticked.length),
              data: PURCHASE_STEPS.data(purchase, 'confirm'),
              style: 'primary',
            },
          ]
        : [],
      [backButton(texts, PURCHASE_STEPS.data(purchase, 'confirm')), homeButton(texts)],
    ],
  }
}
