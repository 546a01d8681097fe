import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import type { Bytes } from '../bytes.ts'
import { trafficNotAvailable } from './sub-account.ts'
import { bytesLeft } from './traffic-left.ts'

interface TrafficMove {
  readonly subAccountId: number
  /** Bytes moved to the sub-account; negative: back to the main account. */
  readonly bytes: Bytes
  readonly remark: string
  /** Unique among all moves. */
  readonly requestKey?: string | null
}

/**
 * Moves traffic between a main account and its sub-account in the open transaction. This is the only place that changes both
 * sides; each update checks that its side has enough, and when one fails, neither is kept.
 *
 * @throws traffic_not_available when the side that gives has less
 */
export async function moveTraffic(
  tx: Tx,
  now: Date,
  actor: Actor,
  { subAccountId, bytes, remark, requestKey = null }: TrafficMove,
): Promise<void> {
  // The side that gives is changed first: what it has limits what the other side can get.
  const sides = [changeMain, changeSubAccount] as const
  for (const change of bytes > 0 ? sides : sides.toReversed()) {
    const changed = await change(tx, { now, subAccountId, bytes })
    if (changed.length === 1) continue
    const { main, sub } = await leftOf(tx, subAccountId)
    throw trafficNotAvailable(Math.abs(bytes), bytes > 0 ? main : sub)
  }
  await insertMove(tx, { subAccountId, bytes, operatorId: actor.id, remark, requestKey, createdAt: now })
}

const insertMove = compiledInsert('trafficMoves')

interface Change {
  readonly now: Date
  readonly subAccountId: number
  readonly bytes: Bytes
}

const changeMain = compiled<Change>()((db, { now, subAccountId, bytes }) =>
  db
    .updateTable('traffic')
    .set(({ eb }) => ({ allocatedBytes: eb('allocatedBytes', '+', bytes), updatedAt: now }))
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('subAccounts').select('trafficId').where('id', '=', subAccountId),
    )
    .where(({ eb, ref }) =>
      eb(eb(eb('usedBytes', '+', ref('allocatedBytes')), '+', bytes), '<=', ref('totalBytes')),
    )
    .returning('id'),
)

const changeSubAccount = compiled<Change>()((db, { now, subAccountId, bytes }) =>
  db
    .updateTable('subAccounts')
    .set(({ eb }) => ({ limitBytes: eb('limitBytes', '+', bytes), updatedAt: now }))
    .where('id', '=', subAccountId)
    .where('status', '<>', 'deleted')
    .where(({ eb, ref }) => eb(eb('limitBytes', '+', bytes), '>=', ref('usedBytes')))
    .returning('id'),
)

/** Returns what each side has left, for the refusal. */
async function leftOf(tx: Tx, subAccountId: number): Promise<{ main: Bytes; sub: Bytes }> {
  const left = await tx.$kysely
    .selectFrom('subAccounts as s')
    .innerJoin('traffic as t', 't.id', 's.trafficId')
    .select(bytesLeft().as('main'))
    .select(({ eb, ref }) => eb('s.limitBytes', '-', ref('s.usedBytes')).as('sub'))
    .where('s.id', '=', subAccountId)
    .executeTakeFirst()
  return left ?? { main: 0, sub: 0 }
}
