import { Prisma } from '../../generated/prisma/client.ts'
import { jsonObject, type Readable, selectJson } from '../database/database.ts'
import type { Micros } from '../money.ts'
import { trafficLeft } from './balance.ts'

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
  readonly updatedAt: string
}

/** A row of accounts, named `a`, as a {@link SubUser}. */
export const subUserJson = jsonObject({
  id: 'a.id',
  username: 'a.username',
  email: 'a.email',
  phone: 'a.phone',
  remark: 'a.remark',
  status: 'a.status',
  activated: `json(iif(a.activated, 'true', 'false'))`,
  balance: 'a.balance',
  dynamic1Bytes: trafficLeft('a.id', 'dynamic_1'),
  dynamic3Bytes: trafficLeft('a.id', 'dynamic_3'),
  totalRecharge: 'a.total_recharge',
  totalConsumption: 'a.total_consumption',
  agentId: 'a.agent_id',
  createdAt: 'a.created_at',
  updatedAt: 'a.updated_at',
})

/** The record of a sub-user that is known to be there. */
export async function readSubUser(db: Readable, id: number): Promise<SubUser> {
  const [user] = await selectJson<SubUser>(
    db,
    Prisma.sql`SELECT ${subUserJson} AS json FROM accounts a WHERE a.id = ${id} AND a.role = 'user'`,
  )
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
