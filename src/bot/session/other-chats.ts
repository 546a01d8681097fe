import { Composer } from 'grammy'
import type { Logger } from 'pino'
import type { Core } from '../../core/core.ts'
import { languageOf, LOCALES } from '../texts/index.ts'
import { toLoggable, isTelegramError } from '../transport/telegram-error.ts'
import type { BotContext } from './context.ts'
import { isOfShop } from './operator-chat.ts'

/**
 * Groups and channels: accounts are private, so the bot says once that it works in private chats, and leaves. It stays in the
 * operator's groups.
 */
export function otherChats(core: Core, logger: Logger): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  /** Being added comes as more than one update. */
  const told = new Set<number>()

  composer.chatType(['group', 'supergroup', 'channel']).use(async (ctx, next) => {
    const { id, type } = ctx.chat
    if (isOfShop({ core, chatId: id })) return next()
    if (hasLeft(ctx)) {
      told.delete(id)
      return
    }
    try {
      if (type !== 'channel' && !told.has(id)) {
        told.add(id)
        await tellPrivateOnly(ctx)
      }
      await ctx.leaveChat()
    } catch (error) {
      if (!isTelegramError(error)) throw error
      logger.warn({ err: toLoggable(error), chat: id }, 'a group could not be left')
    }
  })
  return composer
}

function hasLeft({ myChatMember }: BotContext): boolean {
  const status = myChatMember?.new_chat_member.status
  return status === 'left' || status === 'kicked'
}

function tellPrivateOnly(ctx: BotContext) {
  const { groups } = LOCALES[languageOf(ctx.from?.language_code)].trouble
  const button = { text: groups.write, url: `https://t.me/${ctx.me.username}` }
  return ctx.reply(groups.privateOnly(ctx.chatId ?? 0), {
    parse_mode: 'HTML',
    reply_markup: { inline_keyboard: [[button]] },
  })
}
