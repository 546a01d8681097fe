import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { isTrue } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import { randomText } from '../ids.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { fromNumber } from '../money.ts'
import { GRACE_MS } from './expire-instances.ts'
import { type OrderInLife, readStaticOrder } from './find-static-order.ts'
import { waitsForSupplier } from './order-of-instances.ts'
import { renewInstances } from './renew-static-order.ts'
import { ofOneSupplierOrder } from './renewal-terms.ts'
import { type ExpirySpan, renewalOf, renewsWithin, selfRenewing } from './self-renewing.ts'
import { happened } from '../facts/happened.ts'
import type { OrderDeps } from './deps.ts'

/** How long before their expiry proxies are renewed automatically; those of a third party earlier, because it takes time to answer. */
const LEAD_MS = 60 * 60_000
const SUPPLIED_LEAD_MS = 6 * LEAD_MS
/** Delay of a retry after a refusal, such as for lack of balance; retried until the proxies have expired. */
const RETRY_MS = 5 * 60_000
/** Delay of a retry after a refusal by the supplier; longer, because each attempt is charged and refunded. */
const REFUSED_MS = 30 * 60_000
const BATCH = 500

/**
 * Returns the span of the expiry times that are to be renewed now. A proxy whose time came while the server was down is renewed
 * late, within the grace; after the grace it expires.
 */
function spanOf(now: Date, lead: number): ExpirySpan {
  const time = (ms: number) => new Date(now.getTime() + ms).toISOString()
  return { after: time(-GRACE_MS), until: time(lead) }
}

function spanFor({ connectionId }: OrderInLife, now: Date): ExpirySpan {
  return spanOf(now, connectionId === null ? LEAD_MS : SUPPLIED_LEAD_MS)
}

/** Span of the expiry times to be renewed; for proxies of third parties it ends later, at `suppliedUntil`. */
interface Due<Time = string> extends ExpirySpan<Time> {
  readonly suppliedUntil: Time
  /** Proxies whose supplier has refused after this time are left out. */
  readonly refusedSince: Time
}

function dueAt(now: Date): Due {
  return {
    ...spanOf(now, LEAD_MS),
    suppliedUntil: spanOf(now, SUPPLIED_LEAD_MS).until,
    refusedSince: new Date(now.getTime() - REFUSED_MS).toISOString(),
  }
}

/** Selects proxies `i` that are to be renewed, wait for no supplier, and whose orders have no job for it yet. */
function proxiesToRenew({ after, until, suppliedUntil, refusedSince }: Due<Expression<string>>) {
  return expressionBuilder<DB>()
    .selectFrom('instances as i')
    .where(renewsWithin({ after, until: suppliedUntil }))
    .where(({ eb, or, exists, selectFrom }) => {
      const supplied = selectFrom('staticOrders as o')
        .select('o.id')
        .whereRef('o.id', '=', 'i.orderId')
        .where('o.locationId', 'is not', null)
      return or([eb('i.expireTime', '<=', until), exists(supplied)])
    })
    .where(({ not, ref }) => not(waitsForSupplier(ref('i.id'))))
    .where(({ not, exists, selectFrom }) => {
      const refused = selectFrom('renewedInstances as n')
        .innerJoin('renewals as r', 'r.id', 'n.renewalId')
        .select('n.id')
        .whereRef('n.instanceId', '=', 'i.id')
        .where(({ ref }) => isTrue(ref('n.failed')))
        .where('r.endedAt', '>', refusedSince)
      return not(exists(refused))
    })
    .where(({ not, exists, selectFrom }) => {
      const job = selectFrom('staticOrders as o')
        .innerJoin('jobs as j', 'j.key', 'o.orderNo')
        .select('j.id')
        .whereRef('o.id', '=', 'i.orderId')
        .where('j.kind', '=', 'auto_renew_static_order')
      return not(exists(job))
    })
}

