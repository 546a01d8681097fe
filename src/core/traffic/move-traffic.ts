import type { Actor } from '../access.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import type { Bytes } from './bytes.ts'
import { trafficNotAvailable } from './sub-account.ts'
import { bytesLeft } from './traffic-left.ts'

interface TrafficMove {
  readonly subAccountId: number
  /** Positive: to the sub-account; negative: back. */
  readonly bytes: Bytes
  readonly remark: string
  /** No two moves have the same. */
  readonly requestKey?: string | null
}

/**
 * Moves traffic between a main account and its sub-account in the open transaction. The only place that does: both sides change
 * under the condition that they can, or not at all.
 *
 * @throws traffic_not_available when whoever gives has less
 */
export async function moveTraffic(
  tx: Tx,
  now: Date,
  actor: Actor,
  { subAccountId, bytes, remark, requestKey = null }: TrafficMove,
): Promise<void> {
  // The giver first: what it has bounds what the other side can come to.
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

/** What either side has left; read after one of them could not give. */
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
