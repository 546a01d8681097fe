import { SupplierFault } from './driver.ts'

/** Time limits in ms for one answer of a supplier, and for a catalogue, which may take several requests. */
export const ANSWER_MS = { request: 20_000, catalogue: 120_000 } as const

/**
 * Returns the answer of a driver; stops waiting when the signal aborts. No answer in time and whatever the driver throws become faults.
 *
 * @throws SupplierFault `not_sent` when the signal was aborted before the call
 */
export async function answerInTime<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  if (signal.aborted) throw new SupplierFault('not_sent', 'the service stops')
  let end: () => void = () => {}
  const tooLate = new Promise<never>((_, reject) => {
    end = () => reject(new SupplierFault('unknown', 'the supplier did not answer in time'))
    signal.addEventListener('abort', end)
  })
  try {
    return await Promise.race([ask(), tooLate])
  } catch (error) {
    if (error instanceof SupplierFault) throw error
    // Only the name: the message of the error may quote secrets.
    const name = error instanceof Error ? error.name : 'unknown'
    throw new SupplierFault('unknown', `the driver failed: ${name}`, { cause: error })
  } finally {
    signal.removeEventListener('abort', end)
  }
}