const findDue = compiled<Due>()((db, { after, until, suppliedUntil, refusedSince }) => {
  const due = proxiesToRenew({ after, until, suppliedUntil, refusedSince })
  return db.selectFrom(due.select('i.id').limit(1).as('i')).selectAll()
})

const findOrders = compiled<Due>()((db, { after, until, suppliedUntil, refusedSince }) => {
  const due = proxiesToRenew({ after, until, suppliedUntil, refusedSince })
  return db
    .selectFrom('staticOrders as o')
    .select('o.orderNo')
    .where('o.id', 'in', due.select('i.orderId').limit(BATCH))
    .orderBy('o.id')
})

/** Sweep of the loop: enqueues a job for each order that has proxies to be renewed now. */
export async function queueAutoRenewals(deps: OrderDeps): Promise<void> {
  const { db, clock } = deps
  while ((await findDue(db.read, dueAt(clock.now()))).length > 0) {
    const queued = await db.write(async (tx) => {
      const orders = await findOrders(tx, dueAt(clock.now()))
      for (const { orderNo } of orders) await deps.jobs.enqueue(tx, 'auto_renew_static_order', orderNo)
      return orders.length
    })
    if (queued === 0) return
  }
}

/**
 * Renews the proxies of an order that renew themselves and expire soon, by the term for which the order was bought. When the
 * renewal is refused, for lack of balance or another reason, it is tried again until they have expired. Renewal and end of the job
 * are one transaction, so no repetition renews twice: renewed proxies are not due any more.
 *
 * @returns when to try again; undefined when the job is done
 */
export async function autoRenewStaticOrder(
  deps: OrderDeps,
  job: ClaimedJob<'auto_renew_static_order'>,
): Promise<RetryLater | undefined> {
  try {
    await deps.db.write(async (tx) => {
      await renewDue(deps, tx, job.subject)
      await deps.jobs.finish(tx, job)
    })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error
    await deps.db.write((tx) => noteRefusal(deps, tx, job.subject, error))
    // The customer has been told; only a person can remove the cause, such as a low balance, so the job does not count as failing.
    return { retryAfterMs: RETRY_MS, reason: error.code, waiting: true }
  }
  return undefined
}

async function renewDue(deps: OrderDeps, tx: Tx, orderNo: string): Promise<void> {
  const order = await readStaticOrder(tx, orderNo)
  if (!order || (order.status !== 'active' && order.status !== 'partial')) return
  // The proxies of other supplier orders follow when these are being renewed.
  const due = ofOneSupplierOrder(await selfRenewing(tx, order, spanFor(order, deps.clock.now())))
  if (due.length === 0) return
  const { renewOrderNo, status, amount, instances, balance } = await renewInstances(deps, tx, {
    order,
    ...(await renewalOf(tx, order, due)),
    ceilings: { unitPrice: 0, totalAmount: 0 },
    callerId: order.userId,
    appOrderNo: `auto:${randomText(20)}`,
    hash: '',
    automatic: true,
  })
  // A renewal that waits for the supplier is reported when the supplier has answered.
  if (status === 'processing') return
  happened(tx, {
    kind: 'renewal.automatic',
    userId: order.userId,
    orderNo,
    renewOrderNo,
    count: instances.length,
    amount,
    balance,
    expireTime: instances[0]?.newExpireTime ?? '',
  })
}

/** Reports that the renewal was refused. */
async function noteRefusal(
  deps: OrderDeps,
  tx: Tx,
  orderNo: string,
  { code, data }: ServiceError,
): Promise<void> {
  const order = await readStaticOrder(tx, orderNo)
  const due = order ? ofOneSupplierOrder(await selfRenewing(tx, order, spanFor(order, deps.clock.now()))) : []
  const [first] = due
  if (!order || !first) return
  const shortfall = fromNumber(Number(data?.['shortfall']))
  happened(tx, {
    kind: 'renewal.refused',
    userId: order.userId,
    orderNo,
    count: due.length,
    reason: code,
    expireTime: first.expireTime,
    ...(shortfall !== undefined && { shortfall }),
  })
}
