import { firstCheckAt } from '../checks/verdict.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import type { Micros } from '../money.ts'
import { returnToAgent } from '../promotions/redeem-promo-code.ts'
import { updateOrder } from './cancel-static-order.ts'
import { releaseNumber, requestRelease } from '../supply/request-release.ts'
import { buyReplacement } from './replace-supplied.ts'
import type { ReplacedProxy } from './replaced-proxy.ts'
import { setProcessing } from './replacement.ts'
import { restOfTerm } from './rest-of-term.ts'
import { giveBackStockCosts } from './stock-costs.ts'
import { type SuppliedProxy, supplierOf } from '../supply/supplier.ts'
import { happened } from '../facts/happened.ts'
import type { FactOf } from '../facts/facts.ts'
import type { OrderDeps } from './deps.ts'

/** A replacement that is being carried out. */
export interface OpenReplacement {
  readonly id: number
  readonly replacementNo: string
  /** Whether the customer takes the price of the rest of the term where there is no equal proxy. */
  readonly refundAccepted: boolean
  /** Whether money may come back at all, also when the purchase of the other proxy fails (rules 5.31). */
  readonly mayRefund: boolean
  /** The account that caused it; null for the operator. */
  readonly operatorId: number | null
}

/**
 * Exchanges a proxy for another one of the same product and place (rules 5.22), or begins to buy or to check one, or gives back the
 * price of the rest of its term, where there is none and the customer takes that.
 *
 * @throws out_of_stock
 */
export async function carryOutReplacement(
  deps: OrderDeps,
  tx: Tx,
  proxy: ReplacedProxy,
  replacement: OpenReplacement,
): Promise<'done' | 'processing' | 'refunded'> {
  const { orderId, locationId, connectionId } = proxy
  if (locationId !== null && (await buyReplacement(deps, tx, proxy, replacement))) return 'processing'
  const supplier = supplierOf(deps, proxy.supplier)
  if (deps.checks?.regular && (await supplier.equalTo?.(tx, proxy))) {
    await setProcessing(tx, replacement)
    await deps.jobs.enqueue(tx, 'complete_replacement', replacement.replacementNo)
    return 'processing'
  }
  const other = await supplier.exchange?.(tx, proxy)
  if (other) {
    await swap(deps, tx, proxy, other)
    await endReplacement(tx, {
      id: replacement.id,
      status: 'done',
      refundAmount: 0,
      now: deps.clock.now(),
      newIp: other.ip,
      newPort: other.port,
    })
    return 'done'
  }
  if (!replacement.refundAccepted)
    throw new ServiceError('out_of_stock', { data: { requested: 1, available: 0 } })
  await giveUp(deps, tx, proxy, replacement)
  await supplier.layAside?.(tx, proxy)
  if (connectionId !== null) {
    const number = releaseNumber(replacement.replacementNo)
    await requestRelease(deps, tx, { orderId, connectionId, number, proxies: [proxy] })
  }
  return 'refunded'
}

/** What a swap changes besides the address. */
interface Supplied {
  /** The supplier's number of the order that it came with. */
  readonly providerOrderNo: string | null
  readonly supplierExpireTime: string | null
  readonly expireTime: string
  readonly cost: Micros | null
}

/**
 * Gives an instance another address and credentials; it keeps its number, and the results of its checks are deleted.
 *
 * @param supplied terms of a bought proxy; by default those of a proxy of the own stock, which ends when the old one would have ended
 */
export async function swap(
  deps: OrderDeps,
  tx: Tx,
  proxy: ReplacedProxy,
  other: Pick<SuppliedProxy, 'providerInstanceNo' | 'ip' | 'port' | 'username' | 'password' | 'cidr'>,
  supplied: Supplied = {
    providerOrderNo: null,
    supplierExpireTime: null,
    expireTime: proxy.expireTime,
    cost: proxy.cost,
  },
): Promise<void> {
  const { providerInstanceNo, ip, port, username, password, cidr } = other
  const now = deps.clock.now()
  const nextCheckAt = deps.checks?.regular ? firstCheckAt(now) : null
  await setProxy(tx, {
    id: proxy.id,
    providerInstanceNo,
    ip,
    port,
    username,
    password,
    cidr,
    nextCheckAt,
    now,
    ...supplied,
  })
  await forgetChecks(tx, { id: proxy.id })
  const { orderNo, userId } = proxy
  happened(tx, { kind: 'order.changed', orderNo, userId })
}

