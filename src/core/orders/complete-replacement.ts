import { compiled } from '../database/compiled.ts'
import type { CoreDeps } from '../deps.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import type { Tx } from '../database/database.ts'
import { clearResult, readOutcome } from '../supply/outcome.ts'
import { requestRelease } from '../supply/request-release.ts'
import { endReplacement, giveUp, releaseNumber, swap, tellOfReplacement } from './carry-out-replacement.ts'
import { expireDueOf } from './expire-instances.ts'
import { withoutUsed } from './proxies-in-use.ts'
import { readReplaced } from './replaced-proxy.ts'

/** The call has ended before the job is there; this is only a net. */
const WAIT_MS = 60_000

/**
 * Job: hands over a proxy that was bought in place of another one, or gives back the price of the rest of the term where it could not
 * be bought (rules 5.22); in one transaction that also ends the job. Idempotent. The proxy that is not used any more is given back.
 */
export async function completeReplacement(
  deps: CoreDeps,
  job: ClaimedJob<'complete_replacement'>,
): Promise<RetryLater | undefined> {
  const replacementNo = job.subject
  const outcome = await readOutcome(deps.db.read, replacementNo)
  if (!outcome) return { retryAfterMs: WAIT_MS, reason: 'the call has not ended', waiting: true }
  await deps.db.write(async (tx) => {
    await complete(deps, tx, replacementNo, outcome)
    await clearResult(tx, outcome.callNo)
    await deps.jobs.finish(tx, job)
  })
  deps.jobs.wake()
  return undefined
}

type Outcome = NonNullable<Awaited<ReturnType<typeof readOutcome>>>

async function complete(deps: CoreDeps, tx: Tx, replacementNo: string, outcome: Outcome): Promise<void> {
  const now = deps.clock.now()
  const [replacement] = await findProcessing(tx, { replacementNo })
  if (!replacement) return
  const { id, callerId, note } = replacement
  await setCost(tx, { id, cost: outcome.cost })
  await expireDueOf(tx, now, replacement.orderId)
  const proxy = await readReplaced(tx, replacement.instanceId)
  const { orderId, orderNo, connectionId, supplier } = proxy
  const { callNo, providerOrderNo } = outcome
  const { free } = await withoutUsed(deps, tx, {
    callNo,
    orderNo,
    supplier,
    ordered: 1,
    proxies: outcome.instances,
  })
  const [bought] = free
  const release = async (left: Parameters<typeof requestRelease>[2]['proxies'][number]) => {
    if (connectionId === null) return
    const number = releaseNumber(replacementNo)
    await requestRelease(deps, tx, { orderId, connectionId, number, proxies: [left] })
  }
  const tell = (
    end: Pick<Parameters<typeof tellOfReplacement>[3], 'status' | 'newIp' | 'newPort' | 'refund'>,
  ) => tellOfReplacement(deps, tx, proxy, { replacementNo, note, ...end })

  if (proxy.status !== 'active') {
    // It ended while the other one was being bought: nobody needs that any more.
    await endReplacement(tx, { id, status: 'declined', refundAmount: 0, newIp: null, newPort: null, now })
    await tell({ status: 'declined', newIp: null, newPort: null, refund: 0 })
    if (bought) await release({ ...bought, providerOrderNo })
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
    await tell({ status: 'done', ...newAddress, refund: 0 })
  } else {
    const refund = await giveUp(deps, tx, proxy, { id, replacementNo, operatorId: callerId })
    await tell({ status: 'refunded', newIp: null, newPort: null, refund })
  }
  await release(proxy)
}

const findProcessing = compiled<{ replacementNo: string }>()((db, { replacementNo }) =>
  db
    .selectFrom('replacements')
    .select(['id', 'instanceId', 'orderId', 'callerId', 'note'])
    .where('replacementNo', '=', replacementNo)
    .where('status', '=', 'processing'),
)

const setCost = compiled<{ id: number; cost: number | null }>()((db, { id, cost }) =>
  db.updateTable('replacements').set({ cost }).where('id', '=', id),
)
