import type { BrandedScreen } from '../../session/screen-refresher.ts'
import type { Core } from '../../../core/core.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import type { Screen } from '../../kit/screen.ts'
import { followedView } from '../../session/view-of.ts'
import { backToList } from './handlers.ts'
import { orderScreen } from './order-screen.ts'

/** Returns the kind of the notice about the delivery of an order. */
function noticeOf({ status }: StaticOrder): string {
  return status === 'active' ? 'order_ready' : `order_${status}`
}

/** Returns the screen of an order whose proxies, or renewal, a chat has waited for. */
export async function followedOrderScreen(
  core: Core,
  { viewer, draft, proxyFormat, muted, ...chat }: BrandedScreen,
  { orderNo }: { readonly orderNo: string },
): Promise<Screen> {
  const order = await core.orders.getStatic(viewer, { orderNo })
  const view = await followedView(core, chat)
  const back = backToList(viewer, order, draft)
  // The proxies are in the message about the delivery then (rules 17.8).
  const isTold = order.userId === viewer.id && !muted.includes(noticeOf(order))
  const format = isTold ? undefined : proxyFormat
  return orderScreen(view, order, { actorId: viewer.id, format, page: 1, back })
}
