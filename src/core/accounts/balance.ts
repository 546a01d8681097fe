import { type Expression, expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB, TrafficPool } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { ServiceError } from '../errors.ts'
import { type Held, Money, Traffic } from '../record.ts'
import { bytesLeft } from '../traffic/traffic-left.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What is left in pools, in the order of answers; only variant B shows that of dynamic_3. */
export const LEFT_IN_POOLS = {
  dynamic1Bytes: Traffic.meta({ description: 'Traffic left in pool dynamic_1, in GB' }),
  dynamic3Bytes: Traffic.meta({ description: 'Traffic left in pool dynamic_3, in GB (variant B)' }),
}
/** Fields shown of the balance of an account (rules 2.16). */
export const BALANCE = {
  userId: z.int(),
  username: z.string(),
  balance: Money,
  ...LEFT_IN_POOLS,
  currency: z.string(),
  totalRecharge: Money,
  totalConsumption: Money,
}
export type Balance = Held<typeof BALANCE>

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
