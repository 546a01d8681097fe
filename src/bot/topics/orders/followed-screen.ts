import type { FollowingScreen } from '../../../core/screens/refresh-screens.ts'
import type { Core } from '../../../core/core.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import type { Screen } from '../../kit/screen.ts'
import { followedView } from '../../session/view-of.ts'
import { backToList } from './handlers.ts'
import { orderScreen } from './order-screen.ts'

/** The kind of the notice of a delivery. */
function noticeOf({ status }: StaticOrder): string {
  return status === 'active' ? 'order_ready' : `order_${status}`
}

/** The order for whose proxies, or renewal, a chat has waited. */
export async function followedOrderScreen(
  core: Core,
  { viewer, draft, proxyFormat, muted, ...chat }: FollowingScreen,
  { orderNo }: { readonly orderNo: string },
): Promise<Screen> {
  const order = await core.orders.getStatic(viewer, { orderNo })
  const view = await followedView(core, chat)
  const back = backToList(viewer, order, draft)
  // The message of the delivery has the proxies (rules 17.8).
  const isTold = order.userId === viewer.id && !muted.includes(noticeOf(order))
  const format = isTold ? undefined : proxyFormat
  return orderScreen(view, order, { actorId: viewer.id, format, page: 1, back })
}
