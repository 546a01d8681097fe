import { compiled } from '../database/compiled.ts'
import type { RetryLater } from '../jobs/job-queue.ts'
import type { TopUpDeps } from './deps.ts'
import { networkOf } from './transfer-names.ts'

/** Blocks after which a screen updates the number of confirmations. */
const STEP = 3

/**
 * Tells when a screen has to show more confirmations of a top-up; after the last one the receipt is awaited.
 *
 * @param orderNo may be that of something else, which is not being confirmed
 * @returns undefined when their number grows no more
 */
export async function retryWhileConfirming(
  { db, clock, networks }: Pick<TopUpDeps, 'db' | 'clock' | 'networks'>,
  orderNo: string,
): Promise<RetryLater | undefined> {
  const [confirming] = await findConfirming(db.read, { orderNo })
  if (!confirming) return undefined
  const { blockMs, finalMs } = networkOf(networks, confirming.network)
  if (clock.now().getTime() - Date.parse(confirming.blockTime) >= finalMs) return undefined
  return { retryAfterMs: STEP * blockMs, reason: 'the payment is being confirmed', waiting: true }
}

const findConfirming = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('topUps as t')
    .innerJoin('listedTransactions as c', (on) =>
      on.onRef('c.txid', '=', 't.seenTxid').onRef('c.network', '=', 't.network'),
    )
    .select(['t.network', 'c.blockTime'])
    .where('t.orderNo', '=', orderNo)
    .where('t.status', '=', 'confirming'),
)
