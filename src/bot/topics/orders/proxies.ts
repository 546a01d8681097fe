import { z } from 'zod'
import type { Actor } from '../../../core/access/actor.ts'
import { MAX_NOTE } from '../../../core/orders/set-note.ts'
import { SEARCH_LIMITS, searchLines } from '../../../core/orders/search-static-orders.ts'
import { PROXIES } from '../../actions/orders.ts'
import type { Find } from '../../dialogue/pasted.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import { findOrder, orderScreenFor, proxyAt, rememberList, rememberProxies } from './handlers.ts'
import type { ProxyAt } from './replace-screens.ts'
import {
  ALL_IN_USE,
  ALL_USERS,
  exportScreen,
  filtersScreen,
  foundProxiesScreen,
  type ListOfProxies,
  type Narrowed,
  proxiesListScreen,
  PROXIES_PER_PAGE,
} from './proxies-screens.ts'
import { formatsScreen, noteScreen } from './proxy-screens.ts'

/** Lists the proxies of all orders: narrowed, searched, each with a note of one's own (rules 17.1-17.3). */
export function proxiesFeature(): Feature {
  const feature = new Feature()
  feature.command('proxies', (ctx) => showToMember(ctx, (actor) => proxiesOf(ctx, actor, ALL_IN_USE, 1)))
  feature.onMember(PROXIES.list, (ctx, actor, { page, ...narrowed }) => proxiesOf(ctx, actor, narrowed, page))
  feature.onMember(PROXIES.filters, async (ctx, actor, narrowed) =>
    filtersScreen(viewOf(ctx), await listOf(ctx, actor, narrowed)),
  )
  feature.onMember(PROXIES.export, async (ctx, actor, narrowed) =>
    exportScreen(viewOf(ctx), await listOf(ctx, actor, narrowed), actor.id),
  )
  feature.onMember(PROXIES.search, async (ctx, _actor, { list }) => {
    await ask(ctx, whichProxies, { list })
    return undefined
  })
  feature.onMember(PROXIES.found, (ctx, actor, { page }) => foundProxies(ctx, actor, page))
  feature.onMember(PROXIES.note, async (ctx, _actor, { id = 0, position = -1 }) => {
    await ask(ctx, whatNote, { id, position })
    return undefined
  })
  feature.onMember(PROXIES.noNote, (ctx, actor, { id = 0, position = -1 }) =>
    setNote(ctx, actor, { id, position }, ''),
  )
  feature.onMember(PROXIES.formats, async (ctx, actor, { id, position = -1 }) => {
    const order = await findOrder(ctx, actor, id)
    const instance = order.instances[position]
    return instance
      ? formatsScreen(viewOf(ctx), order, instance, position)
      : orderScreenFor(ctx, actor, order)
  })
  return feature
}

/** Loads the facets of a list (products, countries, numbers) and the name of its owner. */
async function listOf({ core }: BotContext, actor: Actor, narrowed: Narrowed): Promise<ListOfProxies> {
  const { user } = narrowed
  const sub =
    user === undefined || user === ALL_USERS ? undefined : await core.accounts.getSubUser(actor, user)
  return {
    ...narrowed,
    facets: await core.orders.proxyFacets(actor, ownerOf(actor, narrowed)),
    username: sub?.username,
    isAgent: actor.role === 'agent',
  }
}

/** Returns the id of the owner; undefined for all that the actor may see. */
function ownerOf({ id }: Actor, { user }: Narrowed): number | undefined {
  return user === ALL_USERS ? undefined : (user ?? id)
}

/** A page of the list of proxies. */
export async function proxiesOf(
  ctx: BotContext,
  actor: Actor,
  narrowed: Narrowed,
  page: number,
): Promise<Screen> {
  const { filter, product, country } = narrowed
  const list = await listOf(ctx, actor, narrowed)
  const userId = ownerOf(actor, narrowed)
  const found = await existingPage(page, (number) =>
    ctx.core.orders.listProxies(actor, {
      ...(userId !== undefined && { userId }),
      ...(product !== undefined && { productId: product }),
      ...(country !== undefined && { countryCode: country }),
      filter,
      page: number,
      pageSize: PROXIES_PER_PAGE,
    }),
  )
  const data = PROXIES.list.data({ ...narrowed, page: found.page })
  await rememberProxies(ctx, data)
  await rememberList(ctx, data)
  return proxiesListScreen(viewOf(ctx), list, found)
}

/** Result of the last search: only ids, because the pasted text may hold passwords. */
const lastFound = draft(
  'found-proxies',
  z.object({ ids: z.array(z.int()), total: z.int(), list: z.string() }),
)
/** Most proxies that a search shows. */
const MOST_FOUND = 100

