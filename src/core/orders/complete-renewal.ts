import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { rowsAsJson, rowsOf } from '../database/dialect.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { balanceOf, bookEntry } from '../ledger/book-entry.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import type { Micros } from '../money.ts'
import { anyRenews, lastExpiry } from './order-of-instances.ts'
import type { SupplierInstance } from '../supply/driver.ts'
import { clearResult, type CallOutcome, readOutcome } from '../supply/outcome.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Delay of a retry while the call to the supplier has not ended. */
const NOT_ENDED_MS = 60_000

/**
 * Job: carries out the supplier's answer to a renewal (rules 5.18), in one transaction that also ends the job. Renewed proxies get
 * their new expiry, never later than the supplier's; the price of the others is refunded by one entry. Idempotent.
 */
export async function completeRenewal(
  deps: Essentials,
  job: ClaimedJob<'complete_renewal'>,
): Promise<RetryLater | undefined> {
  const done = await deps.db.write(async (tx) => {
    const [renewal] = await readProcessing(tx, { renewOrderNo: job.subject })
    const outcome = await readOutcome(tx, job.subject)
    if (renewal && !outcome) return false
    if (renewal && outcome) await settle(deps, tx, renewal, outcome)
    if (outcome) await clearResult(tx, outcome.callNo)
    await deps.jobs.finish(tx, job)
    return true
  })
  if (!done) return { retryAfterMs: NOT_ENDED_MS, reason: 'the supplier has not answered yet', waiting: true }
  return undefined
}

type ProcessingRenewal = Awaited<ReturnType<typeof readProcessing>>[number]
type Item = ProcessingRenewal['items'][number]

const readProcessing = compiled<{ renewOrderNo: string }>()((db, { renewOrderNo }) =>
  db
    .selectFrom('renewals as r')
    .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
    .select(['r.id', 'r.renewOrderNo', 'r.amount', 'r.callerId', 'r.automatic'])
    .select(['r.orderId', 'o.orderNo', 'o.userId'])
    .select(({ selectFrom }) => {
      const renewed = selectFrom('renewedInstances as n').innerJoin('instances as i', 'i.id', 'n.instanceId')
      const items = renewed
        .select(['n.id', 'n.instanceId', 'i.providerInstanceNo', 'n.periods', 'n.amount'])
        .select(['n.oldExpireTime', 'n.newExpireTime', 'i.status', 'i.releasedAt'])
        .select((i) =>
          i
            .exists(
              i
                .selectFrom('instances as other')
                .select('other.id')
                .whereRef('other.ip', '=', 'i.ip')
                .whereRef('other.port', '=', 'i.port')
                .whereRef('other.username', '=', 'i.username')
                .where('other.status', '=', 'active')
                .whereRef('other.id', '<>', 'i.id'),
            )
            .as('inUse'),
        )
        .whereRef('n.renewalId', '=', 'r.id')
      return rowsAsJson(items, 'id', { inUse: true }).as('items')
    })
    .where('r.renewOrderNo', '=', renewOrderNo)
    .where('r.status', '=', 'processing'),
)

/** What became of one proxy of a renewal. */
interface Result {
  readonly item: Item
  readonly renewed: boolean
  /** New expiry; the one that was asked for where the proxy was not renewed. */
  readonly newExpireTime: string
  readonly supplierExpireTime: string | null
}

function resultOf(item: Item, answer: SupplierInstance | undefined): Result {
  const { oldExpireTime, newExpireTime, status, releasedAt, inUse } = item
  const supplierExpireTime = answer && timeOf(answer.expireTime)
  const end = supplierExpireTime && supplierExpireTime < newExpireTime ? supplierExpireTime : newExpireTime
  // A proxy that does not last longer was not renewed, whatever the supplier says. An address that another order has since got
  // cannot be used again.
  const renewed =
    answer !== undefined && end > oldExpireTime && status !== 'released' && releasedAt === null && !inUse
  return {
    item,
    renewed,
    newExpireTime: renewed ? end : newExpireTime,
    supplierExpireTime: supplierExpireTime ?? null,
  }
}

