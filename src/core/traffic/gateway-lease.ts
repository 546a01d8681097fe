import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Time in ms without a call after which a gateway may be replaced (rules 12.1). */
const LEASE_MS = 15_000
/** Age in ms from which a noted call is noted again while the gateway waits for an answer. */
const NOTED_MS = 5_000

/**
 * Notes the call of a gateway in the open transaction. One gateway works at a time, because quotas are exact (rules 12.1).
 *
 * @returns number and digest of the last batch of this gateway that was counted
 * @throws gateway_taken while another one works (data: retry_after)
 */
export async function noteCall(
  deps: Essentials,
  tx: Tx,
  gatewayId: string,
): Promise<{ readonly sequence: number; readonly lastBatch: string | null }> {
  const now = deps.clock.now()
  const [other] = await findOther(tx, { gatewayId, ...leaseAt(now) })
  if (other) throw taken(now, other.calledAt)
  const [noted] = await upsertCall(tx, { gatewayId, now })
  return noted ?? { sequence: 0, lastBatch: null }
}

/**
 * {@link noteCall} for a call that only reads: nothing is written while the last note is fresh.
 *
 * @param options.waiting the call was noted before and waits for its answer: it does not renew the lease of a gateway that has
 *   meanwhile said that it stops
 * @throws gateway_taken
 */
export async function noteReading(
  deps: Essentials,
  gatewayId: string,
  { waiting }: { readonly waiting: boolean },
): Promise<void> {
  const now = deps.clock.now()
  const [other] = await findOther(deps.db.read, { gatewayId, ...leaseAt(now) })
  if (other) throw taken(now, other.calledAt)
  const [noted] = await findCall(deps.db.read, { gatewayId })
  const age = now.getTime() - Date.parse(noted?.calledAt ?? '')
  const isFresh = noted?.ended === false && age >= 0 && age < NOTED_MS
  if (isFresh || (waiting && noted?.ended)) return
  await deps.db.write((tx) => noteCall(deps, tx, gatewayId))
}

/** Tells whether a gateway works: it holds the lease, and has not said that it stops. */
export async function isGatewayAtWork(deps: Essentials): Promise<boolean> {
  const found = await findOther(deps.db.read, { gatewayId: '', ...leaseAt(deps.clock.now()) })
  return found.length > 0
}

interface Lease {
  readonly since: string
  readonly until: string
}

/** Returns the range of call times that hold the lease; a call from beyond it was noted before the clock was set back. */
function leaseAt(now: Date): Lease {
  return {
    since: new Date(now.getTime() - LEASE_MS).toISOString(),
    until: new Date(now.getTime() + LEASE_MS).toISOString(),
  }
}

function taken(now: Date, calledAt: string): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((Date.parse(calledAt) + LEASE_MS - now.getTime()) / 1000))
  return new ServiceError('gateway_taken', { data: { retry_after: retryAfter }, retryAfter })
}

const findOther = compiled<Lease & { gatewayId: string }>()((db, { gatewayId, since, until }) =>
  db
    .selectFrom('gateways')
    .select('calledAt')
    .where('gatewayId', '<>', gatewayId)
    .where('calledAt', '>', since)
    .where('calledAt', '<', until)
    .where('ended', '=', false)
    .orderBy('calledAt', 'desc')
    .limit(1),
)

const findCall = compiled<{ gatewayId: string }>()((db, { gatewayId }) =>
  db.selectFrom('gateways').select(['calledAt', 'ended']).where('gatewayId', '=', gatewayId),
)

const upsertCall = compiled<{ gatewayId: string; now: Date }>()((db, { gatewayId, now }) =>
  db
    .insertInto('gateways')
    .values({ gatewayId, calledAt: now, createdAt: now })
    .onConflict((known) => known.column('gatewayId').doUpdateSet({ calledAt: now, ended: false }))
    .returning(['sequence', 'lastBatch']),
)
