import { ServiceError } from '../../../core/errors.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { errorText } from '../../kit/errors.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { checkLines } from '../orders/check-screens.ts'
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
  feature.on(CUSTOMERS.testProxy, (ctx, { instanceNo = '' }) =>
    orGone(ctx, async () => {
      // The answer takes a while.
      await ctx.notify(ctx.texts.orders.check.testing)
      await ctx.show(await proxyScreenFor(ctx, instanceNo, await tested(ctx, instanceNo)))
    }),
  )
  feature.on(CUSTOMERS.topUp, async (ctx, { orderNo = '' }) => ctx.show(await topUpScreenFor(ctx, orderNo)))
  feature.on(CUSTOMERS.allTopUps, async (ctx, { status, page }) => {
    const found = await ctx.core.operator.listTopUps({ status, page, pageSize: LIST_PAGE })
    return ctx.show(allTopUpsScreen(viewOf(ctx), found, status))
  })
  return feature
}

/** Tests a proxy and words the result, or the refusal. */
async function tested(ctx: BotContext, instanceNo: string): Promise<Html> {
  const { texts, core } = ctx
  try {
    return lines(...checkLines(texts, await core.operator.checkProxy(by(ctx), { instanceNo })))
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'not_permitted') throw error
    const why = error.code === 'rate_limited' ? texts.orders.test.tooSoon : errorText(texts, error.code)
    return html`⚠️ ${why}`
  }
}
