import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'

/** Faults in a row after which a connection is left alone. */
const FAULTS = 5
const PAUSE_MS = { first: 30_000, largest: 10 * 60_000 }

/**
 * Counts a request that failed without an answer; after five in a row nothing is sent for 30 seconds, then for twice as long with
 * each further fault, up to 10 minutes (rules 11.13). Faults of requests that were under way when the pause began are not counted.
 *
 * @param reason for the operator; must hold no secrets
 */
export async function noteFault(tx: Tx, now: Date, connectionId: number, reason: string): Promise<void> {
  const [connection] = await countFault(tx, {
    connectionId,
    now: now.toISOString(),
    reason: reason.slice(0, 500),
  })
  if (!connection || connection.faults < FAULTS) return
  const pause = Math.min(PAUSE_MS.first * 2 ** (connection.faults - FAULTS), PAUSE_MS.largest)
  await pauseConnection(tx, { connectionId, until: new Date(now.getTime() + pause) })
}

const countFault = compiled<{ connectionId: number; now: string; reason: string }>()(
  (db, { connectionId, now, reason }) =>
    db
      .updateTable('supplierConnections')
      .set(({ eb }) => ({ faults: eb('faults', '+', 1), lastError: reason }))
      .where('id', '=', connectionId)
      .where(({ eb, or }) => or([eb('pausedUntil', 'is', null), eb('pausedUntil', '<=', now)]))
      .returning('faults'),
)

const pauseConnection = compiled<{ connectionId: number; until: Date }>()((db, { connectionId, until }) =>
  db.updateTable('supplierConnections').set({ pausedUntil: until }).where('id', '=', connectionId),
)

/** Ends the count of faults and a pause: the supplier has answered. */
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

/** Whether a connection that had so many faults is tried with one request at a time until it answers. */
export function isOnTrial({ faults }: { readonly faults: number }): boolean {
  return faults >= FAULTS
}
