import type { Middleware } from 'grammy'
import type { BotContext } from './context.ts'
import { isCommand } from './is-command.ts'

/**
 * In groups, which are those of the operator (`otherChats`), whoever does not run the shop may do nothing (rules 14.2): presses and
 * commands are answered with that, and nothing is taken for an answer to a question of the bot.
 */
export const strangers: Middleware<BotContext> = async (ctx, next) => {
  if (ctx.operator || ctx.chat?.type === 'private') return next()
  const { message, callbackQuery, texts } = ctx
  if (callbackQuery) return ctx.notify(texts.operator.notNamed, true)
  if (!message || /^\/chatid\b/.test(message.text ?? '')) return next()
  if (isCommand(message.text)) await ctx.reply(texts.operator.notNamed)
}
