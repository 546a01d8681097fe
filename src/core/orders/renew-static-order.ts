import { createHash } from 'node:crypto'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, targetUser } from '../access.ts'
import { jsonObject, type Readable, selectJson, type Tx } from '../database/database.ts'
import type { PriceTiers } from '../catalog/prices.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber, randomText } from '../ids.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import type { Micros } from '../money.ts'
import { refuseNumberOfOtherKind } from './application-number.ts'
import { expireDueOf } from './expire-instances.ts'
import { findStaticOrder, type OrderInLife, wrongState } from './find-static-order.ts'
import { checkCeilings } from './price-static-order.ts'
import { RenewalInput, type RenewalRequest } from './renewal-input.ts'
import { priceRenewal, type RenewalItem, wantedInstances, type WantedRenewal } from './renewal-terms.ts'
import { supplierOf } from './supplier.ts'

export interface Renewal {
  readonly orderNo: string
  readonly renewOrderNo: string
  readonly amount: Micros
  readonly instances: {
    readonly instanceNo: string
    readonly oldExpireTime: string
    readonly newExpireTime: string
  }[]
  /** Of the order's user, right after the payment. */
  readonly balance: Micros
}

/**
 * Renews proxies of an order (rules 5.7): priced like a new order of as many IPs by the order's user, who
 * pays; paid and prolonged in one transaction. The new expiry is the later of now and the old one, plus the term. What has
 * expired comes back to life within the grace of 24 h.
 *
 * @throws order_not_found, instance_not_found, order_processing, invalid_state, duration_not_supported, insufficient_balance,
 *   price_changed, product_not_found (it has no price any more), idempotency_conflict, validation_error, and what targeting refuses
 */
export async function renewStaticOrder(
  deps: CoreDeps,
  actor: Actor,
  input: RenewalInput,
): Promise<Renewal & { readonly replayed: boolean }> {
  const request = parseInput(RenewalInput, input)
  const renewal = await deps.db.write(async (tx) => {
    const order = await findStaticOrder(tx, actor, request.order)
    const hash = hashOf(order, request)
    const first = request.appOrderNo && (await findFirst(tx, actor, request.appOrderNo, hash))
    if (first) return { ...first, replayed: true }
    await refuseNumberOfOtherKind(tx, actor, request.appOrderNo, 'renewals')
    const buyer = await targetUser(tx, actor, order.userId)
    await expireDueOf(tx, deps.clock.now(), order.id)
    const wanted = await wantedInstances(tx, deps.clock.now(), order, request)
    const identity = {
      callerId: actor.id,
      appOrderNo: request.appOrderNo ?? `A${randomText(20)}`,
      hash,
      automatic: false,
    }
    return {
      ...(await renewInstances(deps, tx, { order, buyer, wanted, ceilings: request, ...identity })),
      replayed: false,
    }
  })
  deps.jobs.wake()
  return renewal
}

/** Two requests are the same when they renew the same proxies by the same terms; how they name the order does not matter. */
function hashOf(order: OrderInLife, request: RenewalRequest): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...request, order: order.id, appOrderNo: null }))
    .digest('base64url')
}

export interface RenewalOrder {
  readonly order: OrderInLife
  /** Who pays: the order's user. */
  readonly buyer: Actor
  readonly wanted: readonly WantedRenewal[]
  readonly ceilings: Pick<RenewalRequest, 'unitPrice' | 'totalAmount'>
  readonly callerId: number
  readonly appOrderNo: string
  readonly hash: string
  readonly automatic: boolean
}

/**
 * Pays for a renewal and prolongs the proxies, in the open transaction.
 *
 * @throws as {@link renewStaticOrder}
 */
export async function renewInstances(deps: CoreDeps, tx: Tx, renewal: RenewalOrder): Promise<Renewal> {
  const { order, buyer, callerId } = renewal
  const now = deps.clock.now()
  const { unitPrice, tiers, amount, items } = await priceRenewal(tx, now, renewal)
  checkCeilings({ unitPrice, totalAmount: amount }, renewal.ceilings)

  const renewOrderNo = newNumber('R', now)
  await insertRenewal(tx, now, { ...renewal, renewOrderNo, unitPrice, tiers, amount, items })
  const { balanceAfter } = await bookEntry(tx, now, {
    accountId: buyer.id,
    type: 'consumption',
    amount: -amount,
    source: `renewal:${renewOrderNo}`,
    orderType: 'static',
    orderNo: order.orderNo,
    operatorId: callerId,
    remark: systemRemark('renewal', renewOrderNo),
  })
  await prolong(tx, now, order, amount, items)
  if (supplierOf(deps, order.supplier).renew) await deps.jobs.enqueue(tx, 'renew_at_supplier', renewOrderNo)
  return {
    orderNo: order.orderNo,
    renewOrderNo,
    amount,
    instances: items.map(({ instanceNo, oldExpireTime, newExpireTime }) => ({
      instanceNo,
      oldExpireTime,
      newExpireTime,
    })),
    balance: balanceAfter,
  }
}

