import { ServiceError } from '../../../core/errors.ts'
import { errorText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import type { Html } from '../../texts/html.ts'
import { orderScreen, proxyScreen, topUpScreen } from './order-screens.ts'
import { customerScreen, goneScreen } from './screens.ts'

/** Does the work of a handler. A refusal of the core is shown; when its subject is gone, a screen leads to the search. */
export async function orGone(ctx: BotContext, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'not_permitted') throw error
    const { customers } = ctx.texts
    const gone = ['user_not_found', 'order_not_found', 'instance_not_found'].includes(error.code)
    await ctx.notify(gone ? customers.gone : errorText(ctx.texts, error.code), true)
    return gone ? ctx.show(goneScreen(ctx.texts)) : undefined
  }
}

/** @throws user_not_found */
export async function customerScreenFor(
  ctx: BotContext,
  which: number | string,
  note?: Html,
): Promise<Screen> {
  const customer = await ctx.core.operator.customers.show(which)
  return customerScreen(viewOf(ctx), customer, note)
}

/** @throws order_not_found */
export async function orderScreenFor(
  ctx: BotContext,
  orderNo: string,
  { page = 1, note }: { readonly page?: number; readonly note?: Html } = {},
): Promise<Screen> {
  const shown = await ctx.core.operator.orders.show(orderNo)
  return orderScreen(viewOf(ctx), shown, page, note)
}

/** @throws instance_not_found */
export async function proxyScreenFor(ctx: BotContext, instanceNo: string, note?: Html): Promise<Screen> {
  const shown = await ctx.core.operator.orders.proxy(instanceNo)
  return proxyScreen(viewOf(ctx), shown, note)
}

export async function topUpScreenFor(ctx: BotContext, orderNo: string): Promise<Screen> {
  const topUp = await ctx.core.operator.payments.topUp(orderNo)
  return topUp ? topUpScreen(viewOf(ctx), topUp) : goneScreen(ctx.texts)
}
