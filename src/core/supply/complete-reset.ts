import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { parsed } from '../database/dialect.ts'
import type { ResetRequest } from './driver.ts'
import { clearResult, type CallOutcome, readOutcome } from './outcome.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Pause in ms before a retry when the call has not ended yet. */
const NOT_ENDED_MS = 60_000

/**
 * Job: stores the credentials that a supplier has given to a proxy (rules 5.19) and tells the user, in one transaction that also ends
 * the job. Idempotent: the result of the call is deleted with it.
 */
export async function completeReset(
  deps: Essentials,
  job: ClaimedJob<'complete_reset'>,
): Promise<RetryLater | undefined> {
  const done = await deps.db.write(async (tx) => {
    const outcome = await readOutcome(tx, job.subject)
    if (!outcome) return false
    await store(deps, tx, outcome)
    await clearResult(tx, outcome.callNo)
    await deps.jobs.finish(tx, job)
    return true
  })
  if (!done) return { retryAfterMs: NOT_ENDED_MS, reason: 'the supplier has not answered yet', waiting: true }
  return undefined
}

async function store(deps: Essentials, tx: Tx, { callNo, state, instances }: CallOutcome): Promise<void> {
  const [proxy] = await readProxy(tx, { callNo })
  const asked = proxy?.request.instances[0]?.providerInstanceNo
  if (!proxy || asked === undefined) return
  const [instance] = await findProxy(tx, { orderId: proxy.orderId, providerInstanceNo: asked })
  // It may have been released or replaced meanwhile.
  if (instance?.status !== 'active') return
  const answer = state === 'settled' ? instances.find((one) => one.providerInstanceNo === asked) : undefined
  if (answer) {
    const { username, password } = answer
    await setCredentials(tx, { id: instance.id, username, password, now: deps.clock.now() })
  }
  const { orderNo, userId } = proxy
  const { instanceNo } = instance
  const changed = answer !== undefined
  happened(tx, { kind: 'credentials.reset', userId, orderNo, number: callNo, instanceNo, changed })
}

const readProxy = compiled<{ callNo: string }>()((db, { callNo }) =>
  db
    .selectFrom('supplierCalls as c')
    .innerJoin('staticOrders as o', 'o.id', 'c.orderId')
    .select(['c.orderId', 'o.orderNo', 'o.userId'])
    .select(({ ref }) => parsed<ResetRequest>(ref('c.request')).as('request'))
    .where('c.callNo', '=', callNo),
)

const findProxy = compiled<{ orderId: number; providerInstanceNo: string }>()(
  (db, { orderId, providerInstanceNo }) =>
    db
      .selectFrom('instances')
      .select(['id', 'instanceNo', 'status'])
      .where('orderId', '=', orderId)
      .where('providerInstanceNo', '=', providerInstanceNo),
)

const setCredentials = compiled<{ id: number; username: string; password: string; now: Date }>()(
  (db, { id, username, password, now }) =>
    db.updateTable('instances').set({ username, password, updatedAt: now }).where('id', '=', id),
)
