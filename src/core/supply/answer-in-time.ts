import { SupplierFault } from './driver.ts'

/** How long a supplier may take for an answer, and for a catalogue, which may take several requests. */
export const ANSWER_MS = { request: 20_000, catalogue: 120_000 } as const

/**
 * An answer of a driver, which is not waited for after the signal. Whatever a driver throws, and silence, is a fault.
 *
 * @throws SupplierFault `not_sent` when the signal has ended before
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
    // Its message may quote anything.
    const name = error instanceof Error ? error.name : 'unknown'
    throw new SupplierFault('unknown', `the driver failed: ${name}`, { cause: error })
  } finally {
    signal.removeEventListener('abort', end)
  }
}
