import { type Expression, expressionBuilder } from 'kysely'
import type { DB, TrafficPool } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { bytesLeft } from '../traffic/traffic-left.ts'
import type { Essentials } from '../jobs/essentials.ts'

export interface Balance {
  readonly userId: number
  readonly username: string
  readonly balance: Micros
  readonly totalRecharge: Micros
  readonly totalConsumption: Micros
  /** Remaining traffic in bytes in pool dynamic_1 (shown as lumi_balance) and dynamic_3 (dyn3_balance). */
  readonly dynamic1Bytes: number
  readonly dynamic3Bytes: number
  readonly currency: string
}

/** Expression: the bytes that a user has left in a pool. */
export function leftInPool(userId: Expression<number>, pool: TrafficPool) {
  const { selectFrom } = expressionBuilder<DB>()
  return selectFrom('traffic as t')
    .innerJoin('products as p', 'p.id', 't.productId')
    .select(({ eb, fn }) => fn.coalesce(fn.sum<number>(bytesLeft()), eb.val(0)).as('bytes'))
    .where('t.userId', '=', userId)
    .where('p.pool', '=', pool)
    .$asScalar()
    .$notNull()
}

/** Returns the actor's own balance (rules 2.16). */
export async function currentBalance({ db, currency }: Essentials, actor: Actor): Promise<Balance> {
  const [balance] = await findBalance(db.read, { id: actor.id })
  if (!balance) throw new ServiceError('user_not_found')
  return { ...balance, currency }
}

const findBalance = compiled<{ id: number }>()((db, { id }) =>
  db
    .selectFrom('accounts as a')
    .select(['a.id as userId', 'a.username', 'a.balance', 'a.totalRecharge', 'a.totalConsumption'])
    .select(({ ref }) => [
      leftInPool(ref('a.id'), 'dynamic_1').as('dynamic1Bytes'),
      leftInPool(ref('a.id'), 'dynamic_3').as('dynamic3Bytes'),
    ])
    .where('a.id', '=', id),
)
