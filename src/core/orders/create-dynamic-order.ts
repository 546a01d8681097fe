import { createHash } from 'node:crypto'
import { type Actor, targetUser } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Readable, Tx } from '../database/database.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { recordEarning } from '../earnings/record-earning.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber, randomText } from '../ids.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { MAX_MICROS, type Micros, toNumber } from '../money.ts'
import { creditTraffic } from '../traffic/credit-traffic.ts'
import { redeemPromoCode } from '../promotions/redeem-promo-code.ts'
import { usablePromoCode } from '../promotions/usable-promo-code.ts'
import { refuseNumberOfOtherKind } from '../requests/application-number.ts'
import { DynamicOrderInput, type DynamicOrderRequest } from './dynamic-order-input.ts'
import { type DynamicOrder, readDynamicOrder } from './list-dynamic-orders.ts'
import { priceDynamicOrder } from './price-dynamic-order.ts'
import { agentMoved } from './agent-moved.ts'
import { happened } from '../facts/happened.ts'
import type { OrderDeps } from './deps.ts'

export interface BoughtTraffic {
  readonly order: DynamicOrder
  /** Balance of the buyer right after the purchase. */
  readonly balance: Micros
  /** Whether the order existed already: the request is a repetition. */
  readonly replayed: boolean
}

/**
 * Sells traffic (rules 4.2, 6.1): price, debit, order and credited traffic in one transaction. The order is active at once.
 *
 * @param ceiling the most that the actor has agreed to pay
 * @throws insufficient_balance, product_not_found, price_changed (it would cost more), idempotency_conflict, validation_error, and
 *   what targeting and promotion codes refuse
 */
export async function createDynamicOrder(
  deps: OrderDeps,
  actor: Actor,
  input: DynamicOrderInput,
  ceiling: Micros = MAX_MICROS,
): Promise<BoughtTraffic> {
  const parsed = parseInput(DynamicOrderInput, input)
  const order = { ...parsed, userId: parsed.userId ?? actor.id }
  const request: IdentifiedRequest = {
    order,
    appOrderNo: order.appOrderNo ?? `A${randomText(20)}`,
    hash: hashOf(order),
  }
  const known = order.appOrderNo ? await replay(deps.db.read, actor, request) : undefined
  if (known) return known
  try {
    return await deps.db.write((tx) => accept(deps, tx, actor, request, ceiling))
  } catch (error) {
    // The same request came twice at once, and the other one was first.
    const first = uniqueViolation(error, 'app_order_no')
      ? await replay(deps.db.read, actor, request)
      : undefined
    if (!first) throw error
    return first
  }
}

interface IdentifiedRequest {
  readonly order: DynamicOrderRequest & { readonly userId: number }
  readonly appOrderNo: string
  readonly hash: string
}

/** Returns the hash by which a repeated request is recognized: of what it buys, without spelling and ignored fields. */
function hashOf({ poolId, trafficAmount, userId, remark, promoCode }: IdentifiedRequest['order']): string {
  const bought = ['dynamic', poolId, trafficAmount, userId, remark ?? '', ...(promoCode ? [promoCode] : [])]
  return createHash('sha256').update(JSON.stringify(bought)).digest('base64url')
}

async function accept(
  deps: OrderDeps,
  tx: Tx,
  actor: Actor,
  { order, appOrderNo, hash }: IdentifiedRequest,
  ceiling: Micros,
): Promise<BoughtTraffic> {
  await refuseNumberOfOtherKind(tx, actor, order.appOrderNo, 'dynamicOrders')
  const buyer = await targetUser(tx, actor, order.userId)
  const code = await usablePromoCode(deps, tx, actor, buyer, order.promoCode)
  const terms = await priceDynamicOrder(tx, buyer, order, code)
  const { productId, bytes, unitPrice, totalAmount, earning, discount, promo } = terms
  if (totalAmount > ceiling)
    throw new ServiceError('price_changed', {
      data: { unit_price: toNumber(unitPrice), total_amount: toNumber(totalAmount) },
    })
  const now = deps.clock.now()
  const orderNo = newNumber('D', now)
  await insertOrder(tx, {
    orderNo,
    callerId: actor.id,
    appOrderNo,
    requestHash: hash,
    userId: buyer.id,
    productId,
    trafficBytes: bytes,
    unitPrice,
    totalAmount,
    discount,
    promoCode: promo?.code ?? null,
    remark: order.remark ?? '',
    createdAt: now,
    updatedAt: now,
  })
  const { balanceAfter } = await bookEntry(tx, now, {
    accountId: buyer.id,
    type: 'consumption',
    amount: -totalAmount,
    source: `order:${orderNo}`,
    orderType: 'dynamic',
    orderNo,
    operatorId: actor.id,
    remark: order.remark ?? '',
  })
  const sale = { source: `order:${orderNo}`, productId, orderNo, paid: totalAmount, earning }
  await recordEarning(tx, now, buyer, sale, 'at_once')
  const use = { orderType: 'dynamic', orderNo, userId: buyer.id, operatorId: actor.id } as const
  await redeemPromoCode(tx, now, { ...terms, ...use })
  await creditTraffic(tx, now, { userId: buyer.id, productId, bytes })
  const cause = { kind: 'traffic', orderNo } as const
  const moved = { userId: buyer.id, number: orderNo, amount: -totalAmount, balance: balanceAfter, cause }
  agentMoved(tx, actor, moved)
  happened(tx, { kind: 'traffic.bought', orderNo, userId: buyer.id })
  return { order: await readDynamicOrder(tx, orderNo), balance: balanceAfter, replayed: false }
}

const insertOrder = compiledInsert('dynamicOrders')

/**
 * Returns the answer to a repeated request (rules 4.3): the order and the balance as they were the first time, whatever has been used
 * and spent since.
 */
async function replay(
  db: Readable,
  actor: Actor,
  { appOrderNo, hash }: IdentifiedRequest,
): Promise<BoughtTraffic | undefined> {
  const [first] = await firstOrder(db, { callerId: actor.id, appOrderNo })
  if (!first) return undefined
  if (first.hash !== hash)
    throw new ServiceError('idempotency_conflict', { data: { app_order_no: appOrderNo } })
  const order = await readDynamicOrder(db, first.orderNo)
  return {
    order: {
      ...order,
      usedBytes: 0,
      remainingBytes: order.trafficBytes,
      status: 'active',
      updatedAt: order.createdAt,
    },
    balance: first.balance,
    replayed: true,
  }
}

const firstOrder = compiled<{ callerId: number; appOrderNo: string }>()((db, { callerId, appOrderNo }) =>
  db
    .selectFrom('dynamicOrders as o')
    .innerJoin('ledgerEntries as e', (on) =>
      on.on(({ eb, val, ref }) => eb('e.source', '=', eb(val('order:'), '||', ref('o.orderNo')))),
    )
    .select(['o.orderNo', 'o.requestHash as hash', 'e.balanceAfter as balance'])
    .where('o.callerId', '=', callerId)
    .where('o.appOrderNo', '=', appOrderNo),
)
