import { createHash } from 'node:crypto'
import { type Actor, targetUser } from '../access/actor.ts'
import type { PriceTiers } from '../catalog/tiers.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { rowsOf } from '../database/dialect.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { recordEarning } from '../earnings/record-earning.ts'
import { parseInput } from '../errors.ts'
import { newNumber, randomText } from '../ids.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import type { Micros } from '../money.ts'
import { refuseNumberOfOtherKind } from '../requests/application-number.ts'
import { expireDueOf } from './expire-instances.ts'
import { findStaticOrder, type OrderInLife, wrongState } from './find-static-order.ts'
import { lastExpiry } from './order-of-instances.ts'
import { checkCeilings } from './price-static-order.ts'
import { RenewalInput, type RenewalRequest } from './renewal-input.ts'
import { findFirst, type Renewal, type RenewalStatus } from './renewal.ts'
import { type PricedRenewal, priceRenewal, type RenewalItem, wantedInstances } from './renewal-terms.ts'
import { costOfTerm, countStockCosts, monthlyCosts } from './stock-costs.ts'
import { agentMoved } from './agent-moved.ts'
import { requestRenewal } from '../supply/request-renewal.ts'
import { happened } from '../facts/happened.ts'
import type { OrderDeps } from './deps.ts'

/**
 * Renews proxies of an order (rules 5.7): priced like a new order of as many IPs by the order's user, who pays. Proxies of the own
 * stock are paid and prolonged in one transaction; those of a third party are paid, and prolonged when it has answered (rules 5.18).
 * The new expiry is the later of now and the old one, plus the term. An expired proxy becomes active again within its grace.
 *
 * @returns the renewal; that of the first request as it stands now, with `replayed`, when the same request comes again
 * @throws order_not_found, instance_not_found, order_processing, invalid_state, duration_not_supported, insufficient_balance,
 *   supplier_error, price_changed, product_not_found (it has no price any more), idempotency_conflict, validation_error, and what targeting refuses
 */
export async function renewStaticOrder(
  deps: OrderDeps,
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
    const renewal = await renewInstances(deps, tx, { order, buyer, wanted, ceilings: request, ...identity })
    agentMoved(tx, actor, {
      userId: buyer.id,
      number: renewal.renewOrderNo,
      amount: -renewal.amount,
      balance: renewal.balance,
      cause: { kind: 'renewal', orderNo: order.orderNo },
    })
    return { ...renewal, replayed: false }
  })
  return renewal
}

/** Returns the hash by which a repeated request is recognized: of its proxies and terms, however it names the order. */
function hashOf(order: OrderInLife, request: RenewalRequest): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...request, order: order.id, appOrderNo: null }))
    .digest('base64url')
}

interface RenewalOrder extends PricedRenewal {
  readonly ceilings: Pick<RenewalRequest, 'unitPrice' | 'totalAmount'>
  readonly callerId: number
  readonly appOrderNo: string
  readonly hash: string
  readonly automatic: boolean
}

/**
 * Pays for a renewal and prolongs the proxies, or asks the supplier to, in the open transaction.
 *
 * @throws as {@link renewStaticOrder}
 */
export async function renewInstances(deps: OrderDeps, tx: Tx, renewal: RenewalOrder): Promise<Renewal> {
  const { order, buyer, callerId } = renewal
  const now = deps.clock.now()
  const { unitPrice, tiers, amount, earning, items } = await priceRenewal(tx, now, renewal)
  checkCeilings({ unitPrice, totalAmount: amount }, renewal.ceilings)

  const renewOrderNo = newNumber('R', now)
  const { connectionId } = order
  const status = connectionId === null ? 'success' : 'processing'
  await addRenewal(tx, now, { ...renewal, renewOrderNo, unitPrice, tiers, amount, items, status })
  const { balanceAfter } = await bookEntry(tx, now, {
    accountId: buyer.id,
    type: 'consumption',
    amount: -amount,
    source: `renewal:${renewOrderNo}`,
    orderType: 'static',
    orderNo: order.orderNo,
    operatorId: callerId,
    ...systemRemark('renewal', renewOrderNo),
  })
  const { productId, orderNo } = order
  const sale = { source: `renewal:${renewOrderNo}`, productId, orderNo, paid: amount, earning }
  await recordEarning(tx, now, buyer, sale, 'after_refund_window')
  if (connectionId === null) await prolong(tx, now, renewal, amount, items)
  else {
    await charge(tx, now, order, amount)
    await requestRenewal(deps, tx, now, {
      ...order,
      orderId: order.id,
      connectionId,
      renewOrderNo,
      shopAmount: amount - earning,
      periods: items[0]?.periods ?? 0,
      proxies: renewal.wanted.map(({ instance }) => instance),
    })
  }
  happened(tx, { kind: 'renewal.begun', renewOrderNo, orderNo, status, userId: buyer.id })
  return {
    orderNo: order.orderNo,
    renewOrderNo,
    userId: order.userId,
    username: buyer.username,
    automatic: renewal.automatic,
    amount,
    status,
    failReason: null,
    refundedAmount: 0,
    instances: items.map(({ instanceNo, oldExpireTime, newExpireTime }) => ({
      instanceNo,
      status,
      oldExpireTime,
      newExpireTime,
    })),
    balance: balanceAfter,
    createdAt: now.toISOString(),
    endedAt: null,
  }
}

interface NewRenewal extends RenewalOrder {
  readonly renewOrderNo: string
  readonly unitPrice: Micros
  readonly tiers: PriceTiers
  readonly amount: Micros
  readonly items: readonly RenewalItem[]
  readonly status: RenewalStatus
}

