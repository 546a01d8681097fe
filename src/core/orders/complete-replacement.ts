import { checkDelivery, type DeliveryCheck } from '../checks/check-delivery.ts'
import { compiled } from '../database/compiled.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import type { Tx } from '../database/database.ts'
import { type CallOutcome, clearResult, readOutcome } from '../supply/outcome.ts'
import { releaseNumber, requestRelease } from '../supply/request-release.ts'
import { endReplacement, giveUp, swap, replacementEnded } from './carry-out-replacement.ts'
import { exchangeChecked } from './exchange-checked.ts'
import { expireDueOf } from './expire-instances.ts'
import { withoutUsed } from './proxies-in-use.ts'
import { type ReplacedProxy, readReplaced } from './replaced-proxy.ts'
import { findProcessing } from './replacement.ts'
import type { OrderDeps } from './deps.ts'

/** Delay of a retry while the call has not ended; only a safety net, as the end of the call enqueues the job. */
const WAIT_MS = 60_000

/**
 * Job: hands over a proxy in place of another one, if it works, or gives back the price of the rest of the term where there is none
 * (rules 5.22, 5.23); in one transaction that also ends the job. Idempotent. The proxy that is not used any more is given back.
 */
export async function completeReplacement(
  deps: OrderDeps,
  job: ClaimedJob<'complete_replacement'>,
): Promise<RetryLater | undefined> {
  const { read } = deps.db
  const [replacement] = await findProcessing(read, { replacementNo: job.subject })
  const proxy = replacement && (await readReplaced(read, replacement.instanceId))
  return proxy?.locationId === null ? exchangeChecked(deps, job, proxy) : handOverBought(deps, job, proxy)
}

/** @param proxy undefined when the replacement has ended: only the job is left */
async function handOverBought(
  deps: OrderDeps,
  job: ClaimedJob<'complete_replacement'>,
  proxy: ReplacedProxy | undefined,
): Promise<RetryLater | undefined> {
  const replacementNo = job.subject
  const outcome = await readOutcome(deps.db.read, replacementNo)
  if (!outcome) return { retryAfterMs: WAIT_MS, reason: 'the call has not ended', waiting: true }
  const check = await checkBought(deps, replacementNo, proxy, outcome)
  if ('later' in check) return check.later
  await deps.db.write(async (tx) => {
    await complete(deps, tx, replacementNo, outcome, check.dead)
    await clearResult(tx, outcome.callNo)
    await deps.jobs.finish(tx, job)
  })
  return undefined
}

async function checkBought(
  deps: OrderDeps,
  subject: string,
  proxy: ReplacedProxy | undefined,
  { instances: proxies }: CallOutcome,
): Promise<DeliveryCheck> {
  if (!proxy || !deps.checks?.regular) return { dead: new Set() }
  const { supplier } = proxy
  return checkDelivery(deps, deps.checks, { subject, supplier, proxies, condemn: () => Promise.resolve() })
}

async function complete(
  deps: OrderDeps,
  tx: Tx,
  replacementNo: string,
  outcome: CallOutcome,
  dead: ReadonlySet<string>,
): Promise<void> {
  const now = deps.clock.now()
  const [replacement] = await findProcessing(tx, { replacementNo })
  if (!replacement) return
  const { id, callerId, note } = replacement
  await setCost(tx, { id, cost: outcome.cost })
  await expireDueOf(tx, now, replacement.orderId)
  const proxy = await readReplaced(tx, replacement.instanceId)
  const { orderId, orderNo, connectionId, supplier } = proxy
  const { callNo, providerOrderNo } = outcome
  const { free } = await withoutUsed(tx, {
    callNo,
    orderNo,
    supplier,
    ordered: 1,
    proxies: outcome.instances,
  })
  const bought = free.find(({ providerInstanceNo }) => !dead.has(providerInstanceNo))
  const leftOver = free.filter((one) => one !== bought).map((one) => ({ ...one, providerOrderNo }))
  const release = async (...proxies: Parameters<typeof requestRelease>[2]['proxies']) => {
    if (connectionId === null || proxies.length === 0) return
    const number = releaseNumber(replacementNo)
    await requestRelease(deps, tx, { orderId, connectionId, number, proxies })
  }
  const tell = (
    end: Pick<Parameters<typeof replacementEnded>[2], 'status' | 'newIp' | 'newPort' | 'refund'>,
  ) => replacementEnded(tx, proxy, { replacementNo, note, ...end })

  if (proxy.status !== 'active') {
    // The old proxy ended while the other one was being bought, which nobody needs any more.
    await endReplacement(tx, { id, status: 'declined', refundAmount: 0, newIp: null, newPort: null, now })
    tell({ status: 'declined', newIp: null, newPort: null, refund: 0 })
    await release(...leftOver, ...(bought ? [{ ...bought, providerOrderNo }] : []))
    return
  }
  if (bought) {
    const supplierExpireTime = bought.expireTime ? new Date(bought.expireTime).toISOString() : null
    await swap(
      deps,
      tx,
      proxy,
      { ...bought, cidr: bought.cidr ?? '' },
      {
        providerOrderNo,
        supplierExpireTime,
        expireTime:
          supplierExpireTime !== null && supplierExpireTime < proxy.expireTime
            ? supplierExpireTime
            : proxy.expireTime,
        cost: (proxy.cost ?? 0) + (outcome.cost ?? 0),
      },
    )
    const newAddress = { newIp: bought.ip, newPort: bought.port }
    await endReplacement(tx, { id, status: 'done', refundAmount: 0, ...newAddress, now })
    tell({ status: 'done', ...newAddress, refund: 0 })
  } else if (replacement.refundAccepted) {
    const refund = await giveUp(deps, tx, proxy, { id, replacementNo, operatorId: callerId })
    tell({ status: 'refunded', newIp: null, newPort: null, refund })
  } else {
    // No check of ours had failed: the old proxy stays in use, and only the operator can grant money instead.
    await endReplacement(tx, { id, status: 'declined', refundAmount: 0, newIp: null, newPort: null, now })
    tell({ status: 'declined', newIp: null, newPort: null, refund: 0 })
    await release(...leftOver)
    return
  }
  await release(proxy, ...leftOver)
}

const setCost = compiled<{ id: number; cost: number | null }>()((db, { id, cost }) =>
  db.updateTable('replacements').set({ cost }).where('id', '=', id),
)
