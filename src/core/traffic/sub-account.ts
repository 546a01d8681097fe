import { z } from 'zod'
import { type Actor, maySee } from '../access/actor.ts'
import type { Gateway } from '../catalog/gateway.ts'
import type { Queries, Queryable } from '../database/queries.ts'
import { ServiceError } from '../errors.ts'
import { type Held, record, Time, Traffic } from '../record.ts'
import { type Bytes, fromGigabytes, toGigabytes } from '../bytes.ts'

export const SUB_ACCOUNT_STATUSES = ['active', 'disabled'] as const

/** What is shown of a separate gateway login with a part of a user's traffic (rules 6.9). */
const SUB_ACCOUNT = {
  id: z.int(),
  userId: z.int().meta({ description: 'Whose traffic it is' }),
  productNo: z.string(),
  username: z.string().meta({ description: '`<account>` in the grammar of credentials' }),
  password: z.string().nullable().meta({ description: 'Shown to the owner of the traffic only' }),
  limitBytes: Traffic.meta({ description: 'Allocated, in GB' }),
  usedBytes: Traffic,
  remainingBytes: Traffic,
  status: z.enum(SUB_ACCOUNT_STATUSES).meta({ description: 'Whether the gateway lets it in' }),
  remark: z.string(),
  createdAt: Time,
  updatedAt: Time,
}
const SubAccountRecord = record(SUB_ACCOUNT, {
  id: 'SubAccount',
  names: {
    limitBytes: 'limit_traffic',
    usedBytes: 'used_traffic',
    remainingBytes: 'remaining_traffic',
  },
})

export interface SubAccount extends Omit<Held<typeof SUB_ACCOUNT>, 'remainingBytes'> {
  /** The gateway that accepts its name and password. */
  readonly host: string
  readonly port: number
}

export const SUB_ACCOUNT_EXAMPLE: SubAccount = {
  id: 1,
  userId: 1,
  productNo: 'DYN-1',
  host: 'gateway.example.com',
  port: 7000,
  username: 'crawler_1',
  password: 'GkT4mP9sWx2Rb7Nq5Hjz',
  limitBytes: 2_000_000_000,
  usedBytes: 500_000_000,
  status: 'active',
  remark: '',
  createdAt: '2026-11-20T17:57:00.123Z',
  updatedAt: '2026-11-20T17:57:00.123Z',
}

export const SubAccountSchema = SubAccountRecord.schema

/** Returns a sub-account as the API shows it, with what is left of its traffic. */
export function shownSubAccount(account: SubAccount): z.output<typeof SubAccountSchema> {
  return SubAccountRecord.show({ ...account, remainingBytes: leftOf(account) })
}

/** Returns the bytes that were allocated and not used. */
export function leftOf({ limitBytes, usedBytes }: Pick<SubAccount, 'limitBytes' | 'usedBytes'>): Bytes {
  return limitBytes - usedBytes
}

/**
 * A name that a person chooses. Without a hyphen, which begins a parameter in the grammar of credentials, and not in the form of
 * the names that the service generates.
 */
export const SubAccountName = z
  .string()
  .regex(/^[A-Za-z0-9_]{3,32}$/, 'letters_digits_underscore')
  .regex(/^(?![us]0[0-9a-z]{12}$)/, 'reserved_name')

/** Characters that need no escaping in `host:port:username:password` and in URLs. */
export const GatewayPassword = z.string().regex(/^[A-Za-z0-9._~-]{6,50}$/, 'not_a_gateway_password')

/** Traffic in GB to a sub-account (positive) or back (negative). */
export const TrafficMoveAmount = z
  .number()
  .refine((value) => value !== 0 && fromGigabytes(value) !== undefined, { error: 'not_a_traffic_move' })

export const Remark = z.string().max(255)

/** Selects the sub-accounts that the actor may see: its own and, for an agent, those of its direct sub-users. */
export function visibleSubAccounts(db: Pick<Queries, 'selectFrom'>, actor: Actor) {
  return db
    .selectFrom('subAccounts as s')
    .innerJoin('traffic as t', 't.id', 's.trafficId')
    .innerJoin('products as p', 'p.id', 't.productId')
    .where('s.status', '<>', 'deleted')
    .where(({ ref }) => maySee(actor, ref('t.userId')))
}

/** Adds the columns of a {@link SubAccount} to {@link visibleSubAccounts}; the password only for the actor's own. */
export function subAccountRecords(found: ReturnType<typeof visibleSubAccounts>, actor: Actor) {
  return found
    .select([
      's.id',
      't.userId',
      'p.productNo',
      'p.gatewayHost as host',
      'p.gatewayPort as port',
      's.username',
    ])
    .select(({ eb, ref }) =>
      eb.case().when('t.userId', '=', actor.id).then(ref('s.password')).end().as('password'),
    )
    .select(['s.limitBytes', 's.usedBytes', 's.status', 's.remark', 's.createdAt', 's.updatedAt'])
    .$narrowType<Gateway & { status: SubAccount['status'] }>()
}

/**
 * Returns one sub-account, as the actor may see it.
 *
 * @param id undefined when the request had no valid id
 * @throws sub_account_not_found, also when it is somebody else's or deleted
 */
export async function readSubAccount(
  db: Queryable,
  actor: Actor,
  id: number | undefined,
): Promise<SubAccount> {
  const found = await subAccountRecords(visibleSubAccounts(db.$kysely, actor), actor)
    .where('s.id', '=', id ?? 0)
    .executeTakeFirst()
  if (!found) throw new ServiceError('sub_account_not_found')
  return found
}

/** Returns the gateway username of a sub-account; undefined when the actor may not see it, or it is deleted. */
export async function usernameOf(
  db: Queryable,
  actor: Actor,
  id: number | undefined,
): Promise<string | undefined> {
  const found = await visibleSubAccounts(db.$kysely, actor)
    .select('s.username')
    .where('s.id', '=', id ?? 0)
    .executeTakeFirst()
  return found?.username
}

/** Returns the gateway username of the main account of a sub-account; undefined when the actor may not see the sub-account. */
export async function mainUsernameOf(
  db: Queryable,
  actor: Actor,
  id: number | undefined,
): Promise<string | undefined> {
  const found = await visibleSubAccounts(db.$kysely, actor)
    .select('t.username')
    .where('s.id', '=', id ?? 0)
    .executeTakeFirst()
  return found?.username
}

/** Returns the refusal of a move, with the requested and the available traffic. */
export function trafficNotAvailable(requested: Bytes, available: Bytes): ServiceError {
  return new ServiceError('traffic_not_available', {
    data: { requested: toGigabytes(requested), available: toGigabytes(available) },
  })
}