/** Returns the supplier's time in the format of the database; undefined where it is missing or cannot be parsed. */
function timeOf(text: string | undefined): string | undefined {
  const time = new Date(text ?? '')
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

async function settle(
  deps: Essentials,
  tx: Tx,
  renewal: ProcessingRenewal,
  outcome: CallOutcome,
): Promise<void> {
  const now = deps.clock.now()
  const answers = new Map(
    outcome.state === 'settled'
      ? outcome.instances.map((answer) => [answer.providerInstanceNo, answer] as const)
      : [],
  )
  const results = renewal.items.map((item) => resultOf(item, answers.get(item.providerInstanceNo)))
  const renewed = results.filter((result) => result.renewed)
  const failed = results.filter((result) => !result.renewed)
  const refund = failed.reduce((sum, { item }) => sum + item.amount, 0)
  const { id, orderId, orderNo, renewOrderNo, userId } = renewal
  const status = renewed.length > 0 ? 'success' : 'failed'

  const prolonged = await prolongProxies(tx, { proxies: withCosts(renewed, outcome.cost), now })
  if (prolonged.length !== renewed.length) throw new Error(`not all proxies of ${renewOrderNo} are there`)
  await endItems(tx, { items: results.map(endOf) })
  const ended = await endRenewal(tx, {
    id,
    status,
    failReason: failed.length > 0 ? (outcome.reason ?? 'refused by the supplier') : null,
    refund,
    cost: outcome.cost,
    now,
  })
  if (ended.length !== 1) throw new Error(`${renewOrderNo} has ended already`)
  await updateOrder(tx, { orderId, renewed: renewed.length, refund, now })
  if (refund > 0)
    await bookEntry(tx, now, {
      accountId: userId,
      type: 'refund',
      amount: refund,
      source: `renewal-refund:${renewOrderNo}`,
      refundOf: `renewal:${renewOrderNo}`,
      orderType: 'static',
      orderNo,
      operatorId: null,
      ...systemRemark('renewal', renewOrderNo),
    })
  await noteEnd(tx, renewal, status, { renewed, failed, refund })
}

function endOf({ item, renewed, newExpireTime }: Result) {
  return { id: item.id, failed: renewed ? 0 : 1, newExpireTime }
}

/** Returns the renewed proxies, each with its share of what the supplier charged, in proportion to its periods. */
function withCosts(renewed: readonly Result[], cost: Micros | null) {
  let left = cost ?? 0
  let periodsLeft = renewed.reduce((sum, { item }) => sum + item.periods, 0)
  return renewed.map(({ item, newExpireTime, supplierExpireTime }) => {
    const share = periodsLeft === 0 ? 0 : Math.floor((left * item.periods) / periodsLeft)
    left -= share
    periodsLeft -= item.periods
    return { id: item.instanceId, newExpireTime, supplierExpireTime, cost: cost === null ? null : share }
  })
}

const prolongProxies = compiled<{ proxies: ReturnType<typeof withCosts>; now: Date }>()((
  db,
  { proxies, now },
) => {
  const columns = {
    ...({ id: 'integer', newExpireTime: 'text', supplierExpireTime: 'text', cost: 'integer' } as const),
  }
  return db
    .updateTable('instances')
    .from(rowsOf(proxies, columns, 'p'))
    .set(({ eb, ref, fn, lit }) => ({
      status: 'active',
      expireTime: ref('p.newExpireTime'),
      supplierExpireTime: ref('p.supplierExpireTime'),
      cost: eb
        .case()
        .when('p.cost', 'is', null)
        .then(ref('instances.cost'))
        .else(eb(fn.coalesce('instances.cost', lit(0)), '+', ref('p.cost')))
        .end(),
      updatedAt: now,
    }))
    .whereRef('instances.id', '=', 'p.id')
    .where('instances.status', 'in', ['active', 'expired'])
    .where('instances.releasedAt', 'is', null)
    .returning('instances.id')
})

const endItems = compiled<{ items: ReturnType<typeof endOf>[] }>()((db, { items }) =>
  db
    .updateTable('renewedInstances')
    .from(rowsOf(items, { id: 'integer', failed: 'integer', newExpireTime: 'text' }, 'item'))
    .set(({ eb, ref }) => ({
      failed: eb('item.failed', '=', 1).$castTo<boolean>(),
      newExpireTime: ref('item.newExpireTime'),
    }))
    .whereRef('renewedInstances.id', '=', 'item.id'),
)

const endRenewal = compiled<{
  id: number
  status: 'success' | 'failed'
  failReason: string | null
  refund: Micros
  cost: Micros | null
  now: Date
}>()((db, { id, status, failReason, refund, cost, now }) =>
  db
    .updateTable('renewals')
    .set({ status, failReason, refundedAmount: refund, cost, endedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning('id'),
)

/**
 * Makes the order active again when a proxy was renewed: the order may have expired, or its other proxies may have been released,
 * while the renewal waited for the supplier.
 */
const updateOrder = compiled<{ orderId: number; renewed: number; refund: Micros; now: Date }>()(
  (db, { orderId, renewed, refund, now }) =>
    db
      .updateTable('staticOrders')
      .set(({ eb, ref, fn, and }) => ({
        status: eb
          .case()
          .when(and([eb(renewed, '>', 0), eb('status', 'in', ['expired', 'cancelled'])]))
          .then('active' as const)
          .else(ref('status'))
          .end(),
        expireTime: fn.coalesce(lastExpiry(orderId), 'expireTime'),
        autoRenew: anyRenews(orderId),
        refundedAmount: eb('refundedAmount', '+', refund),
        updatedAt: now,
      }))
      .where('id', '=', orderId),
)

async function noteEnd(
  tx: Tx,
  { renewOrderNo, orderNo, userId, callerId, automatic, amount }: ProcessingRenewal,
  status: 'success' | 'failed',
  { renewed, failed, refund }: { renewed: readonly Result[]; failed: readonly Result[]; refund: Micros },
): Promise<void> {
  const [first, firstFailed] = [renewed[0], failed[0]]
  happened(tx, {
    kind: 'renewal.ended',
    renewOrderNo,
    orderNo,
    userId,
    callerId,
    automatic,
    status,
    ...(first && {
      renewed: {
        count: renewed.length,
        amount: amount - refund,
        balance: await balanceOf(tx, userId),
        expireTime: first.newExpireTime,
      },
    }),
    ...(firstFailed && {
      failed: { count: failed.length, refund, expireTime: firstFailed.item.oldExpireTime },
    }),
  })
}
