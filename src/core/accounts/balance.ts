import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { TRAFFIC_LEFT } from '../traffic/traffic-left.ts'

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

/** SQL expression: the bytes that the user of a row has left in a pool. `user` is a column; a constant of the code. */
export function trafficLeft(user: string, pool: 'dynamic_1' | 'dynamic_3'): string {
  return `(SELECT coalesce(sum(${TRAFFIC_LEFT.sql}), 0) FROM traffic t JOIN products p ON p.id = t.product_id
           WHERE t.user_id = ${user} AND p.pool = '${pool}')`
}

/** The actor's own balance (rules 2.16). */
export async function currentBalance({ db, currency }: CoreDeps, actor: Actor): Promise<Balance> {
  const traffic = (pool: 'dynamic_1' | 'dynamic_3') => Prisma.raw(trafficLeft('a.id', pool))
  const [row] = await selectJson<Omit<Balance, 'currency'>>(
    db.read,
    Prisma.sql`SELECT json_object('userId', id, 'username', username, 'balance', balance, 'totalRecharge', total_recharge,
                                  'totalConsumption', total_consumption, 'dynamic1Bytes', ${traffic('dynamic_1')},
                                  'dynamic3Bytes', ${traffic('dynamic_3')}) AS json
               FROM accounts a WHERE id = ${actor.id}`,
  )
  if (!row) throw new ServiceError('user_not_found')
  return { ...row, currency }
}
