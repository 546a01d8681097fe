import { waitForCommitted } from '../database/after-commits.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { isGatewayAtWork } from './gateway-lease.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Age in ms from which a flush is void: the gateway then resumes the credential by itself (rules 12.4). */
export const FLUSH_VOID_MS = 10_000
/** Longest time in ms that an operation waits for the report of the gateway. */
const WAIT_MS = 3_000
/** Interval in ms of looking for commits of other processes. */
const POLL_MS = 250

/**
 * Carries out work after the gateway has reported what a credential used so far, and has suspended it (rules 12.4): before its
 * traffic is taken back, or it is disabled or deleted. Without a gateway at work it begins at once; with one that does not answer,
 * after 3 seconds, and late reports count as rules 6.11 says. The gateway goes on with the credential after the work.
 *
 * @param username undefined: there is nothing to flush
 * @param work begins transactions of its own; must not be called in one
 */
export async function withFlushed<T>(
  deps: Essentials,
  username: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (username === undefined || !(await isGatewayAtWork(deps))) return work()
  const id = await deps.db.write((tx) => requestFlush(deps, tx, username))
  const flush = deps.db.read.$kysely.selectFrom('gatewayFlushes').select('done').where('id', '=', id)
  try {
    await waitForCommitted(deps.db, async () => (await flush.executeTakeFirst())?.done || undefined, {
      waitMs: WAIT_MS,
      pollMs: POLL_MS,
    })
    return await work()
  } finally {
    // Deleting the flush also puts the account, as it is now, into the feed (trigger `gateway_flushes_gone`).
    await deps.db.write((tx) => tx.$kysely.deleteFrom('gatewayFlushes').where('id', '=', id).execute())
  }
}

async function requestFlush(deps: Essentials, tx: Tx, username: string): Promise<number> {
  const now = deps.clock.now()
  // Removes void flushes, left by a process that was killed.
  const before = new Date(now.getTime() - FLUSH_VOID_MS).toISOString()
  await tx.$kysely.deleteFrom('gatewayFlushes').where('createdAt', '<', before).execute()
  const flush = tx.$kysely.insertInto('gatewayFlushes').values({ username, createdAt: now })
  return (await flush.returning('id').executeTakeFirstOrThrow()).id
}

/** Notes flushes that a gateway has completed, in the transaction in which the use was counted. */
export async function completeFlushes(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await setDone(tx, { ids })
}

/** A report for a flush also completes the earlier flushes of the same credential. */
const setDone = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .updateTable('gatewayFlushes')
    .set({ done: true })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('gatewayFlushes as f')
        .innerJoin('gatewayFlushes as earlier', 'earlier.username', 'f.username')
        .select('earlier.id')
        .whereRef('earlier.id', '<=', 'f.id')
        .where('f.id', 'in', listOf(ids)),
    ),
)
