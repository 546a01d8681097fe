import type { FollowingScreen } from '../../../core/screens/refresh-screens.ts'
import type { Core } from '../../../core/core.ts'
import type { TestedProxy } from '../../../core/orders/test-order.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import { ORDERS, REPLACE } from '../../actions/orders.ts'
import { supportButtons } from '../../actions/support.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Progress, progressLine } from '../../kit/progress.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { followedView } from '../../session/view-of.ts'
import { html, type Html, lines } from '../../texts/html.ts'

/** Proxies that failed on one screen. */
const FAILED_PER_PAGE = 6

/** Shows how far the test of an order is, or its outcome: each proxy that failed with a button that replaces it. */
export function orderTestScreen(
  view: View,
  order: StaticOrder,
  proxies: readonly TestedProxy[],
  wanted: number,
): Screen {
  const { texts, now } = view
  const { id } = order
  const words = texts.orders.test
  const left = proxies.filter((proxy) => proxy.left).length
  const failed = proxies.filter(hasFailed)
  const { items, page, pages } = pageOf(failed, wanted, FAILED_PER_PAGE)
  const numbered = items.map((proxy) => ({ proxy, position: positionOf(order, proxy) }))
  return {
    text: lines(
      ...(left > 0
        ? [words.underWay(progressLine(texts, progressOf(proxies), now))]
        : summary(texts.orders.test, proxies)),
      '',
      ...numbered.flatMap(({ proxy, position }) => failureLines(texts.orders.check.reasons, proxy, position)),
      ...(items.length > 0 ? ['' as const] : []),
      texts.orders.number(order.orderNo),
    ),
    buttons: [
      ...pairs(
        numbered.map(({ position }): Button => ({
          text: words.replace(position + 1),
          data: REPLACE.begin.data({ id, position }),
        })),
      ),
      ...pager(texts, page, pages, (to) => ORDERS.tested.data({ id, page: to })),
      left > 0
        ? [{ text: texts.buttons.refresh, data: ORDERS.tested.data({ id, page }) }]
        : [{ text: words.again, data: ORDERS.testAll.data({ id }) }],
      failed.length > 0 ? supportButtons(view, { subject: 'order', reference: order.orderNo }) : [],
      [backButton(texts, ORDERS.view.data({ id })), homeButton(texts)],
    ],
    ...(left > 0 && { follows: { kind: 'test', orderId: id } }),
  }
}

/** Returns the screen of a test for a chat that follows it. */
export async function followedTestScreen(
  core: Core,
  { viewer, ...chat }: FollowingScreen,
  { orderId: id }: { readonly orderId: number },
): Promise<Screen> {
  const order = await core.orders.getStatic(viewer, { id })
  const view = await followedView(core, chat)
  return orderTestScreen(view, order, await core.checks.orderTest(viewer, { id }), 1)
}

/** How far the test is; it began with the first of the checks that are made. */
function progressOf(proxies: readonly TestedProxy[]): Progress {
  const made = proxies.filter(({ left }) => !left)
  const [first] = made.flatMap(({ askedCheckAt }) => askedCheckAt ?? []).toSorted()
  return {
    done: made.length,
    total: proxies.length,
    since: first === undefined ? undefined : new Date(first),
  }
}

/** Tells whether a proxy has failed; a check without a result, because our own echo was unreachable, is no failure. */
function hasFailed({ left, check }: TestedProxy): boolean {
  return !left && check !== null && check.verdict !== 'alive' && check.stage !== 'control'
}

function summary(words: View['texts']['orders']['test'], proxies: readonly TestedProxy[]): Html[] {
  const works = proxies.filter(({ check }) => check?.verdict === 'alive').length
  const unknown = proxies.length - works - proxies.filter(hasFailed).length
  return [words.over(works, proxies.length), ...(unknown > 0 ? [words.unknown(unknown)] : [])]
}

function failureLines(
  reasons: View['texts']['orders']['check']['reasons'],
  { check, ...proxy }: TestedProxy,
  position: number,
): Html[] {
  const icon = check?.verdict === 'dead' ? '🔴' : '⚠️'
  return [
    html`${icon} ${position + 1}. <code>${addressOf(proxy)}</code>`,
    ...(check?.reason ? [reasons[check.reason]] : []),
  ]
}

function positionOf({ instances }: StaticOrder, { instanceNo }: TestedProxy): number {
  return instances.findIndex((instance) => instance.instanceNo === instanceNo)
}

function pairs(buttons: readonly Button[]): Button[][] {
  return buttons.flatMap((button, index) =>
    index % 2 === 0 ? [[button, ...buttons.slice(index + 1, index + 2)]] : [],
  )
}
