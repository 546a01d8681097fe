import { compiled } from '../database/compiled.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { RetryLater } from '../jobs/job-queue.ts'
import { BLOCK_MS, SOLID_MS } from './top-up-terms.ts'

/** Interval in ms at which a screen updates the number of confirmations: every three blocks. */
const STEP_MS = 3 * BLOCK_MS

/**
 * Tells when a screen has to show more confirmations of a top-up; after the last one the receipt is awaited.
 *
 * @param orderNo may be that of something else, which is not being confirmed
 * @returns undefined when their number grows no more
 */
export async function retryWhileConfirming(
  { db, clock }: Essentials,
  orderNo: string,
): Promise<RetryLater | undefined> {
  const since = new Date(clock.now().getTime() - SOLID_MS).toISOString()
  const confirming = await findConfirming(db.read, { orderNo, since })
  if (confirming.length === 0) return undefined
  return { retryAfterMs: STEP_MS, reason: 'the payment is being confirmed', waiting: true }
}

const findConfirming = compiled<{ orderNo: string; since: string }>()((db, { orderNo, since }) =>
  db
    .selectFrom('topUps as t')
    .innerJoin('chainCandidates as c', 'c.txid', 't.seenTxid')
    .select('t.id')
    .where('t.orderNo', '=', orderNo)
    .where('t.status', '=', 'confirming')
    .where('c.blockTime', '>', since),
)
