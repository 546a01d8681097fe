import { orderNoOfFollowed } from '../../../core/orders/followed-order.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import type { FollowedScreen } from '../../session/screen-refresher.ts'
import { followedView } from '../../session/view-of.ts'
import { backToList } from './handlers.ts'
import { orderScreen } from './order-screen.ts'

/** The kind of the notice of a delivery. */
function noticeOf({ status }: StaticOrder): string {
  return status === 'active' ? 'order_ready' : `order_${status}`
}

/** The order for whose proxies, or renewal, a chat has waited. */
export const followedOrderScreen: FollowedScreen = async (
  core,
  { follows, viewer, draft, proxyFormat, muted, ...chat },
) => {
  const order = await core.orders.getStatic(viewer, { orderNo: orderNoOfFollowed(follows) ?? '' })
  const view = await followedView(core, chat)
  const back = backToList(viewer, order, draft)
  // The message of the delivery has the proxies (rules 17.8).
  const isTold = order.userId === viewer.id && !muted.includes(noticeOf(order))
  const format = isTold ? undefined : proxyFormat
  return orderScreen(view, order, { actorId: viewer.id, format, page: 1, back })
}
