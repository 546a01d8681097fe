import { z } from 'zod'
import type { Actor } from '../../../core/access/actor.ts'
import type { Draft } from '../../../core/chats/draft.ts'
import { ServiceError } from '../../../core/errors.ts'
import { ORDER_FILTERS } from '../../../core/orders/list-static-orders.ts'
import { isDead } from '../../../core/checks/health.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { type OrderFilter, ORDERS } from '../../actions/orders.ts'
import type { Read } from '../../kit/action.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import { durationOf } from '../../kit/terms.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import {
  EVERYBODY,
  orderFiltersScreen,
  ORDERS_PER_PAGE,
  ordersScreen,
  type Owner,
  packList,
} from './list-screens.ts'
import { orderScreen } from './order-screen.ts'
import { boughtTerm, isReleasable, isRenewable } from './order-change.ts'
import {
  newPasswordScreen,
  pageOfProxy,
  type ProxyCare,
  proxyScreen,
  proxiesScreen,
} from './proxy-screens.ts'

/** Orders of static proxies, one's own and those of an agent's sub-users: lists, one order, one proxy. */
export function ordersFeature(): Feature {
  const feature = new Feature()

  feature.command('orders', (ctx) =>
    showToMember(ctx, (actor) => ordersOf(ctx, actor, self(actor), 'all', 1)),
  )
  feature.onMember(ORDERS.list, (ctx, actor, { filter, page }) =>
    ordersOf(ctx, actor, self(actor), filter, page),
  )
  feature.onMember(ORDERS.ofUser, async (ctx, actor, { user = -1, filter, page }) =>
    ordersOf(ctx, actor, await ownerOf(ctx, actor, user), filter, page),
  )
  feature.onMember(ORDERS.ofAll, (ctx, actor, { filter, page }) =>
    ordersOf(ctx, actor, EVERYBODY, filter, page),
  )
  feature.onMember(ORDERS.filters, async (ctx, actor, { user, filter }) => {
    const owner = await ownerOf(ctx, actor, user)
    const counted = await Promise.all(
      ORDER_FILTERS.map(async (each) => [each, await countOf(ctx, actor, owner, each)] as const),
    )
    return orderFiltersScreen(viewOf(ctx), owner, filter, new Map(counted))
  })
  feature.onMember(
    ORDERS.view,
    async (ctx, actor, { id, page }) => orderScreenFor(ctx, actor, await findOrder(ctx, actor, id), page),
    toOrders,
  )
  feature.onMember(ORDERS.autoRenew, setAutoRenew, toOrders)
  feature.onMember(
    ORDERS.proxies,
    async (ctx, actor, { id, page }) => {
      const order = await findOrder(ctx, actor, id)
      await rememberProxies(ctx, ORDERS.proxies.data({ id: order.id, page }))
      return proxiesScreen(viewOf(ctx), order, page)
    },
    toOrders,
  )
  feature.onMember(
    ORDERS.proxy,
    async (ctx, actor, { id, position }) => proxyAt(ctx, actor, await findOrder(ctx, actor, id), position),
    toOrders,
  )
  feature.onMember(ORDERS.proxyAutoRenew, setAutoRenewOfProxy, toOrders)
  feature.onMember(
    ORDERS.newPassword,
    async (ctx, actor, { id, position = -1 }) => {
      const order = await findOrder(ctx, actor, id)
      const instance = order.instances[position]
      return instance?.status === 'active'
        ? newPasswordScreen(viewOf(ctx), order, instance, position)
        : proxyAt(ctx, actor, order, position)
    },
    toOrders,
  )
  feature.onMember(ORDERS.newPasswordYes, askForPassword, toOrders)
  return feature
}

/** The list that was shown last, to which Back leads from an order. */
const lastList = draft('orders', z.object({ ownerId: z.int().optional(), data: z.string() }))

/** Callback data of the list of proxies that was shown last, to which Back leads from a proxy. */
const lastProxies = draft('proxies', z.string())

export function rememberProxies(ctx: BotContext, data: string): Promise<void> {
  return lastProxies.write(ctx, data)
}

function self({ id }: Actor): Owner {
  return { id, username: undefined }
}

function toOrders(ctx: BotContext, actor: Actor): Promise<Screen> {
  return ordersOf(ctx, actor, self(actor), 'all', 1)
}

/** @param user as a button names it */
async function ownerOf({ core }: BotContext, actor: Actor, user: number | undefined): Promise<Owner> {
  if (user === undefined) return self(actor)
  if (user === 0) return EVERYBODY
  const { id, username } = await core.accounts.getSubUser(actor, user)
  return { id, username }
}

async function countOf(
  { core }: BotContext,
  actor: Actor,
  { id }: Owner,
  filter: OrderFilter,
): Promise<number> {
  const owner = id === undefined ? {} : { userId: id }
  const { total } = await core.orders.listStatic(actor, {
    ...owner,
    filter,
    pageSize: 1,
    showRecycleBin: true,
  })
  return total
}

async function ordersOf(
  ctx: BotContext,
  actor: Actor,
  owner: Owner,
  filter: OrderFilter,
  page: number,
): Promise<Screen> {
  const list = (number: number) =>
    ctx.core.orders.listStatic(actor, {
      ...(owner.id !== undefined && { userId: owner.id }),
      filter,
      page: number,
      pageSize: ORDERS_PER_PAGE,
      showRecycleBin: true,
    })
  const found = await existingPage(page, list)
  await rememberList(ctx, packList(owner, filter, found.page), owner.id)
  return ordersScreen(viewOf(ctx), owner, filter, found)
}

