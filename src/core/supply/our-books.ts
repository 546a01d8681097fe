import { listOf, literal } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { nextTurn } from '../turns.ts'
import type { ComparedCall, ComparedProxy } from './compare-books.ts'

/** Number of calls read in one step. */
const STEP = 100

/** Reads, in steps, all that was bought from a supplier: every call, and every proxy that was delivered or exchanged. */
export async function ourBooks(db: Queryable, connectionId: number) {
  const calls: ComparedCall[] = []
  const proxies: ComparedProxy[] = []
  const seen = new Set<number>()
  for (let after = 0; ;) {
    const found = await db.$kysely
      .selectFrom('supplierCalls as x')
      .innerJoin('staticOrders as o', 'o.id', 'x.orderId')
      .select([
        'x.id',
        'x.orderId',
        'x.callNo',
        'x.kind',
        'x.state',
        'o.orderNo',
        'x.providerOrderNo',
        'x.cost',
      ])
      .select(['x.createdAt', 'x.nextAt'])
      .select(({ eb }) => eb('x.result', 'is not', null).$castTo<0 | 1>().as('undelivered'))
      // The sum keeps SQLite from sorting all calls of the connection at each step.
      .where(({ eb }) => eb(eb('x.connectionId', '+', 0), '=', connectionId))
      .where('x.id', '>', after)
      .orderBy('x.id')
      .limit(STEP)
      .execute()
    const last = found.at(-1)
    if (!last) return { calls, proxies }
    after = last.id
    calls.push(...found)
    const orderIds = [...new Set(found.map(({ orderId }) => orderId))].filter((id) => !seen.has(id))
    for (const id of orderIds) seen.add(id)
    const held = await db.$kysely
      .selectFrom('instances as i')
      .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
      .select(['i.providerInstanceNo', 'o.orderNo', 'i.status', 'i.ip', 'i.port', 'i.supplierExpireTime'])
      .select('i.expireTime')
      .where('i.orderId', 'in', listOf(orderIds))
      .orderBy('i.id')
      .execute()
    // Proxies that were exchanged for others count as released.
    const exchanged = await db.$kysely
      .selectFrom('replacements as r')
      .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
      .innerJoin('instances as i', 'i.id', 'r.instanceId')
      .select(['r.oldProviderInstanceNo as providerInstanceNo', 'o.orderNo', 'r.oldIp as ip'])
      .select(['r.oldPort as port', 'i.expireTime'])
      .select(({ lit }) => [literal('released').as('status'), lit(null).as('supplierExpireTime')])
      .where('r.orderId', 'in', listOf(orderIds))
      .where('r.status', '=', 'done')
      .orderBy('r.id')
      .execute()
    proxies.push(...held, ...exchanged)
    await nextTurn()
  }
}
