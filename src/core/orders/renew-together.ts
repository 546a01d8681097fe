import { z } from 'zod'
import { type Actor, targetUser } from '../access/actor.ts'
import type { Readable, Tx } from '../database/database.ts'
import { type ErrorCode, InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { randomText } from '../ids.ts'
import { balanceOf, insufficientBalance } from '../ledger/book-entry.ts'
import type { Micros } from '../money.ts'
import { once } from '../requests/once.ts'
import { capableConnection } from '../supply/capable-connection.ts'
import { nextTurn } from '../turns.ts'
import { expireDueOf } from './expire-instances.ts'
import { findStaticOrder, type OrderInLife } from './find-static-order.ts'
import { checkCeilings } from './price-static-order.ts'
import { proxiesNamed } from './proxies-named.ts'
import { refundUntil } from './refund-terms.ts'
import { TOGETHER } from './renewable-proxies.ts'
import { RenewalInput } from './renewal-input.ts'
import type { Renewal } from './renewal.ts'
import { type PricedRenewal, priceRenewal, type RenewalTerms, wantedInstances } from './renewal-terms.ts'
import { renewInstances } from './renew-static-order.ts'
import { agentMoved } from './agent-moved.ts'
import { InstanceNo } from '../identifiers.ts'
import type { OrderDeps } from './deps.ts'

const { shape } = RenewalInput.unwrap()

/** Proxies of one user, whatever orders they came with (rules 5.30). */
export const TogetherInput = z.object({
  instances: z.array(InstanceNo).min(1).max(TOGETHER.proxies),
  /** Without it each proxy is renewed by the term for which its order was bought. */
  duration: shape.duration.unwrap().nullish(),
  unit: shape.unit,
  cycleTimes: shape.cycleTimes,
  /** Ceiling of the total, as in a renewal of one order. */
  totalAmount: shape.totalAmount,
})

type TogetherRequest = z.output<typeof TogetherInput>

/** The proxies of one order that are renewed at one price. */
export interface QuotedPart extends Pick<RenewalTerms, 'unitPrice' | 'amount' | 'nextTier' | 'items'> {
  readonly order: OrderInLife
}

export interface TogetherQuote {
  /** The account that pays. */
  readonly userId: number
  readonly totalAmount: Micros
  readonly currency: string
  readonly balance: Micros
  readonly balanceAfter: Micros
  readonly parts: readonly QuotedPart[]
  /** Proxies that cannot be renewed like this, by their numbers, and why; they are not in the total. */
  readonly refused: readonly { readonly instances: readonly string[]; readonly error: ErrorCode }[]
}

/**
 * Calculates what renewing proxies of several orders together would cost, without changing anything. What cannot be renewed is named
 * and left out of the price; a low balance is not refused.
 *
 * @throws as {@link renewTogether} where that is about the request as a whole
 */
export async function quoteTogether(
  deps: OrderDeps,
  actor: Actor,
  input: z.input<typeof TogetherInput>,
): Promise<TogetherQuote> {
  const request = parseInput(TogetherInput, input)
  const { read } = deps.db
  const refused: TogetherQuote['refused'][number][] = []
  const attempt = async <Result>(numbers: readonly string[], work: () => Promise<Result>) => {
    await nextTurn()
    try {
      return [await work()]
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      refused.push({ instances: numbers, error: error.code })
      return []
    }
  }
  const { buyer, bundles } = await bundlesOf(read, actor, request)
  const found: Wanted[] = []
  for (const bundle of bundles)
    found.push(...(await attempt(bundle.numbers, () => wantedOf(deps, read, actor, buyer, bundle, request))))

  // Proxies that are refused at pricing lower the number, and with it the tier, of the others, which are priced again.
  let wanted: readonly Wanted[] = found
  for (;;) {
    const priced: (QuotedPart & { readonly of: Wanted })[] = []
    for (const of of counted(deps.clock.now(), wanted)) {
      const { order } = of
      const terms = await attempt(of.numbers, () => priceRenewal(read, deps.clock.now(), of))
      priced.push(
        ...terms.map(({ unitPrice, amount, nextTier, items }) => ({
          order,
          of,
          unitPrice,
          amount,
          nextTier,
          items,
        })),
      )
    }
    if (priced.length === wanted.length) {
      const parts = priced.map(({ of: _of, ...part }) => part)
      const totalAmount = parts.reduce((sum, { amount }) => sum + amount, 0)
      const balance = await balanceOf(read, buyer.id)
      return {
        userId: buyer.id,
        totalAmount,
        currency: deps.currency,
        balance,
        balanceAfter: balance - totalAmount,
        parts,
        refused,
      }
    }
    wanted = priced.map(({ of }) => of)
  }
}

export interface RenewedTogether {
  /** One for each order; several where its proxies came with several orders of the third party. */
  readonly renewals: readonly Renewal[]
  readonly totalAmount: Micros
  /** Balance of the user right after the payment. */
  readonly balance: Micros
}

/**
 * Renews proxies of several orders of one user in one transaction: all of them or none (rules 5.30). Those of one product are priced
 * by their number together. Each order has its renewal, which goes on as by {@link renewInstances}.
 *
 * @param requestKey a repeated request with it gets the first answer again
 * @throws instance_not_found, order_processing, invalid_state, duration_not_supported, product_not_found, price_changed,
 *   insufficient_balance (for the total), supplier_error, validation_error, idempotency_conflict, and what targeting refuses
 */
export async function renewTogether(
  deps: OrderDeps,
  actor: Actor,
  input: z.input<typeof TogetherInput>,
  requestKey?: string,
): Promise<RenewedTogether & { readonly replayed: boolean }> {
  const request = parseInput(TogetherInput, input)
  const keyed = { key: requestKey, kind: 'renew_together', input: request }
  return once(deps, actor, keyed, (tx) => renewAll(deps, tx, actor, request))
}

async function renewAll(
  deps: OrderDeps,
  tx: Tx,
  actor: Actor,
  request: TogetherRequest,
): Promise<RenewedTogether> {
  const now = deps.clock.now()
  const { buyer, bundles } = await bundlesOf(tx, actor, request)
  for (const orderId of new Set(bundles.map((bundle) => bundle.orderId))) await expireDueOf(tx, now, orderId)
  const found: Wanted[] = []
  for (const bundle of bundles) found.push(await wantedOf(deps, tx, actor, buyer, bundle, request))
  const wanted = counted(now, found)

  let totalAmount: Micros = 0
  for (const part of wanted) totalAmount += (await priceRenewal(tx, now, part)).amount
  const { totalAmount: most } = request
  checkCeilings({ unitPrice: 0, totalAmount }, { unitPrice: 0, totalAmount: most })
  const before = await balanceOf(tx, buyer.id)
  if (before < totalAmount) throw insufficientBalance(totalAmount, before)

  const renewals: Renewal[] = []
  for (const part of wanted) {
    const renewal = await renewInstances(deps, tx, {
      ...part,
      ceilings: { unitPrice: 0, totalAmount: 0 },
      callerId: actor.id,
      appOrderNo: `A${randomText(20)}`,
      hash: '',
      automatic: false,
    })
    agentMoved(tx, actor, {
      userId: buyer.id,
      number: renewal.renewOrderNo,
      amount: -renewal.amount,
      balance: renewal.balance,
      cause: { kind: 'renewal', orderNo: renewal.orderNo },
    })
    renewals.push(renewal)
  }
  return { renewals, totalAmount, balance: before - totalAmount }
}

/** Proxies that one renewal can prolong: of one order and, where a third party has them, of one order there. */
interface Bundle {
  readonly orderId: number
  readonly numbers: readonly string[]
}

interface Wanted extends PricedRenewal, Bundle {}

/** @throws instance_not_found, validation_error, and what targeting refuses */
async function bundlesOf(
  db: Readable,
  actor: Actor,
  { instances }: TogetherRequest,
): Promise<{ readonly buyer: Actor; readonly bundles: readonly Bundle[] }> {
  const found = await proxiesNamed(db, actor, instances)
  const [userId = 0, ...others] = new Set(found.map((each) => each.userId))
  if (others.length > 0) throw InvalidInput.of('instances', 'several_users')
  if (new Set(found.map(({ orderId }) => orderId)).size > TOGETHER.orders)
    throw InvalidInput.of('instances', 'too_many_orders')
  const buyer = await targetUser(db, actor, userId)
  const bundles = new Map<string, { orderId: number; numbers: string[] }>()
  for (const { orderId, providerOrderNo, instanceNo } of found) {
    const key = `${orderId} ${providerOrderNo ?? ''}`
    const bundle = bundles.get(key) ?? { orderId, numbers: [] }
    bundle.numbers.push(instanceNo)
    bundles.set(key, bundle)
  }
  return { buyer, bundles: [...bundles.values()] }
}

/** @throws order_processing, invalid_state */
async function wantedOf(
  deps: OrderDeps,
  db: Readable,
  actor: Actor,
  buyer: Actor,
  { orderId, numbers }: Bundle,
  { duration, unit, cycleTimes }: TogetherRequest,
): Promise<Wanted> {
  const order = await findStaticOrder(db, actor, { id: orderId })
  const { connectionId } = order
  const term = duration ? { duration, unit, cycleTimes } : order
  const wanted = await wantedInstances(db, deps.clock.now(), order, {
    duration: term.duration,
    unit: term.unit,
    cycleTimes: term.cycleTimes,
    instances: numbers.map((instanceNo) => ({ instanceNo })),
  })
  if (connectionId !== null) await capableConnection(deps, 'renews', { ...order, connectionId })
  return { order, buyer, wanted, orderId, numbers }
}

/**
 * Sets for each part the number of proxies by which its tier is chosen: that of all proxies of the product. An order that can still
 * be released for a refund counts by itself, so that nobody renews many for the sake of the price, and then releases them.
 */
function counted(now: Date, all: readonly Wanted[]): Wanted[] {
  const open = ({ order }: Wanted) => now <= refundUntil(order)
  const numbers = new Map<number, number>()
  for (const each of all)
    if (!open(each)) {
      const { productId } = each.order
      numbers.set(productId, (numbers.get(productId) ?? 0) + each.wanted.length)
    }
  return all.map((each) => ({
    ...each,
    together: open(each) ? each.wanted.length : (numbers.get(each.order.productId) ?? each.wanted.length),
  }))
}
