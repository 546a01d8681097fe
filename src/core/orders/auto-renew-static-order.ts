import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import { randomText } from '../ids.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { fromNumber } from '../money.ts'
import { announce } from '../notices/announce.ts'
import { GRACE_MS } from './expire-instances.ts'
import { readStaticOrder } from './find-static-order.ts'
import { renewInstances } from './renew-static-order.ts'
import { renewalOf, selfRenewing } from './self-renewing.ts'

/** How long before their expiry proxies renew themselves. */
const LEAD_MS = 60 * 60_000
/** How long after a refusal, such as for money, it is tried again, until they have expired. */
const RETRY_MS = 5 * 60_000
const BATCH = 500

/**
 * Expiry times of the proxies that renew themselves now. One that expired while nothing ran is renewed late, within the
 * grace; what a jump of the clock left further behind expires.
 */
function window(now: Date) {
  return { after: new Date(now.getTime() - GRACE_MS), until: new Date(now.getTime() + LEAD_MS) }
}

/** SQL condition on instances `i`: they renew themselves, and it is time. */
function dueToRenew(now: Date): Prisma.Sql {
  const { after, until } = window(now)
  return Prisma.sql`i.status = 'active' AND i.auto_renew = 1 AND i.expire_time > ${after} AND i.expire_time <= ${until}`
}

/** Of the loop: makes a job for each order of which proxies renew themselves now. */
export async function queueAutoRenewals(deps: CoreDeps): Promise<void> {
  const { db, clock } = deps
  const due = () => Prisma.sql`${dueToRenew(clock.now())}
    AND NOT EXISTS (SELECT 1 FROM static_orders o JOIN jobs j ON j.kind = 'auto_renew_static_order' AND j.key = o.order_no
                    WHERE o.id = i.order_id)`
  for (;;) {
    const some = await db.read.$queryRaw<unknown[]>`SELECT 1 FROM instances i WHERE ${due()} LIMIT 1`
    if (some.length === 0) return
    const queued = await db.write(async (tx) => {
      const orders = await selectJson<string>(
        tx,
        Prisma.sql`SELECT DISTINCT json_quote(o.order_no) AS json FROM static_orders o
                   WHERE o.id IN (SELECT i.order_id FROM instances i WHERE ${due()} LIMIT ${BATCH})`,
      )
      for (const orderNo of orders) await deps.jobs.enqueue(tx, 'auto_renew_static_order', orderNo)
      return orders.length
    })
    if (queued === 0) return
  }
}

/**
 * Renews the proxies of an order that renew themselves and expire soon, by the term for which the order was bought. When
 * the balance does not suffice, or something else forbids it, it is tried again until they have expired. In one transaction
 * with the end of the job, so that no repetition renews twice: what was renewed is not due any more.
 *
 * @returns when to try again, if at all
 */
export async function autoRenewStaticOrder(deps: CoreDeps, job: ClaimedJob): Promise<RetryLater | undefined> {
  try {
    await deps.db.write(async (tx) => {
      await renewDue(deps, tx, job.key)
      await deps.jobs.finish(tx, job)
    })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error
    await deps.db.write((tx) => tellOfFailure(deps, tx, job.key, error))
    deps.jobs.wake()
    // The customer has been told: it waits for money, or for something else that only people change.
    return { retryAfterMs: RETRY_MS, reason: error.code, waiting: true }
  }
  deps.jobs.wake()
  return undefined
}

async function renewDue(deps: CoreDeps, tx: Tx, orderNo: string): Promise<void> {
  const order = await readStaticOrder(tx, orderNo)
  if (!order || (order.status !== 'active' && order.status !== 'partial')) return
  const due = await selfRenewing(tx, order, window(deps.clock.now()))
  if (due.length === 0) return
  const { renewOrderNo, amount, instances, balance } = await renewInstances(deps, tx, {
    order,
    ...(await renewalOf(tx, order, due)),
    ceilings: { unitPrice: 0, totalAmount: 0 },
    callerId: order.userId,
    appOrderNo: `auto:${randomText(20)}`,
    hash: '',
    automatic: true,
  })
  await announce(deps, tx, [
    {
      accountIds: [order.userId],
      kind: 'renewal_done',
      subject: renewOrderNo,
      data: {
        orderNo,
        count: instances.length,
        amount,
        balance,
        expireTime: instances[0]?.newExpireTime ?? '',
      },
    },
  ])
}

/** Once for each expiry, however often it is tried. */
async function tellOfFailure(
  deps: CoreDeps,
  tx: Tx,
  orderNo: string,
  { code, data }: ServiceError,
): Promise<void> {
  const order = await readStaticOrder(tx, orderNo)
  const due = order ? await selfRenewing(tx, order, window(deps.clock.now())) : []
  const [first] = due
  if (!order || !first) return
  const shortfall = fromNumber(Number(data?.['shortfall']))
  const facts = { orderNo, count: due.length, reason: code, expireTime: first.expireTime }
  await announce(deps, tx, [
    {
      accountIds: [order.userId],
      kind: 'renewal_failed',
      subject: `${orderNo} ${first.expireTime}`,
      data: shortfall === undefined ? facts : { ...facts, shortfall },
    },
  ])
}
