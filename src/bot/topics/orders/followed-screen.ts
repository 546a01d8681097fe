import { orderNoOfFollowed } from '../../../core/orders/followed-order.ts'
import type { FollowedScreen } from '../../session/screen-refresher.ts'
import { followedView } from '../../session/view-of.ts'
import { backToList } from './handlers.ts'
import { orderScreen } from './order-screen.ts'

/** The order for whose proxies, or renewal, a chat has waited. */
export const followedOrderScreen: FollowedScreen = async (
  core,
  { follows, viewer, draft, proxyFormat, ...chat },
) => {
  const order = await core.orders.getStatic(viewer, { orderNo: orderNoOfFollowed(follows) ?? '' })
  const view = await followedView(core, chat)
  const back = backToList(viewer, order, draft)
  return orderScreen(view, order, { actorId: viewer.id, format: proxyFormat, page: 1, back })
}
