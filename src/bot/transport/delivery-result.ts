import { GrammyError, HttpError } from 'grammy'
import { ServiceError } from '../../core/errors.ts'
import type { DeliveryResult } from '../../core/notices/messenger.ts'
import { isOutage, isUnreachable } from './telegram-error.ts'

/**
 * What became of something that was to be shown to a person.
 *
 * @throws what is a bug
 */
export function resultOf(error: unknown): DeliveryResult {
  // The recipient may not see the order any more.
  if (error instanceof ServiceError && error.code === 'order_not_found') return { status: 'void' }
  if (isUnreachable(error)) return { status: 'blocked' }
  const waiting = isOutage(error)
  if (error instanceof GrammyError) {
    const seconds = error.parameters.retry_after
    return {
      status: 'later',
      reason: error.description,
      waiting,
      ...(seconds === undefined ? {} : { retryAfterMs: seconds * 1000 }),
    }
  }
  // An HttpError's own text holds the address, and with it the bot token.
  if (error instanceof HttpError) return { status: 'later', reason: 'Telegram could not be reached', waiting }
  throw error
}
