import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { greatest } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import type { Micros } from '../money.ts'
import { leftInPool } from './balance.ts'

export const USER_STATUSES = ['active', 'disabled', 'deleted'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** A sub-user, as its agent sees it (rules 2.9). */
export interface SubUser {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly phone: string
  readonly remark: string
  readonly status: UserStatus
  /** False until the link in the activation mail was opened. */
  readonly activated: boolean
  readonly balance: Micros
  /** Remaining traffic in bytes in pool dynamic_1 (shown as lumi_balance) and dynamic_3 (dyn3_balance). */
  readonly dynamic1Bytes: number
  readonly dynamic3Bytes: number
  readonly totalRecharge: Micros
  readonly totalConsumption: Micros
  readonly agentId: number
  readonly createdAt: string
  /** Time of the last change of the account, its balance or its traffic. */
  readonly updatedAt: string
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
