import type { Middleware } from 'grammy'
import { codeIn } from '../../../core/bots/manage-bots.ts'
import { entryIn } from '../../../core/bots/entry.ts'
import { messageScreen } from '../../kit/simple-screens.ts'
import { html } from '../../texts/html.ts'
import type { BotContext } from '../../session/context.ts'
import { showHome } from '../../session/show-home.ts'

/**
 * The door of an agent's bot. One whose token was pasted does nothing until its owner has opened it by the one-time link; customers who
 * come from the shop's bot are logged in by theirs (rules 20.3, 20.5).
 */
export const ownBotDoor: Middleware<BotContext> = async (ctx, next) => {
  const { brand, core, from, message, texts } = ctx
  if (!brand || !from) return undefined
  const [, parameter = ''] = /^\/start ([\w-]+)$/.exec(message?.text ?? '') ?? []
  const code = codeIn(parameter)
  if (code !== undefined && (await core.bots.open(brand.botId, from.id, code))) {
    return ctx.show(messageScreen(texts, html`✅ ${texts.ownBots.opened(brand.name)}`))
  }
  if (brand.state === 'pending') return undefined
  const entry = entryIn(parameter)
  if (entry === undefined) return next()
  const actor = await core.bots.enter(ctx.session.chatId, { brand, telegramId: from.id, code: entry })
  if (actor) ctx.session = { ...ctx.session, actor, ended: undefined }
  return showHome(ctx)
}
