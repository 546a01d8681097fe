import { Feature } from '../../session/feature.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { CUSTOMERS } from './actions.ts'
import { allTopUpsScreen, LIST_PAGE } from './list-screens.ts'
import { orderScreenFor, orGone, proxyScreenFor, topUpScreenFor } from './pages.ts'

/** Orders, proxies and top-ups of customers, as those who run the shop look after them. */
export function ordersOfCustomersFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(CUSTOMERS.order, (ctx, { orderNo = '', page }) =>
    orGone(ctx, async () => ctx.show(await orderScreenFor(ctx, orderNo, { page }))),
  )
  feature.on(CUSTOMERS.proxy, (ctx, { instanceNo = '' }) =>
    orGone(ctx, async () => ctx.show(await proxyScreenFor(ctx, instanceNo))),
  )
  feature.on(CUSTOMERS.topUp, async (ctx, { orderNo = '' }) => ctx.show(await topUpScreenFor(ctx, orderNo)))
  feature.on(CUSTOMERS.allTopUps, async (ctx, { status, page }) => {
    const found = await ctx.core.operator.listTopUps({ status, page, pageSize: LIST_PAGE })
    return ctx.show(allTopUpsScreen(viewOf(ctx), found, status))
  })
  return feature
}
