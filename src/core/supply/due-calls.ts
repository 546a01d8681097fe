import { compiled, compiledByShape } from '../database/compiled.ts'
import { isOnTrial } from './breaker.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What the lane of a connection needs to know (rules 11.13). */
export interface LaneState {
  readonly connectionId: number
  readonly name: string
  /** Number of requests that may be under way now; 0 during the pause after faults. */
  readonly slots: number
  /** The operator has paused it: nothing new is sent. */
  readonly paused: boolean
  /** Whether a call is due. */
  readonly callsDue: boolean
  /** Whether its offers are to be read now. */
  readonly syncDue: boolean
}

/** Returns the lanes of all connections. */
export async function supplierLanes({ db, clock }: Essentials): Promise<LaneState[]> {
  const now = clock.now().toISOString()
  const connections = await readLanes(db.read, {})
  return connections.map(({ pausedUntil, faults, concurrency, syncDueAt, nextAt, status, ...lane }) => {
    const isLeftAlone = pausedUntil !== null && pausedUntil > now
    return {
      ...lane,
      paused: status === 'paused',
      callsDue: nextAt !== null && nextAt <= now,
      slots: isLeftAlone ? 0 : isOnTrial({ faults }) ? 1 : concurrency,
      syncDue: !isLeftAlone && syncDueAt <= now,
    }
  })
}

const readLanes = compiled<object>()((db) =>
  db
    .selectFrom('supplierConnections as s')
    .select(['s.id as connectionId', 's.name', 's.concurrency', 's.faults', 's.pausedUntil', 's.syncDueAt'])
    .select('s.status')
    .select(({ selectFrom }) =>
      selectFrom('supplierCalls as c')
        .select(({ fn }) => fn.min('c.nextAt').as('first'))
        .whereRef('c.connectionId', '=', 's.id')
        .where('c.nextAt', 'is not', null)
        .$asScalar()
        .as('nextAt'),
    )
    .orderBy('s.id'),
)

/** A call that is to be sent or looked up now. */
export interface DueCall {
  readonly id: number
  readonly callNo: string
}

interface DueOf {
  readonly connectionId: number
  /** Whether the operator has paused the connection. */
  readonly paused?: boolean
  readonly limit: number
}

/**
 * Returns the calls of a connection that are due, the oldest first, releases after all others. While the operator has paused the
 * connection, nothing new is sent, but what was sent is looked up.
 */
export async function dueCalls(
  { db, clock }: Essentials,
  { connectionId, paused = false, limit }: DueOf,
): Promise<DueCall[]> {
  const values = { connectionId, now: clock.now().toISOString(), limit }
  const first = await findDue(db.read, { releases: false, paused }, values)
  if (first.length >= limit) return first
  const releases = await findDue(
    db.read,
    { releases: true, paused },
    { ...values, limit: limit - first.length },
  )
  return [...first, ...releases]
}

const findDue = compiledByShape<
  { releases: boolean; paused: boolean },
  { connectionId: number; now: string; limit: number }
>()((db, { releases, paused }, { connectionId, now, limit }) => {
  const due = db
    .selectFrom('supplierCalls')
    .select(['id', 'callNo'])
    .where('connectionId', '=', connectionId)
    .where('nextAt', 'is not', null)
    .where('nextAt', '<=', now)
    .where('kind', releases ? '=' : '<>', 'release')
    .orderBy('nextAt')
    .limit(limit)
  return paused ? due.where('state', '<>', 'intended') : due
})

/**
 * Makes calls that may have been sent before the start due at once, so that they are looked up first. To be called before the lanes
 * start.
 */
export async function takeOverCalls({ db, clock }: Essentials): Promise<void> {
  await db.write((tx) => makeSentDue(tx, { now: clock.now().toISOString() }))
}

const makeSentDue = compiled<{ now: string }>()((db, { now }) =>
  db
    .updateTable('supplierCalls')
    .set({ nextAt: now })
    .where('nextAt', '>', now)
    .where('state', '=', 'sent')
    .where('absentSince', 'is', null),
)
