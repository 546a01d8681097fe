import type { Actor } from '../../../core/access.ts'
import { DYNAMIC_TYPES } from '../../../core/catalog/product.ts'
import { pack, pageNumber, wholeNumber } from '../../kit/callback-data.ts'
import type { BotContext } from '../../session/context.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import {
  TRAFFIC,
  TRAFFIC_ORDERS_PER_PAGE,
  trafficOrderScreen,
  trafficOrdersScreen,
  trafficProductScreen,
  trafficScreen,
} from './screens.ts'
import { type TrafficProduct, trafficProducts } from './products.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import { Feature } from '../../session/feature.ts'

/** Dynamic traffic: the products with what is left of each, one product, and the orders of it. */
export function trafficFeature(): Feature {
  const feature = new Feature()
  feature.command('traffic', (ctx) => showToMember(ctx, (actor) => trafficOverview(ctx, actor)))
  feature.onMember(TRAFFIC.list, trafficOverview)
  feature.onMember(TRAFFIC.product, productScreen)
  feature.onMember(TRAFFIC.orders, orderList)
  feature.onMember(
    TRAFFIC.order,
    async (ctx, actor, id, page, user) =>
      trafficOrderScreen(
        viewOf(ctx),
        await ctx.core.orders.getDynamic(actor, { id: wholeNumber(id) ?? 0 }),
        pack(TRAFFIC.orders, pageNumber(page), wholeNumber(user) ?? ''),
      ),
    (ctx, actor, _id, page, user) => orderList(ctx, actor, page, user),
  )
  return feature
}

/** @param page of the list */
export async function trafficOverview(ctx: BotContext, actor: Actor, page?: string): Promise<Screen> {
  return trafficScreen(viewOf(ctx), await trafficProductsOf(ctx, actor), pageNumber(page))
}

/** One product; all of them where there is no such product. */
export async function productScreen(ctx: BotContext, actor: Actor, id?: string): Promise<Screen> {
  const product = await trafficProductOf(ctx, actor, wholeNumber(id))
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

async function orderList(ctx: BotContext, actor: Actor, page?: string, user?: string): Promise<Screen> {
  const userId = wholeNumber(user)
  const owner = userId === undefined ? undefined : await ctx.core.accounts.getSubUser(actor, userId)
  const list = (number: number) =>
    ctx.core.orders.listDynamic(actor, {
      userId: userId ?? actor.id,
      page: number,
      pageSize: TRAFFIC_ORDERS_PER_PAGE,
    })
  return trafficOrdersScreen(viewOf(ctx), await existingPage(pageNumber(page), list), owner)
}
