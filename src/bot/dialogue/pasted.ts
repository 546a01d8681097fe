import { Composer } from 'grammy'
import type { Actor } from '../../core/access/actor.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from '../session/context.ts'
import { remove } from '../session/show.ts'

/**
 * Looks for what a typed or pasted text names.
 *
 * @returns the screen of what was found; undefined when it names nothing of this kind
 */
export type Find = (ctx: BotContext, actor: Actor, text: string) => Promise<Screen | undefined>

/** Longest text that is searched, in characters: that of some hundred proxies. */
const LONGEST = 8_000

/**
 * Whatever is pasted where nothing asks for it is searched (rules 17.3). The message is removed: it may hold the password of a proxy.
 *
 * @param finds in the order in which they are tried
 */
export function pasted(finds: readonly Find[]): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('message:text', async (ctx, next) => {
    const { actor } = ctx.session
    const text = ctx.message.text.trim()
    if (!actor || text.startsWith('/') || text.length > LONGEST) return next()
    for (const find of finds) {
      const screen = await find(ctx, actor, text).catch(undefinedIfRefused)
      if (!screen) continue
      await remove(ctx.api, ctx.chat.id, ctx.message.message_id)
      return ctx.show(screen)
    }
    return next()
  })
  return composer
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined
  throw error
}
