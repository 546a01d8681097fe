import { Composer } from 'grammy'
import type { Actor } from '../../core/access/actor.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from '../session/context.ts'
import { remove } from '../session/show.ts'
import { type AnyQuestion, askStep, type Step } from './ask.ts'

/**
 * Looks for what a typed or pasted text names.
 *
 * @returns the screen of what was found, or the question that the text leads to; undefined when it names nothing of this kind
 */
export type Find = (ctx: BotContext, actor: Actor, text: string) => Promise<Screen | Step | undefined>

/** Longest text that is searched, in characters: that of some hundred proxies. */
const LONGEST = 8_000

/**
 * Whatever is pasted where nothing asks for it is searched (rules 17.3). The message is removed: it may hold the password of a proxy.
 *
 * @param finds in the order in which they are tried
 * @param byName the questions that they may lead to
 */
export function pasted(
  finds: readonly Find[],
  byName: ReadonlyMap<string, AnyQuestion>,
): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('message:text', async (ctx, next) => {
    const { actor } = ctx.session
    const text = ctx.message.text.trim()
    if (!actor || text.startsWith('/') || text.length > LONGEST) return next()
    for (const find of finds) {
      const found = await find(ctx, actor, text).catch(undefinedIfRefused)
      if (!found) continue
      await remove(ctx.api, ctx.chat.id, ctx.message.message_id)
      return 'question' in found ? askStep(ctx, found, byName) : ctx.show(found)
    }
    return next()
  })
  return composer
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined
  throw error
}
