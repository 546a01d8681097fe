import { checkDelivery } from '../checks/check-delivery.ts'
import type { Tx } from '../database/database.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { endReplacement, giveUp, swap, replacementEnded } from './carry-out-replacement.ts'
import { expireDueOf } from './expire-instances.ts'
import { type ReplacedProxy, readReplaced } from './replaced-proxy.ts'
import { findProcessing } from './replacement.ts'
import { type Supplier, type SuppliedProxy, supplierOf } from '../supply/supplier.ts'
import type { OrderDeps } from './deps.ts'

/**
 * Exchanges a proxy for another one of the own stock that was checked before (rules 5.22, 5.23), in one transaction that also ends
 * the job. Nothing is reserved meanwhile: a proxy that somebody buys is left out, and the next one is checked.
 *
 * @returns when to go on; undefined when the replacement has ended
 */
export async function exchangeChecked(
  deps: OrderDeps,
  job: ClaimedJob<'complete_replacement'>,
  old: ReplacedProxy,
): Promise<RetryLater | undefined> {
  const supplier = supplierOf(deps, old.supplier)
  const equal = await supplier.equalTo?.(deps.db.read, old)
  if (equal && deps.checks?.regular) {
    const check = await checkDelivery(deps, deps.checks, {
      subject: job.subject,
      supplier: old.supplier,
      proxies: [equal],
      condemn: async (tx, dead) => {
        for (const providerInstanceNo of dead) await supplier.withdraw?.(tx, providerInstanceNo)
      },
    })
    if ('later' in check) return check.later
  }
  const ended = await deps.db.write(async (tx) => {
    const isOver = await exchange(deps, tx, supplier, { replacementNo: job.subject, equal })
    if (isOver) await deps.jobs.finish(tx, job)
    return isOver
  })
  return ended ? undefined : { retryAfterMs: 0, reason: 'the other proxy was sold meanwhile', waiting: true }
}

/** @returns whether the replacement has ended; false when the equal proxy is not free any more */
async function exchange(
  deps: OrderDeps,
  tx: Tx,
  supplier: Supplier,
  { replacementNo, equal }: { readonly replacementNo: string; readonly equal: SuppliedProxy | undefined },
): Promise<boolean> {
  const now = deps.clock.now()
  const [replacement] = await findProcessing(tx, { replacementNo })
  if (!replacement) return true
  const { id, callerId: operatorId, note, refundAccepted } = replacement
  await expireDueOf(tx, now, replacement.orderId)
  const proxy = await readReplaced(tx, replacement.instanceId)
  const end = async (status: 'done' | 'refunded' | 'declined', other?: SuppliedProxy, refund = 0) => {
    const newAddress = { newIp: other?.ip ?? null, newPort: other?.port ?? null }
    await endReplacement(tx, { id, status, refundAmount: refund, ...newAddress, now })
    replacementEnded(tx, proxy, { replacementNo, note, status, refund, ...newAddress })
    return true
  }
  // The old proxy ended while the other one was being checked, which nobody needs any more.
  if (proxy.status !== 'active') return end('declined')
  const other = equal && (await supplier.exchange?.(tx, proxy, equal.providerInstanceNo))
  if (equal && !other) return false
  if (other) {
    await swap(deps, tx, proxy, other)
    return end('done', other)
  }
  if (!refundAccepted) return end('declined')
  const refund = await giveUp(deps, tx, proxy, { id, replacementNo, operatorId })
  await supplier.layAside?.(tx, proxy)
  return end('refunded', undefined, refund)
}