/** What is looked for; the state is callback data of the list from which the search began, which may be forged. */
export const whichProxies: Question<{ readonly list: string }> = {
  name: 'proxies.search',
  prompt: ({ texts }, _actor, state) => promptScreen(texts, texts.proxies.whatToFind, originOf(state).list),
  answer: async (ctx, actor, state, text) => {
    const { search } = ctx.texts.orders
    if (searchLines(text) > SEARCH_LIMITS.lines) return { problem: search.tooManyLines(SEARCH_LIMITS.lines) }
    const screen = await searched(ctx, actor, text, originOf(state))
    return screen ? { screen } : { problem: search.nothing }
  },
}

/** Where Back leads, and whose proxies are meant; undefined for all. */
function originOf({ list }: { readonly list: string }): { list: string; userId: number | undefined } {
  const read = PROXIES.list.read(list)
  const { user } = read ?? {}
  return {
    list: read ? list : PROXIES.list.data({}),
    userId: user === ALL_USERS ? undefined : user,
  }
}

/** Least bytes of a search: fewer match too much. One Chinese character has as many. */
const SHORTEST = 3

/** Finds what is pasted anywhere: proxies in any of their formats, addresses, notes, numbers of orders. */
export const findProxy: Find = async (ctx, actor, text) =>
  Buffer.byteLength(text) < SHORTEST || searchLines(text) > SEARCH_LIMITS.lines
    ? undefined
    : searched(ctx, actor, text, { list: PROXIES.list.data({}) })

/** All that one of an agent's own sub-users has: `all NAME`, in any language of the bot (rules 17.3). */
export const findAllOf: Find = async (ctx, actor, text) => {
  const name = /^(?:all|所有|全部|все)\s+@?(\S+)$/i.exec(text)?.[1]
  if (actor.role !== 'agent' || name === undefined) return undefined
  const [user] = (await ctx.core.accounts.subUsersNamed(actor, [name])).ids
  return user === undefined ? undefined : proxiesOf(ctx, actor, { ...ALL_IN_USE, user }, 1)
}

/**
 * Shows the proxy that a text names, or a list of several; else the order that it names (rules 17.3).
 *
 * @param origin callback data of the list to which Back leads, and the owner of the proxies; without one, all that the actor may see
 * @returns undefined when nothing is found
 */
export async function searched(
  ctx: BotContext,
  actor: Actor,
  search: string,
  { list, userId }: { readonly list: string; readonly userId?: number | undefined },
): Promise<Screen | undefined> {
  const owner = userId === undefined ? {} : { userId }
  const { items, total } = await ctx.core.orders.listProxies(actor, {
    ...owner,
    search,
    pageSize: MOST_FOUND,
  })
  const [first, ...others] = items
  if (first && others.length === 0) {
    await rememberProxies(ctx, list)
    const order = await ctx.core.orders.getStatic(actor, { id: first.orderId })
    return proxyAt(ctx, actor, order, first.position)
  }
  if (first) {
    await lastFound.write(ctx, { ids: items.map(({ id }) => id), total, list })
    return foundProxies(ctx, actor, 1)
  }
  const orders = await ctx.core.orders.listStatic(actor, {
    ...owner,
    search,
    showRecycleBin: true,
    pageSize: 2,
  })
  const [order] = orders.items
  if (!order) return undefined
  await rememberList(ctx, list)
  return orderScreenFor(ctx, actor, await ctx.core.orders.getStatic(actor, { id: order.id }))
}

async function foundProxies(ctx: BotContext, actor: Actor, wanted: number): Promise<Screen> {
  const found = await lastFound.read(ctx)
  if (!found) {
    await ctx.notify(ctx.texts.stale)
    return ctx.homeScreen()
  }
  const { ids, list, total } = found
  const page = await existingPage(wanted, (number) =>
    ctx.core.orders.listProxies(actor, { ids, page: number, pageSize: PROXIES_PER_PAGE }),
  )
  await rememberProxies(ctx, PROXIES.found.data({ page: page.page }))
  return foundProxiesScreen(viewOf(ctx), { shown: ids.length, total, list }, page)
}

async function setNote(
  ctx: BotContext,
  actor: Actor,
  { id, position }: ProxyAt,
  note: string,
): Promise<Screen> {
  const order = await findOrder(ctx, actor, id)
  const instanceNo = order.instances[position]?.instanceNo ?? ''
  await ctx.core.orders.setProxyNote(actor, { instances: [instanceNo], note })
  await ctx.notify(ctx.texts.proxies.noteSet)
  return proxyAt(ctx, actor, await findOrder(ctx, actor, id), position)
}

/** The note of a proxy. */
export const whatNote: Question<ProxyAt> = {
  name: 'proxies.note',
  prompt: async (ctx, actor, { id, position }) => {
    const order = await findOrder(ctx, actor, id)
    return noteScreen(viewOf(ctx), order.instances[position], { id, position })
  },
  answer: async (ctx, actor, at, note) =>
    note.length > MAX_NOTE
      ? { problem: ctx.texts.proxies.noteTooLong(MAX_NOTE) }
      : { screen: await setNote(ctx, actor, at, note) },
}
