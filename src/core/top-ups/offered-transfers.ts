import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Queryable } from '../database/queries.ts'
import { literal, shifted } from '../database/dialect.ts'
import { MAX_DIFFERENCE } from './near-top-ups.ts'
import { type Held, Time, UsdtText } from '../record.ts'
import { SKEW_MS } from './top-up-terms.ts'

/** Fields shown of a transfer that paid no top-up by itself, as it is offered to whoever may have sent it (rules 8.14). */
export const OFFERED_TRANSFER = {
  txid: z.string().meta({ description: 'Id of its transaction' }),
  index: z.int().meta({ description: 'Position of the transfer among the events of its transaction' }),
  from: z.string(),
  units: UsdtText.meta({ description: 'USDT received' }),
  blockTime: Time.meta({ description: 'Of the block it is in' }),
}

export interface OfferedTransfer extends Held<typeof OFFERED_TRANSFER> {
  readonly id: number
  readonly network: string
  /** When somebody said that it is the payment for this top-up; null: nobody has. */
  readonly claimedAt: string | null
}

type Joined = DB & { x: DB['usdtTransfers']; t: DB['topUps']; o: DB['topUps'] }
const { eb, ref, cast, not, exists, and, fn } = expressionBuilder<Joined, 'x' | 't' | 'o'>()

/** Digits of the largest amount that is compared: a hostile contract may name any number. */
const DIGITS = 15
const UNITS = eb
  .case()
  .when(eb(fn<number>('length', ['x.units']), '<=', DIGITS))
  .then(cast<number>('x.units', 'bigint'))
  .end()

/** Condition: the top-up could be paid when the block of the transfer was made. */
export function awaited(topUp: 't' | 'o') {
  return and([
    eb(`${topUp}.network`, '=', ref('x.network')),
    eb(`${topUp}.wallet`, '=', ref('x.wallet')),
    eb(`${topUp}.contract`, '=', ref('x.contract')),
    eb('x.blockTime', '>=', shifted(ref(`${topUp}.createdAt`), -SKEW_MS)),
    eb('x.blockTime', '<=', ref(`${topUp}.matchUntil`)),
  ])
}

/** Condition: the amounts differ by no more than what an exchange may keep. */
export function isNear(topUp: 't' | 'o') {
  const pay = ref(`${topUp}.payUnits`)
  return and([eb(UNITS, '>=', eb(pay, '-', MAX_DIFFERENCE)), eb(UNITS, '<=', eb(pay, '+', MAX_DIFFERENCE))])
}

/** Condition: the transfer is exactly what the top-up of another account asks for. */
const DUE_TO_ANOTHER = exists(
  eb
    .selectFrom('topUps as o')
    .select('o.id')
    .where(awaited('o'))
    .where('o.payUnits', '=', UNITS)
    .whereRef('o.userId', '<>', 't.userId'),
)

/**
 * Query for the transfers that wait for a decision, each with every top-up for which it may have been meant, nearest first: the amounts
 * are similar, the top-up could be paid then, and the transfer is not exactly what the top-up of another account asks for (rules 8.14).
 * The transfer is `x`, the top-up `t`.
 */
export function offeredTransfers({ $kysely }: Queryable) {
  return $kysely
    .selectFrom('usdtTransfers as x')
    .innerJoin('topUps as t', (on) => on.on(awaited('t')))
    .where('x.state', '=', literal('unmatched'))
    .where(isNear('t'))
    .where(not(DUE_TO_ANOTHER))
    .orderBy(({ eb, fn }) => fn('abs', [eb(UNITS, '-', ref('t.payUnits'))]))
    .orderBy('x.id')
    .orderBy('t.id', 'desc')
    .leftJoin('transferClaims as c', (on) =>
      on.onRef('c.transferId', '=', 'x.id').onRef('c.topUpId', '=', 't.id'),
    )
    .select(['x.id', 'x.network', 'x.txid', 'x.logIndex as index', 'x.fromAddress as from', 'x.blockTime'])
    .select(['c.createdAt as claimedAt', UNITS.$castTo<number>().as('units')])
}

/** Returns the transfer that is most likely the payment for a top-up; undefined when there is none. */
export function offeredTo(db: Queryable, orderNo: string): Promise<OfferedTransfer | undefined> {
  return offeredTransfers(db).where('t.orderNo', '=', orderNo).limit(1).executeTakeFirst()
}

/** Whether a transfer was claimed for the top-up and decided not to be its payment. */
export async function isClaimRefused({ $kysely }: Queryable, topUpId: number): Promise<boolean> {
  const refused = await $kysely
    .selectFrom('transferClaims as c')
    .innerJoin('usdtTransfers as x', 'x.id', 'c.transferId')
    .select('c.id')
    .where('c.topUpId', '=', topUpId)
    .where('x.state', '<>', 'unmatched')
    .where(({ eb, or }) => or([eb('x.topUpId', 'is', null), eb('x.topUpId', '<>', topUpId)]))
    .executeTakeFirst()
  return refused !== undefined
}
