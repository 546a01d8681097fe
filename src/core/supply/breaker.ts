import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'

/** Number of faults in a row after which nothing is sent for a while. */
const FAULTS = 5
const PAUSE_MS = { first: 30_000, largest: 10 * 60_000 }

/**
 * Counts a request that failed without an answer; after five in a row nothing is sent for 30 seconds, then for twice as long with
 * each further fault, up to 10 minutes (rules 11.13). Faults of requests that were under way when the pause began are not counted.
 *
 * @param reason for the operator; must hold no secrets
 */
export async function noteFault(tx: Tx, now: Date, connectionId: number, reason: string): Promise<void> {
  const connection = await tx.$kysely
    .updateTable('supplierConnections')
    .set(({ eb }) => ({ faults: eb('faults', '+', 1), lastError: reason.slice(0, 500) }))
    .where('id', '=', connectionId)
    .where(({ eb, or }) => or([eb('pausedUntil', 'is', null), eb('pausedUntil', '<=', now.toISOString())]))
    .returning('faults')
    .executeTakeFirst()
  if (!connection || connection.faults < FAULTS) return
  const pause = Math.min(PAUSE_MS.first * 2 ** (connection.faults - FAULTS), PAUSE_MS.largest)
  const pausedUntil = new Date(now.getTime() + pause)
  await tx.$kysely
    .updateTable('supplierConnections')
    .set({ pausedUntil })
    .where('id', '=', connectionId)
    .execute()
}

/** Resets the count of faults and the pause: the supplier has answered. */
export async function noteAnswer(tx: Tx, connectionId: number): Promise<void> {
  await resetFaults(tx, { connectionId })
}

const resetFaults = compiled<{ connectionId: number }>()((db, { connectionId }) =>
  db
    .updateTable('supplierConnections')
    .set({ faults: 0, pausedUntil: null, lastError: null })
    .where('id', '=', connectionId)
    .where('faults', '>', 0),
)

/** Whether the connection had so many faults that only one request at a time is tried until it answers. */
export function isOnTrial({ faults }: { readonly faults: number }): boolean {
  return faults >= FAULTS
}
