import { Prisma } from '../../generated/prisma/client.ts'
import { type Readable, selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { supplierOf } from './create-static-order.ts'

/** How long an expired proxy is kept for its user, who may still renew it (contract 5: 24 h). */
export const GRACE_MS = 24 * 60 * 60_000
/** Proxies in one transaction: others want to write as well. */
const BATCH = 500

/**
 * Expires what is due, in the open transaction: instances at their time, and with the last of its active ones the order
 * (contract 5). Repeating it changes nothing.
 *
 * @param which SQL condition on instances `i`: all that the loop may expire, or those of one order
 * @returns number of instances that expired
 */
export async function expireDue(tx: Tx, now: Date, which: Prisma.Sql, limit = BATCH): Promise<number> {
  const expired = await selectJson<number>(
    tx,
    Prisma.sql`UPDATE instances SET status = 'expired' WHERE status = 'active' AND id IN (
                 SELECT i.id FROM instances i WHERE i.status = 'active' AND i.expire_time <= ${now} AND ${which}
                 ORDER BY i.expire_time LIMIT ${limit})
               RETURNING CAST(order_id AS TEXT) AS json`,
  )
  if (expired.length === 0) return 0
  await tx.$executeRaw`
    UPDATE static_orders SET status = 'expired', updated_at = ${now}
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify([...new Set(expired)])})) AND status IN ('active', 'partial')
      AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.order_id = static_orders.id AND i.status = 'active')`
  return expired.length
}

/** Those of one order, exactly now: the loop comes round every few seconds only. */
export function expireDueOf(tx: Tx, now: Date, orderId: number): Promise<number> {
  return expireDue(tx, now, Prisma.sql`i.order_id = ${orderId}`)
}

/** What renews itself does not expire before that was tried. */
const RENEWAL_NOT_TRIED = Prisma.sql`i.auto_renew = 1 AND EXISTS (
  SELECT 1 FROM static_orders o JOIN jobs j ON j.kind = 'auto_renew_static_order' AND j.key = o.order_no
  WHERE o.id = i.order_id AND j.attempts = 0)`

/** SQL condition on instances `i`: due to expire at `now`, as the loop sees it. */
const dueFor = (now: Date) =>
  Prisma.sql`i.status = 'active' AND i.expire_time <= ${now} AND NOT (${RENEWAL_NOT_TRIED})`

/** Of the loop: expires everything that is due, however much a jump of the clock left behind. */
export async function expireInstances({ db, clock }: CoreDeps): Promise<void> {
  while (await found(db.read, dueFor(clock.now()))) {
    const expired = await db.write((tx) => {
      const now = clock.now()
      return expireDue(tx, now, dueFor(now))
    })
    if (expired === 0) return
  }
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