interface NewRenewal extends RenewalOrder {
  readonly renewOrderNo: string
  readonly unitPrice: Micros
  readonly tiers: PriceTiers
  readonly amount: Micros
  readonly items: readonly RenewalItem[]
}

async function insertRenewal(tx: Tx, now: Date, renewal: NewRenewal): Promise<void> {
  const { order, renewOrderNo, callerId, appOrderNo, hash, automatic, unitPrice, tiers, amount, items } =
    renewal
  const [row] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO renewals (renew_order_no, order_id, caller_id, app_order_no, request_hash, automatic, amount, tiers, created_at)
    VALUES (${renewOrderNo}, ${order.id}, ${callerId}, ${appOrderNo}, ${hash}, ${automatic}, ${amount}, ${JSON.stringify(tiers)}, ${now}) RETURNING id`
  if (!row) throw new Error('the renewal was not inserted')
  await tx.$executeRaw`
    INSERT INTO renewed_instances (renewal_id, instance_id, unit_price, periods, amount, old_expire_time, new_expire_time)
    SELECT ${row.id}, value ->> 'id', ${unitPrice}, value ->> 'periods', value ->> 'amount',
           value ->> 'oldExpireTime', value ->> 'newExpireTime'
    FROM json_each(${JSON.stringify(items)})`
}

async function prolong(
  tx: Tx,
  now: Date,
  order: OrderInLife,
  amount: Micros,
  items: readonly RenewalItem[],
): Promise<void> {
  // The plus keeps SQLite from walking through all of the order's proxies for each of the items.
  const prolonged = await inUse(
    order,
    () =>
      tx.$executeRaw`
      UPDATE instances SET status = 'active', expire_time = item.value ->> 'newExpireTime'
      FROM json_each(${JSON.stringify(items)}) item
      WHERE instances.id = item.value ->> 'id' AND +order_id = ${order.id} AND expire_time = item.value ->> 'oldExpireTime'
        AND (status = 'active' OR (status = 'expired' AND released_at IS NULL))`,
  )
  const renewed = await tx.$executeRaw`
    UPDATE static_orders SET status = iif(status = 'expired', 'active', status), renewed_amount = renewed_amount + ${amount},
      expire_time = (SELECT max(expire_time) FROM instances WHERE order_id = ${order.id} AND status = 'active'), updated_at = ${now}
    WHERE id = ${order.id} AND status IN ('active', 'partial', 'expired')`
  // Nothing else writes between the look at the proxies and this; if something did, nothing of the renewal stays.
  if (prolonged !== items.length || renewed !== 1) throw wrongState(order)
}

/** A supplier of somebody else's may have sold the address again while the proxy was expired. */
async function inUse<Result>(order: OrderInLife, update: () => Promise<Result>): Promise<Result> {
  try {
    return await update()
  } catch (error) {
    if (uniqueViolation(error, 'ip')) throw wrongState(order)
    throw error
  }
}

const firstJson = jsonObject({
  hash: 'r.request_hash',
  orderNo: 'o.order_no',
  renewOrderNo: 'r.renew_order_no',
  amount: 'r.amount',
  balance: 'e.balance_after',
  instances: `(SELECT json_group_array(json_object('instanceNo', i.instance_no, 'oldExpireTime', n.old_expire_time,
                 'newExpireTime', n.new_expire_time) ORDER BY n.id)
               FROM renewed_instances n JOIN instances i ON i.id = n.instance_id WHERE n.renewal_id = r.id)`,
})

/** The first answer to a request that came before under the same number (rules 4.3). */
async function findFirst(
  db: Readable,
  actor: Actor,
  appOrderNo: string,
  hash: string,
): Promise<Renewal | undefined> {
  const [row] = await selectJson<Renewal & { hash: string }>(
    db,
    Prisma.sql`SELECT ${firstJson} AS json FROM renewals r JOIN static_orders o ON o.id = r.order_id
               JOIN ledger_entries e ON e.source = 'renewal:' || r.renew_order_no
               WHERE r.caller_id = ${actor.id} AND r.app_order_no = ${appOrderNo}`,
  )
  if (!row) return undefined
  const { hash: firstHash, ...first } = row
  if (firstHash !== hash)
    throw new ServiceError('idempotency_conflict', { data: { app_order_no: appOrderNo } })
  return first
}
