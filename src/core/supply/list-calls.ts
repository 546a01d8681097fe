import { z } from 'zod'
import { CallKind, CallState } from '../../generated/prisma/enums.ts'
import { InvalidInput } from '../errors.ts'
import type { Page } from '../page.ts'
import { type HeldOf, Money, record, Time } from '../record.ts'
import { resolveCall, type Resolution } from './resolve-call.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** A request to a supplier. */
export const CallRecord = record({
  callNo: z.string(),
  supplier: z.string(),
  kind: z.enum(CallKind),
  state: z.enum(CallState),
  /** Number of the order, renewal, cancellation or replacement that it was made for, and of the order. */
  subject: z.string(),
  orderNo: z.string(),
  username: z.string(),
  count: z.int(),
  expectedCost: Money,
  cost: Money.nullable(),
  providerOrderNo: z.string().nullable(),
  reason: z.string().nullable(),
  attempts: z.int(),
  /** When it is sent or looked up next; null when it has ended. */
  nextAt: Time.nullable(),
  createdAt: Time,
})

export type CallOverview = HeldOf<typeof CallRecord>

interface WantedCalls {
  readonly supplier?: string | undefined
  /** `open`: those that have not ended, doubtful ones included. */
  readonly which?: 'all' | 'open' | 'in_doubt'
  readonly page?: number
  readonly pageSize?: number
}

/** Lists calls, newest first; open ones oldest first. */
export async function listCalls(
  { db }: Pick<Essentials, 'db'>,
  { supplier, which = 'all', page = 1, pageSize = 200 }: WantedCalls,
): Promise<Page<CallOverview>> {
  const { $kysely } = db.read
  const calls = $kysely
    .selectFrom('supplierCalls as x')
    .innerJoin('supplierConnections as c', 'c.id', 'x.connectionId')
    .$if(supplier !== undefined, (some) => some.where('c.name', '=', supplier ?? ''))
    .$if(which !== 'all', (some) => some.where('x.nextAt', 'is not', null))
    .$if(which === 'in_doubt', (some) => some.where('x.state', '=', 'in_doubt'))
  const { total } = await calls
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const items = await calls
    .innerJoin('staticOrders as o', 'o.id', 'x.orderId')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .select(['x.callNo', 'c.name as supplier', 'x.kind', 'x.state', 'x.subject', 'o.orderNo', 'u.username'])
    .select(['x.count', 'x.expectedCost', 'x.cost', 'x.providerOrderNo', 'x.reason', 'x.attempts'])
    .select(['x.nextAt', 'x.createdAt'])
    .orderBy('x.id', which === 'all' ? 'desc' : 'asc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items, total, page, pageSize }
}

/** Returns a call by our number; undefined when there is none. */
export async function getCall(
  { db }: Pick<Essentials, 'db'>,
  callNo: string,
): Promise<CallOverview | undefined> {
  return db.read.$kysely
    .selectFrom('supplierCalls as x')
    .innerJoin('supplierConnections as c', 'c.id', 'x.connectionId')
    .innerJoin('staticOrders as o', 'o.id', 'x.orderId')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .select(['x.callNo', 'c.name as supplier', 'x.kind', 'x.state', 'x.subject', 'o.orderNo', 'u.username'])
    .select(['x.count', 'x.expectedCost', 'x.cost', 'x.providerOrderNo', 'x.reason', 'x.attempts'])
    .select(['x.nextAt', 'x.createdAt'])
    .where('x.callNo', '=', callNo)
    .executeTakeFirst()
}

/**
 * Records the operator's decision about a call in doubt; see {@link resolveCall}.
 *
 * @throws validation_error (call, found)
 */
export async function decideCall(
  deps: Essentials,
  callNo: string,
  resolution: Resolution,
): Promise<CallOverview> {
  await resolveCall(deps, callNo, resolution)
  const call = await getCall(deps, callNo)
  if (!call) throw InvalidInput.of('call', 'no_such_call')
  return call
}
