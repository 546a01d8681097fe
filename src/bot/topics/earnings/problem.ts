import { ServiceError } from '../../../core/errors.ts'
import { refusalText } from '../../kit/errors.ts'
import type { BotContext } from '../../session/context.ts'
import type { Outcome } from '../../dialogue/ask.ts'

/** Turns a refusal of the core into a problem with the answer, worded for earnings instead of the balance. */
export async function withEarningsWords(
  { texts, core }: BotContext,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { earnings } = texts
    if (error.code === 'unavailable' && error.data?.['reason'] === 'books_in_doubt')
      return { problem: earnings.booksInDoubt }
    return { problem: refusalText(texts, error, core.currency, earnings.short) }
  }
}
