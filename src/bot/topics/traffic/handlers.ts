import type { Actor } from '../../../core/access/actor.ts'
import { DYNAMIC_TYPES } from '../../../core/catalog/product.ts'
import { TRAFFIC } from '../../actions/traffic.ts'
import type { Read } from '../../kit/action.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import { type TrafficProduct, trafficProducts } from './products.ts'
import {
  TRAFFIC_ORDERS_PER_PAGE,
  trafficOrderScreen,
  trafficOrdersScreen,
  trafficProductScreen,
  trafficScreen,
} from './screens.ts'

/** Dynamic traffic: the products with what is left of each, one product, and the orders of it. */
export function trafficFeature(): Feature {
  const feature = new Feature()
  feature.command('traffic', (ctx) => showToMember(ctx, (actor) => trafficOverview(ctx, actor)))
  feature.onMember(TRAFFIC.list, (ctx, actor, { page }) => trafficOverview(ctx, actor, page))
  feature.onMember(TRAFFIC.product, (ctx, actor, { product }) => productScreen(ctx, actor, product))
  feature.onMember(TRAFFIC.orders, orderList)
  feature.onMember(
    TRAFFIC.order,
    async (ctx, actor, { id = 0, ...list }) =>
      trafficOrderScreen(
        viewOf(ctx),
        await ctx.core.orders.getDynamic(actor, { id }),
        TRAFFIC.orders.data(list),
      ),
    orderList,
  )
  return feature
}

/** @param page of the list */
export async function trafficOverview(ctx: BotContext, actor: Actor, page = 1): Promise<Screen> {
  const [products, habits] = await Promise.all([
    trafficProductsOf(ctx, actor),
    ctx.core.accounts.habits(actor, 'extraction'),
  ])
  return trafficScreen(viewOf(ctx), products, page, habits)
}

/** One product; all of them where there is no such product. */
export async function productScreen(ctx: BotContext, actor: Actor, id?: number): Promise<Screen> {
  const product = await trafficProductOf(ctx, actor, id)
  return product ? trafficProductScreen(viewOf(ctx), product) : trafficOverview(ctx, actor)
}

/** A dynamic product that is sold or of which the person has traffic. */
export async function trafficProductOf(
  ctx: BotContext,
  actor: Actor,
  productId: number | undefined,
): Promise<TrafficProduct | undefined> {
  return (await trafficProductsOf(ctx, actor)).find((product) => product.productId === productId)
}

/** All dynamic products that are sold or of which the person has traffic. */
export async function trafficProductsOf({ core }: BotContext, actor: Actor): Promise<TrafficProduct[]> {
  const [offers, { items }] = await Promise.all([
    core.catalog.query(actor, { proxyTypes: DYNAMIC_TYPES }),
    core.traffic.productsFlow(actor, actor.id),
  ])
  return trafficProducts(offers, items)
}

async function orderList(
  ctx: BotContext,
  actor: Actor,
  { page, user: userId }: Read<typeof TRAFFIC.orders.shape>,
): Promise<Screen> {
  const owner = userId === undefined ? undefined : await ctx.core.accounts.getSubUser(actor, userId)
  const list = (number: number) =>
    ctx.core.orders.listDynamic(actor, {
      userId: userId ?? actor.id,
      page: number,
      pageSize: TRAFFIC_ORDERS_PER_PAGE,
    })
  return trafficOrdersScreen(viewOf(ctx), await existingPage(page, list), owner)
}