/**
 * @param data callback data of the list
 * @param ownerId the user whose orders it has; undefined for those of several users
 */
export function rememberList(ctx: BotContext, data: string, ownerId?: number): Promise<void> {
  return lastList.write(ctx, { data, ...(ownerId !== undefined && { ownerId }) })
}

/**
 * Finds the order that a button names.
 *
 * @throws order_not_found, also when it is somebody else's
 */
export function findOrder({ core }: BotContext, actor: Actor, id: number | undefined): Promise<StaticOrder> {
  return core.orders.getStatic(actor, { id: id ?? 0 })
}

/** The screen of an order with a page of its proxies. */
export async function orderScreenFor(
  ctx: BotContext,
  actor: Actor,
  order: StaticOrder,
  page = 1,
): Promise<Screen> {
  return orderScreen(viewOf(ctx), order, {
    actorId: actor.id,
    format: ctx.session.proxyFormat,
    page,
    back: backToList(actor, order, await ctx.core.chats.readDraft(ctx.session.chatId)),
  })
}

/** Returns callback data of the list that was shown last, if the order can be in it; else of its user's orders. */
export function backToList(actor: Actor, { userId, username }: StaticOrder, chosen: Draft): string {
  const owner = userId === actor.id ? self(actor) : { id: userId, username }
  const { data, ownerId } = lastList.within(chosen) ?? {}
  return data !== undefined && (ownerId ?? userId) === userId ? data : packList(owner, 'all', 1)
}

/** Shows one proxy, or its order when there is none at the position. */
export async function proxyAt(
  ctx: BotContext,
  actor: Actor,
  order: StaticOrder,
  position = -1,
): Promise<Screen> {
  const instance = order.instances[position]
  if (!instance) return orderScreenFor(ctx, actor, order)
  const { instanceNo } = instance
  return proxyScreen(viewOf(ctx), order, instance, position, ctx.session.proxyFormat, {
    ...(await offersFor(ctx, actor, order, instance)),
    resettable: await ctx.core.orders.givesCredentials(order),
    replacements: await ctx.core.orders.listReplacements(actor, { instanceNo }),
    back: await backOf(ctx, order, position),
  })
}

/** What one press does to a proxy, and for how much (rules 17.9). */
async function offersFor(
  { core }: BotContext,
  actor: Actor,
  order: StaticOrder,
  instance: Instance,
): Promise<Pick<ProxyCare, 'renewal' | 'release' | 'ofUser'>> {
  const { instanceNo } = instance
  const renewal =
    isRenewable(order, instance, core.now()) && !isDead(instance)
      ? await unlessRefused(
          core.orders.quoteRenewal(actor, {
            order: { id: order.id },
            instances: [{ instanceNo }],
            ...durationOf(boughtTerm(order)),
          }),
        )
      : undefined
  const release = isReleasable(order, instance)
    ? await unlessRefused(
        core.orders.quoteCancellation(actor, { orderNo: order.orderNo, instances: [instanceNo] }),
      )
    : undefined
  return { renewal, release, ofUser: order.userId === actor.id ? undefined : order.username }
}

/** Undefined for what the core refuses: the button then leads to where this is said. */
async function unlessRefused<Quote>(quote: Promise<Quote>): Promise<Quote | undefined> {
  try {
    return await quote
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}

/** Returns callback data of the list that was shown last, if the proxy can be in it; else of its order's proxies. */
async function backOf(ctx: BotContext, { id }: StaticOrder, position: number): Promise<string> {
  const last = await lastProxies.read(ctx)
  const ofOrder = last === undefined ? undefined : ORDERS.proxies.read(last)
  return last === undefined || (ofOrder && ofOrder.id !== id)
    ? ORDERS.proxies.data({ id, page: pageOfProxy(position) })
    : last
}

async function setAutoRenew(
  ctx: BotContext,
  actor: Actor,
  { id, on }: Read<typeof ORDERS.autoRenew.shape>,
): Promise<Screen> {
  const { orderNo } = await findOrder(ctx, actor, id)
  const order = await ctx.core.orders.setAutoRenew(actor, { orderNo, autoRenew: on })
  await ctx.notify(ctx.texts.orders.autoRenewSet(on))
  return orderScreenFor(ctx, actor, order)
}

/** Requests another password. A second press within the hour is refused, so that pressing twice changes it once. */
async function askForPassword(
  ctx: BotContext,
  actor: Actor,
  { id, position = -1 }: Read<typeof ORDERS.newPasswordYes.shape>,
): Promise<Screen> {
  const order = await findOrder(ctx, actor, id)
  const { reset } = ctx.texts.orders
  try {
    await ctx.core.orders.resetCredentials(actor, order.instances[position]?.instanceNo ?? '')
    await ctx.notify(reset.asked, true)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error
    await ctx.notify(reset.tooSoon, true)
  }
  return proxyAt(ctx, actor, order, position)
}

async function setAutoRenewOfProxy(
  ctx: BotContext,
  actor: Actor,
  { id, position = -1, on }: Read<typeof ORDERS.proxyAutoRenew.shape>,
): Promise<Screen> {
  const { orderNo, instances } = await findOrder(ctx, actor, id)
  const instanceNo = instances[position]?.instanceNo ?? ''
  const change = { orderNo, instances: [instanceNo], autoRenew: on }
  const order = await ctx.core.orders.setAutoRenew(actor, change)
  await ctx.notify(ctx.texts.orders.autoRenewSet(on))
  return proxyAt(ctx, actor, order, position)
}
