import { type Expression, expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { greatest } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import { type Held, Money, Time } from '../record.ts'
import { LEFT_IN_POOLS, leftInPool } from './balance.ts'

export const USER_STATUSES = ['active', 'disabled', 'deleted'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** Fields shown of a sub-user to its agent (rules 2.9). */
export const SUB_USER = {
  id: z.int(),
  username: z.string(),
  email: z.string(),
  phone: z.string(),
  remark: z.string(),
  status: z.enum(USER_STATUSES).meta({ description: '`disabled` and `deleted` users cannot log in' }),
  activated: z
    .boolean()
    .meta({ description: 'False until the user has opened the activation link that was mailed to it' }),
  balance: Money,
  ...LEFT_IN_POOLS,
  totalRecharge: Money,
  totalConsumption: Money,
  agentId: z.int(),
  createdAt: Time,
  /** Time of the last change of the account, its balance or its traffic. */
  updatedAt: Time,
}
export type SubUser = Held<typeof SUB_USER>

export const SUB_USER_EXAMPLE: SubUser = {
  id: 2,
  username: 'customer',
  email: '',
  phone: '',
  remark: '',
  status: 'active',
  activated: true,
  balance: 37_500_000,
  dynamic1Bytes: 1_500_000_000,
  dynamic3Bytes: 0,
  totalRecharge: 50_000_000,
  totalConsumption: 12_500_000,
  agentId: 1,
  createdAt: '2026-11-20T17:57:00.123Z',
  updatedAt: '2026-11-20T17:57:00.123Z',
}

/** A sub-user that was just created. */
export const NEW_SUB_USER_EXAMPLE: SubUser = {
  ...SUB_USER_EXAMPLE,
  id: 6,
  username: 'newcomer',
  phone: '13800138000',
  balance: 50_000_000,
  dynamic1Bytes: 0,
  totalConsumption: 0,
}

/** Query for {@link SubUser}s; the account is `a`. */
export function subUsers(db: Pick<Queries, 'selectFrom'>) {
  return db
    .selectFrom('accounts as a')
    .select(['a.id', 'a.username', 'a.email', 'a.phone', 'a.remark', 'a.status', 'a.activated', 'a.balance'])
    .select(({ ref }) => [
      leftInPool(ref('a.id'), 'dynamic_1').as('dynamic1Bytes'),
      leftInPool(ref('a.id'), 'dynamic_3').as('dynamic3Bytes'),
    ])
    .select(['a.totalRecharge', 'a.totalConsumption', 'a.agentId', 'a.createdAt'])
    .select(({ ref }) => changedAt(ref('a.id'), ref('a.updatedAt')).as('updatedAt'))
    .where('a.role', '=', 'user')
    .$narrowType<{ agentId: number }>()
}

/** Expression: when an account, its balance or its traffic changed last. */
export function changedAt(id: Expression<number>, updatedAt: Expression<string>) {
  const { selectFrom, fn } = expressionBuilder<DB>()
  const used = selectFrom('traffic as t')
    .select((t) => t.fn.max('t.updatedAt').as('at'))
    .where('t.userId', '=', id)
  return greatest(updatedAt, fn.coalesce(used.$asScalar(), updatedAt))
}

/** Returns the record of a sub-user that is known to exist. */
export async function readSubUser(db: Readable, id: number): Promise<SubUser> {
  const [user] = await findSubUser(db, { id })
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}

const findSubUser = compiled<{ id: number }>()((db, { id }) => subUsers(db).where('a.id', '=', id))
