import type { Middleware } from 'grammy'
import type { Logger } from 'pino'
import type { Core } from '../../core/core.ts'
import { ServiceError } from '../../core/errors.ts'
import { randomText } from '../../core/ids.ts'
import { errorText } from '../kit/errors.ts'
import { messageScreen } from '../kit/simple-screens.ts'
import { html } from '../texts/html.ts'
import { languageOf, LOCALES } from '../texts/index.ts'
import { toLoggable, isTelegramError, refusalIn } from '../transport/telegram-error.ts'
import { TimeoutError, withTimeout } from '../transport/with-timeout.ts'
import type { BotContext } from './context.ts'

interface SurviveErrorsOptions {
  readonly core: Core
  readonly logger: Logger
  /** Milliseconds after which an update counts as hung, and the chat goes on. */
  readonly patience: number
  /** Aborted by the stop of the bot. */
  readonly closing: AbortSignal
}

/**
 * Ends the handling of an update that has failed, hangs or was refused by Telegram: logs it, leaves the dialogue and tells the
 * person. The chat goes on with the next update. An update that the stop of the bot interrupts is delivered again after the start.
 */
export function surviveErrors({
  core,
  logger,
  patience,
  closing,
}: SurviveErrorsOptions): Middleware<BotContext> {
  return async (ctx, next) => {
    const work = next()
    try {
      await withTimeout(work, patience)
    } catch (error) {
      const { chatId } = ctx
      if (chatId === undefined || closing.aborted) throw error
      const reference = randomText(8)
      const log = (fault: unknown, text: string) => {
        const expected = fault instanceof ServiceError || isTelegramError(fault)
        logger[expected ? 'warn' : 'error']({ err: toLoggable(fault), reference, chat: chatId }, text)
      }
      log(error, 'an update failed')
      if (error instanceof TimeoutError)
        void work.catch((late: unknown) => log(late, 'an update that was given up failed'))
      if (refusalIn(error) === 'chat') await core.chats.setBlocked(chatId, true)
      else
        await showError(ctx, error, reference).catch((fault: unknown) => log(fault, 'nobody was told of it'))
      // Exit the hung conversation: the next message would hang in it again.
      await core.chats.deleteDialogue({ chatId, updateId: ctx.update.update_id })
    }
  }
}

/** @throws when the person cannot be told: Telegram may be the cause of the error */
async function showError(ctx: BotContext, error: unknown, reference: string): Promise<void> {
  // Without a session the language is the one that Telegram states, and there is no live screen.
  const texts = ctx.texts ?? LOCALES[languageOf(ctx.from?.language_code)]
  const text =
    error instanceof ServiceError
      ? html`⚠️ ${errorText(texts, error.code)}`
      : error instanceof TimeoutError
        ? texts.trouble.tookTooLong
        : texts.trouble.crashed(reference)
  await (ctx.session ? ctx.show(messageScreen(texts, text)) : ctx.reply(text, { parse_mode: 'HTML' }))
}
