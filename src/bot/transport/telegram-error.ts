import { BotError, GrammyError, HttpError } from 'grammy'

/** Telegram refuses every message to this chat: the person is gone, or has blocked or removed the bot. */
const UNREACHABLE =
  /chat not found|user is deactivated|bot was blocked|can't initiate conversation|bot was kicked|bot is not a member/

/** Whether a chat cannot be written to any more. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof GrammyError && (error.error_code === 403 || UNREACHABLE.test(error.description))
}

/** Whether Telegram cannot be reached, is out of order or asks for a pause: the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof HttpError ||
    (error instanceof GrammyError && (error.error_code === 429 || error.error_code >= 500))
  )
}

/** Whether an error comes from Telegram or the network, and not from the code. */
export function isTelegramError(error: unknown): boolean {
  return error instanceof GrammyError || error instanceof HttpError
}

/** What a log may show of an error: neither payloads (what people typed) nor addresses (which hold the token). */
export function toLoggable(error: unknown): unknown {
  if (error instanceof BotError) return toLoggable(error.error)
  if (error instanceof GrammyError) return { method: error.method, description: error.description }
  if (error instanceof HttpError)
    return { message: 'Telegram could not be reached', code: codeOf(error.error) }
  return error
}

/** Such as ENOTFOUND or ECONNREFUSED. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

const PAUSE_MS = { first: 500, largest: 15_000 }

/**
 * Pause before the next attempt, in milliseconds: what Telegram asks for, else longer with each failure.
 *
 * @param failures in a row, this one included
 */
export function pauseAfter(error: unknown, failures: number): number {
  const asked = error instanceof GrammyError ? error.parameters.retry_after : undefined
  return asked === undefined ? Math.min(PAUSE_MS.first * 2 ** (failures - 1), PAUSE_MS.largest) : asked * 1000
}
