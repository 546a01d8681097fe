import { z } from 'zod'
import type { Actor } from '../../../core/access/actor.ts'
import { SEARCH_LIMITS, searchLines } from '../../../core/orders/search-static-orders.ts'
import { ORDERS } from '../../actions/orders.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { orderScreenFor, rememberList } from './handlers.ts'
import { foundScreen, ORDERS_PER_PAGE } from './list-screens.ts'

/** Most orders that a search shows: a page of the core's list. */
const MOST_FOUND = 100

/** Finds orders by what people paste: lines of proxies, addresses, order numbers, or a part of something. */
export function searchOrdersFeature(): Feature {
  const feature = new Feature()
  feature.onMember(ORDERS.search, async (ctx, _actor, { list }) => {
    await ask(ctx, whatToFind, { list })
    return undefined
  })
  feature.onMember(ORDERS.found, (ctx, actor, { page }) => foundOrders(ctx, actor, page))
  return feature
}

/** Result of the last search: only numbers of orders, because the pasted text may hold passwords. */
const lastSearch = draft(
  'found',
  z.object({ total: z.int(), orderNos: z.array(z.string()), list: z.string() }),
)

/** The list from which a search began. */
interface Searched {
  /** Callback data, which may be forged. */
  readonly list: string
}

/** What is looked for, among the orders of one sub-user or among all that the account may see. */
export const whatToFind: Question<Searched> = {
  name: 'orders.search',
  prompt: ({ texts }, _actor, searched) =>
    promptScreen(texts, texts.orders.search.question, originOf(searched).list),
  answer: async (ctx, actor, searched, text) => {
    const { list, userId } = originOf(searched)
    const { search } = ctx.texts.orders
    if (searchLines(text) > SEARCH_LIMITS.lines) return { problem: search.tooManyLines(SEARCH_LIMITS.lines) }
    const { items, total } = await ctx.core.orders.listStatic(actor, {
      ...(userId !== undefined && { userId }),
      search: text,
      showRecycleBin: true,
      pageSize: MOST_FOUND,
    })
    const [first, ...others] = items
    if (!first) return { problem: search.nothing }
    if (others.length === 0) {
      await rememberList(ctx, list)
      return {
        screen: await orderScreenFor(ctx, actor, await ctx.core.orders.getStatic(actor, { id: first.id })),
      }
    }
    await lastSearch.write(ctx, { total, orderNos: items.map(({ orderNo }) => orderNo), list })
    return { screen: await foundOrders(ctx, actor, 1) }
  },
}

/** Where Back leads, and whose orders are meant; undefined for all. */
function originOf({ list }: Searched): Searched & { readonly userId: number | undefined } {
  const ofUser = ORDERS.ofUser.read(list)
  if (ofUser) return { list, userId: ofUser.user ?? 0 }
  return {
    list: ORDERS.list.read(list) || ORDERS.ofAll.read(list) ? list : ORDERS.list.data(),
    userId: undefined,
  }
}

async function foundOrders(ctx: BotContext, actor: Actor, page: number): Promise<Screen> {
  const found = await lastSearch.read(ctx)
  if (!found) {
    await ctx.notify(ctx.texts.stale)
    return ctx.homeScreen()
  }
  const { total, orderNos, list } = found
  const shown = await ctx.core.orders.listStatic(actor, {
    search: orderNos.join('\n'),
    showRecycleBin: true,
    page,
    pageSize: ORDERS_PER_PAGE,
  })
  await rememberList(ctx, ORDERS.found.data({ page }))
  return foundScreen(viewOf(ctx), actor.id, { total, shown: orderNos.length, list }, shown)
}
