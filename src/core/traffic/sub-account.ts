import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { jsonObject, type Readable, selectJson } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { type Bytes, fromGigabytes, toGigabytes } from './bytes.ts'

/** A credential of its own for a part of a user's traffic (rules 6.9). */
export interface SubAccount {
  readonly id: number
  /** Whose traffic it is. */
  readonly userId: number
  readonly productNo: string
  /** The gateway at which its name and password hold. */
  readonly host: string
  readonly port: number
  readonly username: string
  /** Only for the owner of the traffic; null for its agent. */
  readonly password: string | null
  readonly limitBytes: Bytes
  readonly usedBytes: Bytes
  readonly status: 'active' | 'disabled'
  readonly remark: string
  readonly createdAt: string
  readonly updatedAt: string
}

export const SUB_ACCOUNT_STATUSES = ['active', 'disabled'] as const

/**
 * A name that a person chooses. Without a hyphen, which begins a parameter in the grammar of credentials, and unlike the names
 * that the service makes.
 */
export const SubAccountName = z
  .string()
  .regex(/^[A-Za-z0-9_]{3,32}$/, 'letters_digits_underscore')
  .regex(/^(?![us]0[0-9a-z]{12}$)/, 'reserved_name')

/** Characters that need no escaping in `host:port:username:password` and in URLs. */
export const GatewayPassword = z.string().regex(/^[A-Za-z0-9._~-]{6,50}$/, 'not_a_gateway_password')

/** GB to a sub-account (positive) or back (negative). */
export const TrafficMoveAmount = z
  .number()
  .refine((value) => value !== 0 && fromGigabytes(value) !== undefined, { error: 'not_a_traffic_move' })

export const Remark = z.string().max(255)

/** SQL of a record, as JSON; needs `s` = sub_accounts, `t` = traffic, `p` = products. */
export function subAccountJson(actor: Actor): Prisma.Sql {
  const columns = jsonObject({
    id: 's.id',
    userId: 't.user_id',
    productNo: 'p.product_no',
    host: 'p.gateway_host',
    port: 'p.gateway_port',
    username: 's.username',
    limitBytes: 's.limit_bytes',
    usedBytes: 's.used_bytes',
    status: 's.status',
    remark: 's.remark',
    createdAt: 's.created_at',
    updatedAt: 's.updated_at',
  })
  return Prisma.sql`json_set(${columns}, '$.password', iif(t.user_id = ${actor.id}, s.password, NULL))`
}

/** SQL: the sub-accounts that the actor may see: its own and, for an agent, those of its direct sub-users. */
export function visibleSubAccounts(actor: Actor): Prisma.Sql {
  return Prisma.sql`sub_accounts s JOIN traffic t ON t.id = s.traffic_id JOIN products p ON p.id = t.product_id
    WHERE s.status <> 'deleted' AND ${visibleTo(actor, 't.user_id')}`
}

/**
 * One sub-account, as the actor may see it.
 *
 * @param id undefined for what cannot be an id
 * @throws sub_account_not_found, also when it is somebody else's or deleted
 */
export async function readSubAccount(
  db: Readable,
  actor: Actor,
  id: number | undefined,
): Promise<SubAccount> {
  const [found] = await selectJson<SubAccount>(
    db,
    Prisma.sql`SELECT ${subAccountJson(actor)} AS json FROM ${visibleSubAccounts(actor)} AND s.id = ${id ?? 0}`,
  )
  if (!found) throw new ServiceError('sub_account_not_found')
  return found
}

/** What was wanted and what there is. */
export function trafficNotAvailable(requested: Bytes, available: Bytes): ServiceError {
  return new ServiceError('traffic_not_available', {
    data: { requested: toGigabytes(requested), available: toGigabytes(available) },
  })
}
