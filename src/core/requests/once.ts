import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { every } from '../jobs/every.ts'
import { refuseNumberOfOtherKind } from './application-number.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** One day more than the 30 days that the API documents promise (rules 4.4). */
const KEPT_MS = 31 * 24 * 60 * 60_000
const SWEEP_MS = 60 * 60_000
/** Rows deleted in one transaction; small, so that other writes are not delayed. */
const BATCH = 500

interface KeyedRequest {
  /** The account's own name for this request, the header `Idempotency-Key`; without one, nothing is stored. */
  readonly key: string | null | undefined
  /** The operation and its input: the same key with another operation or input is a conflict. */
  readonly kind: string
  readonly input: unknown
}

/**
 * Runs `work` in one write-lane transaction, and only once for each key of an account (rules 4.4). The key is stored in the
 * transaction of the effect, so that a kill at any moment leaves both or neither. Concurrent requests with the same key wait for
 * each other in the lane.
 *
 * @param work its result must survive JSON; it is stored encrypted, as it may hold passwords
 * @returns the result; that of the first request, with `replayed`, when the same request comes again
 * @throws idempotency_conflict when the key was used for another request, and what `work` throws: refusals are not stored
 */
export function once<Result extends object>(
  deps: Essentials,
  actor: Actor,
  { key, kind, input }: KeyedRequest,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result & { readonly replayed: boolean }> {
  return deps.db.write(async (tx) => {
    if (!key) return { ...(await work(tx)), replayed: false }
    const owner = `${actor.id} ${key}`
    const requestHash = deps.answers.digest(JSON.stringify([kind, input]))
    const [first] = await findKey(tx, { callerId: actor.id, key })
    if (first) {
      const answer = first.requestHash === requestHash ? deps.answers.open(first.answer, owner) : undefined
      if (answer === undefined)
        throw new ServiceError('idempotency_conflict', { data: { idempotency_key: key } })
      return { ...(answer as Result), replayed: true }
    }
    await refuseNumberOfOtherKind(tx, actor, key, 'requestKeys')
    const result = await work(tx)
    const answer = deps.answers.seal(result, owner)
    await insertKey(tx, { callerId: actor.id, key, requestHash, answer, createdAt: deps.clock.now() })
    return { ...result, replayed: false }
  })
}

const findKey = compiled<{ callerId: number; key: string }>()((db, { callerId, key }) =>
  db
    .selectFrom('requestKeys')
    .select(['requestHash', 'answer'])
    .where('callerId', '=', callerId)
    .where('key', '=', key),
)

const insertKey = compiledInsert('requestKeys')

/** Sweep of the job loop: deletes old keys. */
export function requestKeySweep(deps: Essentials): () => Promise<void> {
  return every(SWEEP_MS, deps.clock, async () => {
    const before = new Date(deps.clock.now().getTime() - KEPT_MS).toISOString()
    for (;;) {
      const deleted = await deps.db.write((tx) => deleteKeys(tx, { before }))
      if (deleted.length < BATCH) return
    }
  })
}

const deleteKeys = compiled<{ before: string }>()((db, { before }) =>
  db
    .deleteFrom('requestKeys')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('requestKeys').select('id').where('createdAt', '<', before).limit(BATCH),
    )
    .returning('id'),
)