interface NewProxy extends Supplied {
  readonly id: number
  readonly providerInstanceNo: string
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly cidr: string
  readonly nextCheckAt: string | null
  readonly now: Date
}

const setProxy = compiled<NewProxy>()((db, values) =>
  db
    .updateTable('instances')
    .set({
      providerInstanceNo: values.providerInstanceNo,
      providerOrderNo: values.providerOrderNo,
      ip: values.ip,
      port: values.port,
      username: values.username,
      password: values.password,
      cidr: values.cidr,
      nextCheckAt: values.nextCheckAt,
      supplierExpireTime: values.supplierExpireTime,
      expireTime: values.expireTime,
      cost: values.cost,
      verdict: null,
      answerMs: null,
      failures: 0,
      failingSince: null,
      updatedAt: values.now,
    })
    .where('id', '=', values.id),
)

const forgetChecks = compiled<{ id: number }>()((db, { id }) =>
  db.deleteFrom('proxyChecks').where('instanceId', '=', id),
)

/** Releases a proxy that cannot be replaced, and gives back what was paid for the rest of its term. */
export async function giveUp(
  deps: OrderDeps,
  tx: Tx,
  proxy: ReplacedProxy,
  { id, replacementNo, operatorId }: Pick<OpenReplacement, 'id' | 'replacementNo' | 'operatorId'>,
): Promise<Micros> {
  const now = deps.clock.now()
  const { amount: refund, toAgent } = await restOfTerm(tx, proxy, now)
  if (proxy.connectionId === null)
    await giveBackStockCosts(tx, now, { orderId: proxy.orderId, ids: [proxy.id] })
  await releaseWith(tx, { id: proxy.id, refund, toAgent, now })
  await updateOrder(tx, { orderId: proxy.orderId, refund, now })
  await endReplacement(tx, { id, status: 'refunded', refundAmount: refund, newIp: null, newPort: null, now })
  const { orderNo, userId } = proxy
  const source = `replacement:${replacementNo}`
  await returnToAgent(tx, now, { orderNo, amount: toAgent, source, operatorId })
  if (refund > 0) {
    await bookEntry(tx, now, {
      accountId: userId,
      type: 'refund',
      amount: refund,
      source,
      orderType: 'static',
      orderNo,
      operatorId,
    })
  }
  happened(tx, { kind: 'order.released', orderNo, userId })
  return refund
}

const releaseWith = compiled<{ id: number; refund: Micros; toAgent: Micros; now: Date }>()(
  (db, { id, refund, toAgent, now }) =>
    db
      .updateTable('instances')
      .set(({ eb }) => ({
        status: 'released',
        releasedAt: now,
        refundedAmount: eb('refundedAmount', '+', refund),
        agentReturned: eb('agentReturned', '+', toAgent),
        nextCheckAt: null,
        updatedAt: now,
      }))
      .where('id', '=', id)
      .where('status', '=', 'active'),
)

interface End {
  readonly id: number
  readonly status: 'done' | 'refunded' | 'declined'
  readonly refundAmount: Micros
  readonly newIp: string | null
  readonly newPort: number | null
  readonly now: Date
}

/** Notes how a replacement ended. */
export async function endReplacement(tx: Tx, end: End): Promise<void> {
  await setEnd(tx, end)
}

const setEnd = compiled<End>()((db, { id, status, refundAmount, newIp, newPort, now }) =>
  db
    .updateTable('replacements')
    .set({ status, refundAmount, newIp, newPort, endedAt: now })
    .where('id', '=', id)
    .where('status', 'in', ['requested', 'processing']),
)

/** Reports to the owner how a replacement ended that was not done at once. */
export function replacementEnded(
  tx: Tx,
  { id: instanceId, instanceNo, orderNo, userId, ip: oldIp, port: oldPort }: ReplacedProxy,
  end: Pick<
    FactOf<'replacement.ended'>,
    'replacementNo' | 'status' | 'newIp' | 'newPort' | 'refund' | 'note'
  >,
): void {
  const proxy = { orderNo, userId, instanceNo, instanceId, oldIp, oldPort }
  happened(tx, { kind: 'replacement.ended', ...proxy, ...end })
}
