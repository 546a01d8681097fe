import { Composer, InputFile } from 'grammy'
import { ServiceError } from '../../core/errors.ts'
import { wholeNumber } from '../callback-data.ts'
import type { BotContext } from '../context.ts'
import { errorText } from '../errors.ts'
import { proxyFile } from '../proxy-list.ts'
import { ORDERS, ORDERS_PER_PAGE, orderScreen, ordersScreen, usable } from '../screens/orders.ts'
import { NOTHING } from '../screens/pager.ts'
import { viewOf } from './view.ts'
import { showHome } from './show-home.ts'
import { onAction } from './on-action.ts'

/** My proxies: the list of orders, one order, and both as text files. */
export function ordersFeature(): Composer<BotContext> {
  const feature = new Composer<BotContext>()

  feature.command('proxies', (ctx) => showOrders(ctx, 1))
  onAction(feature, ORDERS.list, (ctx, page) => showOrders(ctx, wholeNumber(page) || 1))
  onAction(feature, ORDERS.view, (ctx, id, proxyPage, listPage) =>
    showOrder(ctx, wholeNumber(id) ?? 0, wholeNumber(proxyPage) || 1, wholeNumber(listPage) || 1),
  )
  onAction(feature, ORDERS.file, (ctx, id) => sendOrderFile(ctx, wholeNumber(id) ?? 0))
  onAction(feature, ORDERS.fileOfAll, sendFileOfAll)
  onAction(feature, NOTHING, () => {})
  return feature
}

async function showOrders(ctx: BotContext, page: number): Promise<unknown> {
  const { actor } = ctx.session
  if (!actor) return showHome(ctx)
  const list = (number: number) =>
    ctx.core.orders.listStatic(actor, { userId: actor.id, page: number, pageSize: ORDERS_PER_PAGE })
  const found = await list(page)
  // Orders of a page that an old button names may have moved.
  return ctx.show(ordersScreen(viewOf(ctx), found.items.length === 0 && page > 1 ? await list(1) : found))
}

async function showOrder(ctx: BotContext, id: number, proxyPage: number, listPage: number): Promise<unknown> {
  const { actor } = ctx.session
  if (!actor) return showHome(ctx)
  try {
    return await ctx.show(
      orderScreen(viewOf(ctx), await ctx.core.orders.getStatic(actor, { id }), proxyPage, listPage),
    )
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
    return showOrders(ctx, listPage)
  }
}

async function sendOrderFile(ctx: BotContext, id: number): Promise<unknown> {
  const { actor } = ctx.session
  if (!actor) return showHome(ctx)
  try {
    const order = await ctx.core.orders.getStatic(actor, { id })
    const proxies = usable(order)
    if (proxies.length === 0) return await ctx.notify(ctx.texts.orders.noneActive, true)
    await sendFile(ctx, `${order.orderNo}.txt`, proxies)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(errorText(ctx.texts, error.code), true)
  }
  return undefined
}

async function sendFileOfAll(ctx: BotContext): Promise<unknown> {
  const { actor } = ctx.session
  if (!actor) return showHome(ctx)
  const proxies = await ctx.core.orders.activeInstances(actor)
  if (proxies.length === 0) return ctx.notify(ctx.texts.orders.noneActive, true)
  return sendFile(ctx, 'proxies.txt', proxies)
}

async function sendFile(
  ctx: BotContext,
  name: string,
  proxies: Parameters<typeof proxyFile>[0],
): Promise<void> {
  await ctx.replyWithDocument(new InputFile(proxyFile(proxies), name), {
    caption: ctx.texts.orders.fileCaption(proxies.length),
    parse_mode: 'HTML',
  })
}
