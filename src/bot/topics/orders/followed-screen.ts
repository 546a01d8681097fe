import { orderNoOfFollowed } from '../../../core/orders/followed-order.ts'
import type { FollowedScreen } from '../../session/screen-refresher.ts'
import { textsOf } from '../../texts/index.ts'
import { backToList } from './handlers.ts'
import { orderScreen } from './order-screen.ts'

/** The order for whose proxies, or renewal, a chat has waited. */
export const followedOrderScreen: FollowedScreen = async (
  core,
  { follows, viewer, draft, proxyFormat, ...chat },
) => {
  const order = await core.orders.getStatic(viewer, { orderNo: orderNoOfFollowed(follows) ?? '' })
  const view = {
    texts: textsOf(chat),
    language: chat.language,
    currency: core.currency,
    now: core.now(),
    support: await core.support.way(),
  }
  const back = backToList(viewer, order, draft)
  return orderScreen(view, order, { actorId: viewer.id, format: proxyFormat, page: 1, back })
}
