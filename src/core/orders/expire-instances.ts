import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { isTrue, listOf, literal, rowsOf } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import { anyActive, isInRenewal } from './order-of-instances.ts'
import { supplierOf } from '../supply/supplier.ts'
import { happened } from '../facts/happened.ts'
import type { OrderDeps } from './deps.ts'

/** How long an expired proxy is kept for its user, who may still renew it (rules 5.6). */
export const GRACE_MS = 24 * 60 * 60_000
/** Proxies per transaction that are returned, or whose orders are handled when they expire: other writers must not wait long. */
const BATCH = 500

/** A proxy that has just expired. */
interface ExpiredProxy {
  readonly orderId: number
  readonly expireTime: string
}

const { eb, ref, and, not, exists, selectFrom } = expressionBuilder<DB & { i: DB['instances'] }, 'i'>()

/** Condition on instances `i`: in use, and the expiry time has passed. */
function isDue(now: Expression<string>): Expression<SqlBool> {
  return and([eb('i.status', '=', literal('active')), eb('i.expireTime', '<=', now)])
}

/** Condition on instances `i`: due, except that the loop does not expire a proxy before its automatic renewal was tried. */
function isDueForLoop(now: Expression<string>): Expression<SqlBool> {
  const untried = selectFrom('staticOrders as o')
    .innerJoin('jobs as j', 'j.key', 'o.orderNo')
    .select('j.id')
    .whereRef('o.id', '=', 'i.orderId')
    .where('j.kind', '=', 'auto_renew_static_order')
    .where('j.attempts', '=', 0)
  return and([isDue(now), not(and([isTrue(ref('i.autoRenew')), exists(untried)]))])
}

/** @param which condition on instances `i` */
function expire(db: Queries, now: Expression<string>, which: Expression<SqlBool>) {
  return db
    .updateTable('instances')
    .set({ status: 'expired', updatedAt: now })
    .where('status', '=', 'active')
    .where('id', 'in', selectFrom('instances as i').select('i.id').where(which))
    .returning(['orderId', 'expireTime'])
}

const expireOfOrder = compiled<{ now: string; orderId: number }>()((db, { now, orderId }) =>
  expire(db, now, and([isDue(now), eb('i.orderId', '=', orderId)])),
)

const expireOfSomeOrders = compiled<{ now: string }>()((db, { now }) => {
  const due = selectFrom('instances as i').where(isDueForLoop(now))
  const orders = due.select('i.orderId').orderBy('i.expireTime').limit(BATCH)
  return expire(db, now, and([eb('i.orderId', 'in', orders), isDueForLoop(now)]))
})

const expireOrders = compiled<{ now: string; ids: readonly number[] }>()((db, { now, ids }) =>
  db
    .updateTable('staticOrders')
    .set({ status: 'expired', updatedAt: now })
    .where('id', 'in', listOf(ids))
    .where('status', 'in', ['active', 'partial'])
    .where((order) => not(anyActive(order.ref('staticOrders.id'))))
    .returning(['orderNo', 'userId']),
)

/** Expires the orders that have no active proxy left (rules 5.6). */
async function expireOrdersOf(tx: Tx, time: Date, expired: readonly ExpiredProxy[]): Promise<void> {
  if (expired.length === 0) return
  const ids = [...new Set(expired.map(({ orderId }) => orderId))]
  const orders = await expireOrders(tx, { now: time.toISOString(), ids })
  happened(tx, ...orders.map((order) => ({ kind: 'order.expired' as const, ...order })))
}

/**
 * Expires the due proxies of one order in the open transaction, because the loop does so only every few seconds. Sends no notice:
 * the caller acts on the order and sees its state. Idempotent.
 */
export async function expireDueOf(tx: Tx, time: Date, orderId: number): Promise<void> {
  const now = time.toISOString()
  await expireOrdersOf(tx, time, await expireOfOrder(tx, { now, orderId }))
}

const findDue = compiled<{ now: string }>()((db, { now }) =>
  db.selectFrom('instances as i').select('i.id').where(isDueForLoop(now)).limit(1),
)

