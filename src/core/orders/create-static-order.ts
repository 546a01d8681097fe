import { createHash } from 'node:crypto'
import { type Actor, targetUser } from '../access/actor.ts'
import type { StockSelection } from '../catalog/stock.ts'
import { atOnce } from '../database/at-once.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Readable, Tx } from '../database/database.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { recordEarning } from '../earnings/record-earning.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber, randomText } from '../ids.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { redeemPromoCode } from '../promotions/redeem-promo-code.ts'
import { usablePromoCode } from '../promotions/usable-promo-code.ts'
import { refuseNumberOfOtherKind } from '../requests/application-number.ts'
import { priceStaticOrder, selectionOf, type StaticOrderTerms } from './price-static-order.ts'
import { refuseFullChain, refuseLoop } from '../supply/instance-id.ts'
import { StaticOrderInput, type StaticOrderRequest } from './static-order-input.ts'
import { supplierOf } from '../supply/supplier.ts'
import { happened } from '../facts/happened.ts'
import type { OrderDeps } from './deps.ts'

interface AcceptedOrder {
  readonly orderNo: string
  readonly appOrderNo: string
  /** Whether the order existed already: the request is a repetition. */
  readonly replayed: boolean
}

/**
 * Accepts a static order (rules 4.2, 5.5, 11.11): price, debit, reservation of stock, order, and the job or the call to the supplier,
 * in one transaction. The job completes it afterwards; that of a supplied order is enqueued when its call has ended.
 *
 * @param via ids of the services that resell the order, the first seller first; passed on to the supplier that it is bought from
 * @throws insufficient_balance, out_of_stock, price_changed, promo_code_not_found, promo_code_not_usable, rate_limited,
 *   idempotency_conflict, resale_loop, and what pricing and targeting refuse
 */
export async function createStaticOrder(
  deps: OrderDeps,
  actor: Actor,
  input: StaticOrderInput,
  via: readonly string[] = [],
): Promise<AcceptedOrder> {
  await refuseLoop(deps, via)
  const order = parseInput(StaticOrderInput, input)
  const request: IdentifiedRequest = {
    order,
    via,
    appOrderNo: order.appOrderNo ?? `A${randomText(20)}`,
    hash: createHash('sha256')
      .update(JSON.stringify({ ...order, appOrderNo: null }))
      .digest('base64url'),
  }
  const known = order.appOrderNo ? await replay(deps.db.read, actor, request) : undefined
  if (known) return known
  try {
    // Not mixed with a promotion code: its limit per user is checked by a read, not by a conditional update.
    const mixes = order.promoCode === undefined ? 'static_order' : undefined
    const orderNo = await deps.db.write((tx) => accept(deps, tx, actor, request), mixes)
    return { orderNo, appOrderNo: request.appOrderNo, replayed: false }
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
  readonly order: StaticOrderRequest
  readonly via: readonly string[]
  readonly appOrderNo: string
  readonly hash: string
}

async function accept(deps: OrderDeps, tx: Tx, actor: Actor, request: IdentifiedRequest): Promise<string> {
  const { order } = request
  await refuseNumberOfOtherKind(tx, actor, order.appOrderNo, 'staticOrders')
  const buyer = await targetUser(tx, actor, order.userId)
  const now = deps.clock.now()
  const code = await usablePromoCode(deps, tx, actor, buyer, order.promoCode)
  const orderNo = newNumber('S', now)
  // Before the first write: mixed jobs can still share the reads that hearers of this fact make.
  happened(tx, { kind: 'order.created', orderNo, userId: buyer.id })
  const terms = await priceStaticOrder(tx, now, buyer, order, code)
  if (terms.offer) refuseFullChain(request.via)

  const { productId, productNo, offer, periods, totalAmount, earning, shopAmount } = terms
  const selection = selectionOf(productId, order)
  const source = `order:${orderNo}`
  const [orderId] = await atOnce([
    insertOrder(tx, now, { ...request, orderNo, callerId: actor.id, terms, selection }),
    bookEntry(tx, now, {
      accountId: buyer.id,
      type: 'consumption',
      amount: -totalAmount,
      source,
      orderType: 'static',
      orderNo,
      operatorId: actor.id,
      remark: order.remark ?? '',
    }),
    redeemPromoCode(tx, now, {
      ...terms,
      orderType: 'static',
      orderNo,
      userId: buyer.id,
      operatorId: actor.id,
    }),
    recordEarning(
      tx,
      now,
      buyer,
      { source, productId, orderNo, paid: totalAmount, earning },
      'after_refund_window',
    ),
    // The end of the call enqueues the job of an order that is bought elsewhere.
    ...(offer ? [] : [deps.jobs.enqueue(tx, 'complete_static_order', orderNo)]),
  ])
  const supplyOrder = {
    orderId,
    orderNo,
    productNo,
    ipCount: order.ipCount,
    offer,
    periods,
    shopAmount,
    projectId: order.projectId ?? null,
    via: request.via,
  }
  await supplierOf(deps, terms.supplier).reserve(tx, supplyOrder, selection)
  return orderNo
}

interface NewOrder extends IdentifiedRequest {
  readonly orderNo: string
  readonly callerId: number
  readonly terms: StaticOrderTerms
  readonly selection: StockSelection
}

function insertOrder(
  tx: Tx,
  now: Date,
  { order, orderNo, appOrderNo, hash, callerId, terms, selection }: NewOrder,
): Promise<number> {
  return insertStaticOrder(tx, {
    orderNo,
    callerId,
    appOrderNo,
    requestHash: hash,
    userId: order.userId,
    productId: terms.productId,
    projectId: order.projectId ?? null,
    countryCode: order.countryCode ?? null,
    cityCode: order.cityCode ?? null,
    staticType: order.staticType ?? null,
    ipCount: order.ipCount,
    duration: order.duration,
    unit: order.unit,
    cycleTimes: order.cycleTimes,
    periods: terms.periods,
    unitPrice: terms.unitPrice,
    tiers: JSON.stringify(terms.tiers),
    totalAmount: terms.totalAmount,
    discount: terms.discount,
    promoCode: terms.promo?.code ?? null,
    locationId: terms.offer?.locationId ?? null,
    namesProxies: namesProxies(selection),
    autoRenew: order.autoRenew,
    remark: order.remark ?? '',
    createdAt: now,
    updatedAt: now,
  })
}

/** Returns whether an order names addresses or ranges (rules 5.4). */
function namesProxies({ assignedIps = [], cidrBlocks = [] }: StockSelection): boolean {
  return assignedIps.length > 0 || cidrBlocks.length > 0
}

const insertStaticOrder = compiledInsert('staticOrders')

/** Returns the answer to a repeated request (rules 4.3). */
async function replay(
  db: Readable,
  actor: Actor,
  { appOrderNo, hash }: IdentifiedRequest,
): Promise<AcceptedOrder | undefined> {
  const [first] = await firstOrder(db, { callerId: actor.id, appOrderNo })
  if (first && first.hash !== hash)
    throw new ServiceError('idempotency_conflict', { data: { app_order_no: appOrderNo } })
  return first && { orderNo: first.orderNo, appOrderNo, replayed: true }
}

const firstOrder = compiled<{ callerId: number; appOrderNo: string }>()((db, { callerId, appOrderNo }) =>
  db
    .selectFrom('staticOrders')
    .select(['orderNo', 'requestHash as hash'])
    .where('callerId', '=', callerId)
    .where('appOrderNo', '=', appOrderNo),
)
