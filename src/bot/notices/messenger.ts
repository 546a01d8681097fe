import { type Api, InputFile } from 'grammy'
import type { Logger } from 'pino'
import type { ChatLocale } from '../../core/chat-locale.ts'
import type { Core } from '../../core/core.ts'
import type { DeliveryResult, Messenger, Notice, OperatorNotice } from '../../core/notices/messenger.ts'
import { sendContent } from '../kit/content.ts'
import { keyboard, shownText } from '../kit/screen.ts'
import { type Permits, permitted } from '../session/permitted.ts'
import { editOnly } from '../session/show.ts'
import { lines } from '../texts/html.ts'
import { textsOf } from '../texts/index.ts'
import { broadcastScreen } from '../topics/operator/broadcast-screens.ts'
import { operatorMessage } from '../topics/operator/notices.ts'
import { questionMessage } from '../topics/support/notices.ts'
import { ticketTopic } from '../topics/support/forum.ts'
import type { BotsOfAgents } from '../transport/agent-bots.ts'
import { resultOf } from '../transport/delivery-result.ts'
import { messageScreen } from '../topics/users/message-screens.ts'
import { refusalIn } from '../transport/telegram-error.ts'
import { digestMessage } from './digest-message.ts'
import { type Message, noticeButtons } from '../kit/message.ts'
import { newsOf } from './news.ts'
import { ownMessage } from './own-message.ts'
import { type Sender, SentFiles } from './sent-files.ts'

type Question = Extract<OperatorNotice, { kind: 'support_question' }>

interface MessengerOptions {
  readonly agentBots: BotsOfAgents
  /** Of the shop's bot, in which those who run the shop are told. */
  readonly api: Api
  readonly core: Core
  readonly logger: Logger
  readonly permits: Permits
  /** See {@link BotContext.files}. */
  readonly files: string | undefined
}

/** Tells people in their chats what the outbox says. */
export function createMessenger(options: MessengerOptions): Messenger {
  const { agentBots, api, core, logger, permits } = options
  const files = new SentFiles(options)
  const shop: Sender = { botId: 0, api }
  /** The bot that a chat is with. */
  async function senderTo(chatId: number): Promise<Sender> {
    const brand = await agentBots.brandOfChat(chatId)
    return { botId: brand?.botId ?? 0, api: await agentBots.apiOf(chatId) }
  }

  /** Leaves out the buttons that a person's role may not press; in a group, the right is checked at the press. */
  async function forRole(chatId: number, message: Message): Promise<Message> {
    if (chatId < 0) return message
    const operator = await core.people.operatorIn({ chatId, telegramId: chatId })
    return permitted({ mayPress: (data) => permits(operator, data) }, message)
  }

  async function tell(
    chatId: number,
    makeMessage: () => Message | undefined | Promise<Message | undefined>,
    account?: number,
  ): Promise<DeliveryResult> {
    try {
      const message = await makeMessage()
      if (message) await send(await senderTo(chatId), files, chatId, message, { account })
      return { status: message ? 'sent' : 'void' }
    } catch (error) {
      return resultOf(error)
    }
  }

  /** Topics are looked up one after the other: two messages of a ticket at once would make two topics. */
  let topics: Promise<unknown> = Promise.resolve()
  const topicOf = ({ chatId, facts }: Question, ended?: number) => {
    const topic = topics.then(() => ticketTopic(api, core, chatId, facts, ended))
    topics = topic.catch(() => {})
    return topic
  }

  /** In a forum each ticket has a topic of its own; where it cannot be made, the message stands in the general one. */
  async function tellQuestion(notice: Question): Promise<DeliveryResult> {
    const { chatId } = notice
    try {
      const message = await forRole(chatId, questionMessage(core, notice))
      const threadId = await topicOf(notice)
      await send(shop, files, chatId, message, { threadId }).catch(async (error: unknown) => {
        if (threadId === undefined || refusalIn(error) !== 'topic') throw error
        await send(shop, files, chatId, message, { threadId: await topicOf(notice, threadId) })
      })
      return { status: 'sent' }
    } catch (error) {
      return resultOf(error)
    }
  }

  const tellOther = (notice: Exclude<OperatorNotice, Question>) =>
    tell(notice.chatId, async () => {
      const message = await operatorMessage(core, notice)
      return message && forRole(notice.chatId, message)
    })

  return {
    tell: async (notice) => {
      if (notice.kind !== 'broadcast')
        return tell(
          notice.chatId,
          async () => {
            const brand = await agentBots.brandOfChat(notice.chatId)
            return ofAccount(notice, await ownMessage(core, { ...notice, brand }))
          },
          notice.recipient.id,
        )
      try {
        const { chatId } = notice
        const sender = await senderTo(chatId)
        const buttons = noticeButtons(textsOf(notice))
        await sendContent(sender.api, chatId, newsOf(notice), buttons, (id, how) =>
          files.send(sender, chatId, { kind: 'photo', id }, how),
        )
        return { status: 'sent' }
      } catch (error) {
        return resultOf(error)
      }
    },
    tellAboutSubUsers: (digest) =>
      tell(digest.chatId, () => ofAccount(digest, digestMessage(core.currency, digest)), digest.recipient.id),
    tellOperator: async (notice) => {
      const result = await (notice.kind === 'support_question' ? tellQuestion(notice) : tellOther(notice))
      const { chatId: chat, kind } = notice
      if (result.status === 'blocked' || result.status === 'refused')
        logger.warn({ chat, kind, ...result }, 'a chat of the operator could not be told')
      return result
    },
    showProgress: async ({ messageId, broadcast, ...chat }) => {
      const screenOf = broadcast.senderId === null ? broadcastScreen : messageScreen
      await editOnly(api, chat.chatId, messageId, screenOf(textsOf(chat), broadcast, core.now()))
    },
  }
}

/** In a chat with several accounts, a notice begins with the name of the one that it is for (rules 2.25). */
function ofAccount(
  notice: Pick<Notice, 'recipient' | 'amongOthers' | keyof ChatLocale>,
  message: Message,
): Message {
  const { recipient, amongOthers } = notice
  if (!amongOthers) return message
  return { ...message, text: lines(textsOf(notice).accounts.of(recipient.username), message.text) }
}

async function send(
  sender: Sender,
  files: SentFiles,
  chatId: number,
  message: Message,
  { threadId, account }: { readonly threadId?: number | undefined; readonly account?: number | undefined },
): Promise<void> {
  const { api } = sender
  const { buttons, file, sent } = message
  const text = shownText(message)
  const options = {
    ...(threadId !== undefined && { message_thread_id: threadId }),
    parse_mode: 'HTML',
    reply_markup: { inline_keyboard: keyboard(buttons, account) },
  } as const
  const captioned = { caption: text, ...options }
  if (sent && (await files.send(sender, chatId, sent, captioned))) return
  if (file) await api.sendDocument(chatId, new InputFile(file.content, file.name), captioned)
  // The bot that has got it does not work any more.
  else
    await api.sendMessage(chatId, sent ? `${text}\n✖️ ${sent.kind === 'photo' ? '🖼' : '📎'}` : text, options)
}
