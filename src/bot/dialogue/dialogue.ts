import { type Context, InputFile } from 'grammy'
import type { Content } from '../../core/notices/content.ts'
import type { ChatLocale } from '../../core/chat-locale.ts'
import { sendContent } from '../kit/content.ts'
import { type Screen } from '../kit/screen.ts'
import { sentFile } from '../kit/sent-file.ts'
import type { BotConversation } from '../session/context.ts'
import { begunBy, shownAs } from '../session/screen-memory.ts'
import { remove, show } from '../session/show.ts'
import { html, lines } from '../texts/html.ts'
import type { Texts } from '../texts/index.ts'
import { isTelegramError } from '../transport/telegram-error.ts'
import { fileOf } from './download.ts'
import { pressedAnswer } from './prompt.ts'
import type { SentFile } from '../../core/facts/support-message.ts'

/** What every dialogue begins with; JSON, because it is stored. */
export interface DialogueStart extends ChatLocale {
  /** The chat's live screen: it shows the first question already. */
  readonly screen: number
  /** The account that is asked; missing where nobody need be logged in, and in dialogues of an older version. */
  readonly account?: number | undefined
}

/** What can be an answer, beside a text. */
interface AlsoTakes {
  /** The buttons of this turn, see {@link pressedAnswer}. */
  readonly turn?: string
  /** A text file. */
  readonly file?: boolean
  /** A picture or any file, which Telegram keeps; its caption is the text. */
  readonly media?: boolean
}

/** A text, trimmed and not empty; what a pressed button stands for; or the path under which a file can be downloaded. */
export type Answer =
  | { readonly text: string; readonly sent?: SentFile }
  | { readonly choice: string }
  | { readonly file: string }

/** Something for the chat to keep, beside the screen: a text file, or a message as others will see it. */
export type Attachment = {
  /** What the screen says when it could not be sent. */
  readonly lost: string
} & ({ readonly name: string; readonly content: string } | { readonly content: Content })

const SEND_ATTEMPTS = 3

/** A dialogue that runs in a chat; keeps track of the live screen. */
export class Dialogue {
  readonly #conversation: BotConversation
  readonly #ctx: Context
  readonly #chatId: number
  readonly #texts: Texts
  #live: number
  #account: number | undefined

  constructor(conversation: BotConversation, ctx: Context, texts: Texts, start: DialogueStart) {
    this.#conversation = conversation
    this.#ctx = ctx
    this.#chatId = ctx.chatId ?? 0
    this.#texts = texts
    this.#live = start.screen
    this.#account = start.account
  }

  async show(screen: Screen): Promise<void> {
    this.#live = await show(this.#ctx.api, this.#chatId, screen, this.#live, this.#account)
  }

  /** Waits for a text message; see {@link answer}. */
  async answerTo(question: Screen): Promise<string> {
    const answer = await this.answer(question)
    return 'text' in answer ? answer.text : ''
  }

  /**
   * Waits for an answer. A message is removed from the chat at once: it may hold a password, and the screen stays the last
   * message.
   *
   * @param question the screen that asks, shown again with a hint when something else comes
   */
  async answer(question: Screen, { turn, file = false, media = false }: AlsoTakes = {}): Promise<Answer> {
    for (;;) {
      const { api, message, callbackQuery } = await this.#conversation.waitFor([
        'message',
        'callback_query:data',
      ])
      if (callbackQuery) {
        const choice = turn === undefined ? undefined : pressedAnswer(callbackQuery.data ?? '', turn)
        if (choice !== undefined) return { choice }
        continue
      }
      // In a group, where people also talk with each other, only a reply to the screen is an answer.
      if (message && message.chat.type !== 'private' && message.reply_to_message?.message_id !== this.#live)
        continue
      const taken = file && message?.document ? await fileOf(api, message.document) : undefined
      if (message) await remove(api, this.#chatId, message.message_id)
      if (taken && 'file' in taken) return taken
      const sent = media && message ? sentFile(message, this.#ctx.me.id) : undefined
      if (sent) return { text: message?.caption?.trim() ?? '', sent }
      const text = message?.text?.trim()
      if (text) return { text }
      const { input, textOnly } = this.#texts
      const hint = taken
        ? input.files[taken.problem]
        : file
          ? input.textOrFile
          : media
            ? input.textOrMedia
            : textOnly
      await this.show({ ...question, text: lines(question.text, '', html`⚠️ ${hint}`) })
    }
  }

  /**
   * Ends the dialogue with its last screen, and stores which message holds it, for the features.
   *
   * @param attachment is sent above the screen
   */
  async end(screen: Screen, attachment?: Attachment): Promise<void> {
    // The dialogue may have been a log-in.
    this.#account = await this.#conversation.external(({ session }) => session.actor?.id)
    if (!attachment) await this.show(screen)
    else if (await this.#send(attachment)) await this.#showBelow(screen)
    else await this.show({ ...screen, text: lines(screen.text, '', html`⚠️ ${attachment.lost}`) })
    const { screenMessage, follows } = shownAs(this.#live, screen)
    await this.#conversation.external(async (outer) => {
      await outer.core.chats.setScreen(this.#chatId, screenMessage, { follows })
      outer.answered = true
      outer.begins = begunBy(screen)
    })
    await this.#conversation.halt({ next: true })
  }

  /** Sends the attachment, with retries: it cannot be sent again later, so twice is better than not at all. */
  async #send(attachment: Attachment): Promise<boolean> {
    const { api } = this.#ctx
    for (let attempt = 1; attempt <= SEND_ATTEMPTS; attempt += 1) {
      try {
        if ('name' in attachment) {
          const file = new InputFile(Buffer.from(attachment.content), attachment.name)
          await api.sendDocument(this.#chatId, file)
        } else await sendContent(api, this.#chatId, attachment.content)
        return true
      } catch (error) {
        if (!isTelegramError(error)) throw error
      }
    }
    return false
  }

  async #showBelow(screen: Screen): Promise<void> {
    const { api } = this.#ctx
    const above = this.#live
    this.#live = await show(api, this.#chatId, screen, null, this.#account)
    await remove(api, this.#chatId, above)
  }
}