/** Sweep of the loop: expires all due proxies, some orders per transaction. */
export async function expireInstances(deps: OrderDeps): Promise<void> {
  const { db, clock } = deps
  while ((await findDue(db.read, { now: clock.now().toISOString() })).length > 0) {
    const expired = await db.write(async (tx) => {
      const time = clock.now()
      const proxies = await expireOfSomeOrders(tx, { now: time.toISOString() })
      await expireOrdersOf(tx, time, proxies)
      await noteExpiry(tx, proxies)
      return proxies.length
    })
    if (expired === 0) return
  }
}

/** Reports the expiry, once for the proxies of an order that expired at the same time. */
async function noteExpiry(tx: Tx, proxies: readonly ExpiredProxy[]): Promise<void> {
  const expired = await countExpired(tx, { proxies })
  happened(
    tx,
    ...expired.map((some) => ({
      kind: 'proxies.expired' as const,
      ...some,
      renewableUntil: new Date(Date.parse(some.expireTime) + GRACE_MS).toISOString(),
    })),
  )
}

const countExpired = compiled<{ proxies: readonly ExpiredProxy[] }>()((db, { proxies }) =>
  db
    .selectFrom(rowsOf(proxies, { orderId: 'integer', expireTime: 'text' }, 'p'))
    .crossJoin('staticOrders as o')
    .select(({ fn }) => ['o.orderNo', 'o.userId', 'p.expireTime', fn.countAll<number>().as('count')])
    .whereRef('o.id', '=', 'p.orderId')
    .groupBy(['o.id', 'o.orderNo', 'o.userId', 'p.expireTime'])
    .orderBy('o.id')
    .orderBy('p.expireTime'),
)

/** Condition on instances `i`: expired at that time or before, still kept for the user, and in no renewal that may yet succeed. */
function isKept(until: Expression<string>): Expression<SqlBool> {
  return and([
    eb('i.status', '=', literal('expired')),
    eb('i.releasedAt', 'is', null),
    eb('i.expireTime', '<=', until),
    not(isInRenewal(ref('i.id'))),
  ])
}

const findKept = compiled<{ until: string }>()((db, { until }) =>
  db.selectFrom('instances as i').select('i.id').where(isKept(until)).limit(1),
)

const releaseKept = compiled<{ until: string; now: Date }>()((db, { until, now }) =>
  db
    .updateTable('instances')
    .set({ releasedAt: now, updatedAt: now })
    .where(
      'id',
      'in',
      selectFrom('instances as i').select('i.id').where(isKept(until)).orderBy('i.expireTime').limit(BATCH),
    )
    .returning(['orderId', 'providerInstanceNo'])
    .returning((instance) =>
      instance
        .selectFrom('staticOrders as o')
        .innerJoin('products as p', 'p.id', 'o.productId')
        .leftJoin('supplierConnections as c', 'c.name', 'p.supplier')
        .select((order) =>
          order.case().when('c.id', 'is', null).then(order.ref('p.supplier')).end().as('name'),
        )
        .whereRef('o.id', '=', 'instances.orderId')
        .$asScalar()
        .as('supplier'),
    ),
)

/**
 * Sweep of the loop: ends the grace of expired proxies. Those of the own stock go back to it; those of a third party have ended
 * there by themselves.
 */
export async function returnExpired(deps: OrderDeps): Promise<void> {
  const { db, clock } = deps
  const until = () => new Date(clock.now().getTime() - GRACE_MS).toISOString()
  while ((await findKept(db.read, { until: until() })).length > 0) {
    const returned = await db.write(async (tx) => {
      const rows = await releaseKept(tx, { until: until(), now: clock.now() })
      for (const name of new Set(rows.map(({ supplier }) => supplier))) {
        if (name === null) continue
        await supplierOf(deps, name).takeBack(
          tx,
          rows.filter(({ supplier }) => supplier === name),
        )
      }
      return rows.length
    })
    if (returned === 0) return
  }
}
