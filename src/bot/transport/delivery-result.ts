import { GrammyError, HttpError } from 'grammy'
import { ServiceError } from '../../core/errors.ts'
import type { DeliveryResult } from '../../core/notices/messenger.ts'
import { BotStands } from './agent-bots.ts'
import { refusalIn } from './telegram-error.ts'

/**
 * What became of something that was to be shown to a person (rules 18.10).
 *
 * @throws the error itself when it is a bug
 */
export function resultOf(error: unknown): DeliveryResult {
  if (error instanceof BotStands) return { status: 'held' }
  // The recipient may not see the order any more.
  if (error instanceof ServiceError && error.code === 'order_not_found') return { status: 'void' }
  // An HttpError's own text holds the address, and with it the bot token.
  if (error instanceof HttpError)
    return { status: 'later', reason: 'Telegram could not be reached', waiting: true }
  if (!(error instanceof GrammyError)) throw error
  const { description: reason, parameters } = error
  switch (refusalIn(error)) {
    case 'busy':
    case 'token': {
      const { retry_after: seconds } = parameters
      const pause = seconds === undefined ? {} : { retryAfterMs: seconds * 1000 }
      return { status: 'later', reason, waiting: true, ...pause }
    }
    // In a forum, the general topic can be closed, too.
    case 'topic':
    case 'chat':
      return { status: 'blocked' }
    default:
      return { status: 'refused', reason }
  }
}
