import type { Core } from '../../../core/core.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { ORDERS, REPLACE } from '../../actions/orders.ts'
import { supportButtons } from '../../actions/support.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

type ProxyCheck = Awaited<ReturnType<Core['checks']['list']>>[number]

/**
 * What a test of a proxy has seen.
 *
 * @param position in the order, from 0
 */
export function checkedScreen(
  view: View,
  order: StaticOrder,
  instance: Instance,
  position: number,
  check: ProxyCheck,
): Screen {
  const { texts } = view
  const at = { id: order.id, position }
  return {
    text: lines(
      ...checkLines(texts, check),
      '',
      html`<code>${addressOf(instance)}</code>`,
      texts.orders.number(order.orderNo),
    ),
    buttons: [
      [{ text: texts.orders.check.again, data: ORDERS.test.data(at) }],
      check.verdict === 'alive' ? [] : [{ text: texts.orders.replace.button, data: REPLACE.begin.data(at) }],
      check.verdict === 'alive'
        ? []
        : supportButtons(view, { subject: 'proxy', reference: instance.instanceNo }),
      [backButton(texts, ORDERS.proxy.data(at)), homeButton(texts)],
    ],
  }
}

/** What a test has seen. */
export function checkLines({ orders: { check: words } }: Texts, check: ProxyCheck): Html[] {
  const { verdict, reason, connectMs, firstByteMs, exitAddress } = check
  if (verdict === 'alive')
    return [
      words.alive,
      words.times(connectMs ?? 0, firstByteMs ?? 0),
      ...(exitAddress === null ? [] : [words.exit(exitAddress)]),
    ]
  const why = reason === null ? [] : [words.reasons[reason]]
  if (check.stage === 'control') return [words.saysNothing, ...why]
  return verdict === 'dead' ? [words.dead, ...why] : [words.failed, ...why, words.notYet]
}
