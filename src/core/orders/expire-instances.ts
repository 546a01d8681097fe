import { Prisma } from '../../generated/prisma/client.ts'
import { type Readable, selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { announce } from '../notices/announce.ts'
import { supplierOf } from './supplier.ts'

/** How long an expired proxy is kept for its user, who may still renew it (rules 5.6). */
export const GRACE_MS = 24 * 60 * 60_000
/** Proxies in one transaction, or whose orders are: others want to write as well. */
const BATCH = 500

/** A proxy that has just expired. */
interface ExpiredProxy {
  readonly orderId: number
  readonly expireTime: string
}

/**
 * Expires what is due, in the open transaction: instances at their time, and with the last of its active ones the order
 * (rules 5.6). Repeating it changes nothing.
 *
 * @param which SQL condition on instances `i`
 */
async function expireDue(tx: Tx, now: Date, which: Prisma.Sql): Promise<ExpiredProxy[]> {
  const expired = await selectJson<ExpiredProxy>(
    tx,
    Prisma.sql`UPDATE instances SET status = 'expired' WHERE status = 'active' AND id IN (
                 SELECT i.id FROM instances i WHERE i.status = 'active' AND i.expire_time <= ${now} AND ${which})
               RETURNING json_object('orderId', order_id, 'expireTime', expire_time) AS json`,
  )
  if (expired.length === 0) return []
  const orders = JSON.stringify([...new Set(expired.map(({ orderId }) => orderId))])
  await tx.$executeRaw`
    UPDATE static_orders SET status = 'expired', updated_at = ${now}
    WHERE id IN (SELECT value FROM json_each(${orders})) AND status IN ('active', 'partial')
      AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.order_id = static_orders.id AND i.status = 'active')`
  return expired
}

/** Those of one order, exactly now: the loop comes round every few seconds only. Who asks for it sees it, and is not told. */
export async function expireDueOf(tx: Tx, now: Date, orderId: number): Promise<void> {
  await expireDue(tx, now, Prisma.sql`i.order_id = ${orderId}`)
}

/** What renews itself does not expire before that was tried. */
const RENEWAL_NOT_TRIED = Prisma.sql`i.auto_renew = 1 AND EXISTS (
  SELECT 1 FROM static_orders o JOIN jobs j ON j.kind = 'auto_renew_static_order' AND j.key = o.order_no
  WHERE o.id = i.order_id AND j.attempts = 0)`

/** SQL condition on instances `i`: due to expire at `now`, as the loop sees it. */
const dueFor = (now: Date) =>
  Prisma.sql`i.status = 'active' AND i.expire_time <= ${now} AND NOT (${RENEWAL_NOT_TRIED})`

/** Of the loop: expires everything that is due, order by order, however much a jump of the clock left behind. */
export async function expireInstances(deps: CoreDeps): Promise<void> {
  const { db, clock } = deps
  while (await found(db.read, dueFor(clock.now()))) {
    const expired = await db.write(async (tx) => {
      const now = clock.now()
      const orders = Prisma.sql`
        SELECT i.order_id FROM instances i WHERE ${dueFor(now)} ORDER BY i.expire_time LIMIT ${BATCH}`
      const proxies = await expireDue(tx, now, Prisma.sql`i.order_id IN (${orders}) AND ${dueFor(now)}`)
      await tellOfExpiry(deps, tx, proxies)
      return proxies.length
    })
    if (expired === 0) return
    deps.jobs.wake()
  }
}

/** Proxies of one order that expired at the same time are one piece of news. */
async function tellOfExpiry(deps: CoreDeps, tx: Tx, proxies: readonly ExpiredProxy[]): Promise<void> {
  const expired = await selectJson<{ orderNo: string; userId: number; expireTime: string; count: number }>(
    tx,
    Prisma.sql`SELECT json_object('orderNo', o.order_no, 'userId', o.user_id, 'expireTime', p.value ->> 'expireTime',
                                  'count', count(*)) AS json
               FROM json_each(${JSON.stringify(proxies)}) p CROSS JOIN static_orders o ON o.id = p.value ->> 'orderId'
               GROUP BY o.id, p.value ->> 'expireTime'`,
  )
  await announce(
    deps,
    tx,
    expired.map(({ orderNo, userId, expireTime, count }) => ({
      accountIds: [userId],
      kind: 'expired',
      subject: `${orderNo} ${expireTime}`,
      data: { orderNo, count, renewableUntil: new Date(Date.parse(expireTime) + GRACE_MS).toISOString() },
    })),
  )
}

/** Of the loop: what expired longer than the grace ago goes back to where it came from, and can be sold again. */
export async function returnExpired(deps: CoreDeps): Promise<void> {
  const { db, clock } = deps
  const over = () => {
    const end = new Date(clock.now().getTime() - GRACE_MS)
    return Prisma.sql`i.status = 'expired' AND i.released_at IS NULL AND i.expire_time <= ${end}`
  }
  while (await found(db.read, over())) {
    const returned = await db.write(async (tx) => {
      const rows = await selectJson<ReturnedProxy>(
        tx,
        Prisma.sql`UPDATE instances SET released_at = ${clock.now()} WHERE id IN (
                     SELECT i.id FROM instances i WHERE ${over()} ORDER BY i.expire_time LIMIT ${BATCH})
                   RETURNING json_object('orderId', order_id, 'providerInstanceNo', provider_instance_no, 'supplier',
                     (SELECT p.supplier FROM static_orders o JOIN products p ON p.id = o.product_id WHERE o.id = order_id)) AS json`,
      )
      for (const name of new Set(rows.map(({ supplier }) => supplier))) {
        await supplierOf(deps, name).giveBack(
          tx,
          rows.filter(({ supplier }) => supplier === name),
        )
      }
      return rows.length
    })
    if (returned === 0) return
  }
}

interface ReturnedProxy {
  readonly orderId: number
  readonly providerInstanceNo: string
  readonly supplier: string
}

async function found(db: Readable, which: Prisma.Sql): Promise<boolean> {
  return (await db.$queryRaw<unknown[]>`SELECT 1 FROM instances i WHERE ${which} LIMIT 1`).length > 0
}
