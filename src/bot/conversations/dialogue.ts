import type { Context } from 'grammy'
import type { BotConversation } from '../context.ts'
import { html, lines } from '../html.ts'
import type { Texts } from '../locales/index.ts'
import type { Screen } from '../screen.ts'
import { remove, show } from '../show.ts'

/** What every dialogue begins with; JSON, because it is stored. */
export interface DialogueStart {
  readonly language: 'en' | 'zh'
  /** The chat's live screen: it shows the first question already. */
  readonly screen: number
}

/** Inside a dialogue: the chat is known, the live screen is followed. */
export class Dialogue {
  readonly #conversation: BotConversation
  readonly #ctx: Context
  readonly #chatId: number
  readonly #texts: Texts
  #live: number

  constructor(conversation: BotConversation, ctx: Context, texts: Texts, start: DialogueStart) {
    this.#conversation = conversation
    this.#ctx = ctx
    this.#chatId = ctx.chatId ?? 0
    this.#texts = texts
    this.#live = start.screen
  }

  async show(screen: Screen): Promise<void> {
    this.#live = await show(this.#ctx.api, this.#chatId, screen, this.#live)
  }

  /**
   * Waits for a text message and removes it from the chat at once: it may be a password, and the screen stays the last message.
   *
   * @param question the screen that asks, shown again with a hint when something else than text comes
   */
  async answerTo(question: Screen): Promise<string> {
    for (;;) {
      const { api, message } = await this.#conversation.waitFor('message')
      await remove(api, this.#chatId, message.message_id)
      const text = message.text?.trim()
      if (text) return text
      await this.show({ ...question, text: lines(question.text, '', html`⚠️ ${this.#texts.textOnly}`) })
    }
  }

  /** The last screen of the dialogue; from here on the features know which message it is. */
  async end(screen: Screen): Promise<void> {
    await this.show(screen)
    const live = this.#live
    await this.#conversation.external((outer) =>
      outer.core.chats.setScreen(this.#chatId, live, screen.follows),
    )
  }
}
