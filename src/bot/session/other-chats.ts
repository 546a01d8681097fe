import { Composer, Context } from 'grammy'
import type { Logger } from 'pino'
import { mayMove } from '../../core/people/moved-chats.ts'
import type { Core } from '../../core/core.ts'
import { when } from './when.ts'
import { languageOf, LOCALES } from '../texts/index.ts'
import { toLoggable, isTelegramError } from '../transport/telegram-error.ts'
import type { BotContext } from './context.ts'

interface OtherChatsOptions {
  readonly core: Core
  readonly logger: Logger
  /** The chat that backups are sent to: the bot stays there, and says nothing. */
  readonly backupChat: number | undefined
}

/**
 * Groups and channels: accounts are private, so the bot says once that it works in private chats, and leaves. It stays in the
 * operator's groups, also when they become supergroups (rules 14.8).
 */
export function otherChats({ core, logger, backupChat }: OtherChatsOptions): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  /** Groups that were told: being added comes as more than one update. */
  const told = new Set<number>()
  const isOurs = async (chatId: number) =>
    (await core.operator.isShopChat(chatId)) || (await isForBackups(chatId))
  const isForBackups = async (chatId: number) =>
    backupChat !== undefined && chatId === (await core.chats.currentId(backupChat))

  // Telegram sends the move to both chats, and this may be the first update about it.
  const isMove = Context.has.filterQuery(['message:migrate_to_chat_id', 'message:migrate_from_chat_id'])
  composer.use(
    when(isMove, async (ctx, next) => {
      const { migrate_to_chat_id: to = ctx.chat.id, migrate_from_chat_id: from = ctx.chat.id } = ctx.message
      if (!(await isOurs(from))) return (await isOurs(to)) ? undefined : next()
      await core.chats.moved(from, to)
      logger.info({ from, to }, 'a group has become a supergroup, and has another id now')
    }),
  )
  const isOther = Context.has.chatType(['group', 'supergroup', 'channel'])
  composer.use(
    when(isOther, async (ctx, next) => {
      const { id, type } = ctx.chat
      if (await core.operator.isShopChat(id)) return next()
      if (await isForBackups(id)) return
      if (hasLeft(ctx)) {
        told.delete(id)
        return
      }
      if (type === 'supergroup') {
        await findMoved(ctx)
        if (await isOurs(id)) return next()
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
    }),
  )
  return composer

  /** Finds groups that became supergroups while the bot was away: only a refused call tells, see `followMovedChats`. */
  async function findMoved({ api }: BotContext): Promise<void> {
    for (const chatId of [
      ...(await core.operator.chats()),
      ...(backupChat === undefined ? [] : [backupChat]),
    ])
      if (mayMove(chatId) && (await core.chats.currentId(chatId)) === chatId)
        await api.sendChatAction(chatId, 'typing').catch((error: unknown) => {
          if (!isTelegramError(error)) throw error
        })
  }
}

/** Whether the bot was removed from a chat, or blocked in it. */
export function hasLeft({ myChatMember }: Pick<Context, 'myChatMember'>): boolean {
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
