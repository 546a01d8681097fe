import { Composer } from 'grammy'
import type { Found } from '../../../core/customers/find.ts'
import { pastedProxy } from '../../../core/orders/search-static-orders.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import { remove } from '../../session/show.ts'
import { viewOf } from '../../session/view-of.ts'
import { askFindScreen, foundScreen } from './found-screen.ts'
import { customerScreenFor, orderScreenFor, proxyScreenFor, topUpScreenFor } from './pages.ts'

/** Most characters of the searched text that the result repeats. */
const REPEATED = 60

/** One search for everything (rules 16.1). */
export function findFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  const home = (ctx: BotContext) => ctx.show(askFindScreen(ctx.texts, ctx.chat?.type !== 'private'))
  feature.command('find', async (ctx) => {
    const text = ctx.match.trim()
    return text === '' ? home(ctx) : ctx.show(await searchedScreen(ctx, text))
  })
  feature.on(CUSTOMERS.find, home)
  return feature
}

/**
 * Searches for a line that somebody who runs the shop sends and no other handler takes. The message is deleted: it may hold the
 * password of a proxy.
 */
export function pastedSearches(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('message:text', async (ctx, next) => {
    const text = ctx.message.text.trim()
    if (!isOperatorChat(ctx) || text.startsWith('/') || text.includes('\n')) return next()
    await remove(ctx.api, ctx.chat.id, ctx.message.message_id)
    return ctx.show(await searchedScreen(ctx, text))
  })
  return composer
}

/** Searches, and opens a single result at once. */
async function searchedScreen(ctx: BotContext, text: string): Promise<Screen> {
  const found = await ctx.core.operator.find(text.slice(0, 500))
  const [only] = found
  const alone = only && found.length === 1 ? await pageOf(ctx, only) : undefined
  return alone ?? foundScreen(viewOf(ctx), pastedProxy(text)?.ip ?? text.slice(0, REPEATED), found)
}

/** The page of what was found; undefined where it has none. */
async function pageOf(ctx: BotContext, found: Found): Promise<Screen | undefined> {
  switch (found.kind) {
    case 'customer':
      return customerScreenFor(ctx, found.id)
    case 'sub_account':
      return customerScreenFor(ctx, found.username)
    case 'order':
      return orderScreenFor(ctx, found.orderNo)
    case 'proxy':
      return proxyScreenFor(ctx, found.instanceNo)
    case 'top_up':
      return topUpScreenFor(ctx, found.orderNo)
    case 'stock':
    case 'transfer':
      return undefined
  }
}