async function addRenewal(tx: Tx, now: Date, renewal: NewRenewal): Promise<void> {
  const {
    order,
    renewOrderNo,
    callerId,
    appOrderNo,
    hash,
    automatic,
    unitPrice,
    tiers,
    amount,
    items,
    status,
  } = renewal
  const renewalId = await insertRenewal(tx, {
    renewOrderNo,
    orderId: order.id,
    callerId,
    appOrderNo,
    requestHash: hash,
    automatic,
    amount,
    tiers: JSON.stringify(tiers),
    status,
    endedAt: status === 'processing' ? null : now,
    createdAt: now,
  })
  await insertItems(tx, { renewalId, unitPrice, items })
}

const insertRenewal = compiledInsert('renewals')

const ITEM = {
  ...({ id: 'integer', periods: 'integer', amount: 'integer' } as const),
  ...({ oldExpireTime: 'text', newExpireTime: 'text' } as const),
}

type Items = Pick<NewRenewal, 'items'>

const insertItems = compiled<Items & { renewalId: number; unitPrice: Micros }>()(
  (db, { items, renewalId, unitPrice }) =>
    db
      .insertInto('renewedInstances')
      .columns([
        'renewalId',
        'unitPrice',
        'instanceId',
        'periods',
        'amount',
        'oldExpireTime',
        'newExpireTime',
      ])
      .expression(({ selectFrom }) =>
        selectFrom(rowsOf(items, ITEM, 'item')).select([
          renewalId.as('renewalId'),
          unitPrice.as('unitPrice'),
          ...([
            'item.id',
            'item.periods',
            'item.amount',
            'item.oldExpireTime',
            'item.newExpireTime',
          ] as const),
        ]),
      ),
)

async function prolong(
  tx: Tx,
  now: Date,
  { order, wanted }: RenewalOrder,
  amount: Micros,
  items: readonly RenewalItem[],
): Promise<void> {
  const monthly = await monthlyCosts(tx, order.id)
  const costs = wanted.map(({ instance, term }) => costOfTerm(monthly.get(instance.id), term))
  const costed = items.map((item, index) => ({ ...item, cost: costs[index] ?? null }))
  const prolonged = await refuseIfResold(order, () =>
    prolongProxies(tx, { orderId: order.id, now, items: costed }),
  )
  await countStockCosts(tx, now, [{ orderId: order.id, costs }])
  const renewed = await prolongOrder(tx, { orderId: order.id, amount, now })
  // Cannot happen within a transaction; if a row has changed all the same, the whole renewal is rolled back.
  if (prolonged.length !== items.length || renewed.length !== 1) throw wrongState(order)
}

interface Prolonged {
  readonly items: readonly (RenewalItem & { readonly cost: Micros | null })[]
  readonly orderId: number
  readonly now: Date
}

const prolongProxies = compiled<Prolonged>()((db, { items, orderId, now }) =>
  db
    .updateTable('instances')
    .from(rowsOf(items, { ...ITEM, cost: 'integer' }, 'item'))
    .set(({ ref, eb, fn, lit }) => ({
      status: 'active',
      expireTime: ref('item.newExpireTime'),
      cost: fn.coalesce(eb(fn.coalesce('instances.cost', lit(0)), '+', ref('item.cost')), 'instances.cost'),
      updatedAt: now,
    }))
    .whereRef('instances.id', '=', 'item.id')
    .whereRef('instances.expireTime', '=', 'item.oldExpireTime')
    // `+ 0` prevents SQLite from using the index of orderId, which would scan all of the order's proxies for each item.
    .where(({ eb }) => eb(eb('instances.orderId', '+', 0), '=', orderId))
    .where(({ eb, or, and }) =>
      or([
        eb('instances.status', '=', 'active'),
        and([eb('instances.status', '=', 'expired'), eb('instances.releasedAt', 'is', null)]),
      ]),
    )
    .returning('instances.id'),
)

const prolongOrder = compiled<{ orderId: number; amount: Micros; now: Date }>()(
  (db, { orderId, amount, now }) =>
    db
      .updateTable('staticOrders')
      .set(({ eb, ref }) => ({
        status: eb
          .case()
          .when('status', '=', 'expired')
          .then('active' as const)
          .else(ref('status'))
          .end(),
        renewedAmount: eb('renewedAmount', '+', amount),
        expireTime: lastExpiry(orderId),
        updatedAt: now,
      }))
      .where('id', '=', orderId)
      .where('status', 'in', ['active', 'partial', 'expired'])
      .returning('id'),
)

/** Adds the price of a renewal that waits for the supplier to the renewed amount of its order. */
async function charge(tx: Tx, now: Date, order: OrderInLife, amount: Micros): Promise<void> {
  const charged = await chargeOrder(tx, { orderId: order.id, amount, now })
  if (charged.length !== 1) throw wrongState(order)
}

const chargeOrder = compiled<{ orderId: number; amount: Micros; now: Date }>()(
  (db, { orderId, amount, now }) =>
    db
      .updateTable('staticOrders')
      .set(({ eb }) => ({ renewedAmount: eb('renewedAmount', '+', amount), updatedAt: now }))
      .where('id', '=', orderId)
      .where('status', 'in', ['active', 'partial', 'expired'])
      .returning('id'),
)

/** Refuses the renewal when another active proxy has taken the address and username since the proxy expired. */
async function refuseIfResold<Result>(order: OrderInLife, update: () => Promise<Result>): Promise<Result> {
  try {
    return await update()
  } catch (error) {
    if (uniqueViolation(error, 'ip')) throw wrongState(order)
    throw error
  }
}
