import { Composer, type Middleware, type MiddlewareFn } from 'grammy'
import type { BotContext } from './context.ts'

/**
 * Passes the updates that match through some middleware, and all others by: what `filter` of grammY does, which makes a composer anew
 * at each update. A press passes a dozen of these.
 */
export function when<Matching extends BotContext>(
  matches: (ctx: BotContext) => ctx is Matching,
  ...middleware: readonly Middleware<Matching>[]
): MiddlewareFn<BotContext>
export function when(
  matches: (ctx: BotContext) => boolean,
  ...middleware: readonly Middleware<BotContext>[]
): MiddlewareFn<BotContext>
export function when(
  matches: (ctx: BotContext) => boolean,
  ...middleware: readonly Middleware<BotContext>[]
): MiddlewareFn<BotContext> {
  const through = new Composer(...middleware).middleware()
  return (ctx, next) => (matches(ctx) ? through(ctx, next) : next())
}
