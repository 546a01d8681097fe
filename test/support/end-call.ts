import type { SupplierInstance } from '../../src/core/supply/driver.ts'
import type { Service } from './service.ts'

interface End {
  /** The proxies as the supplier has them now; it refuses without. */
  readonly instances?: readonly SupplierInstance[]
  readonly reason?: string
  /** What it charged, in 10^-6 of the account currency. */
  readonly cost?: number
}

/** Ends a call as the lane of its connection does: its end, and the job that hands over what came of it, in one transaction. */
export async function endCall(
  { db, core, clock }: Pick<Service, 'db' | 'core' | 'clock'>,
  callNo: string,
  { instances, reason, cost }: End,
): Promise<void> {
  await db.write(async (tx) => {
    const call = await tx.supplierCall.update({
      where: { callNo },
      data: {
        state: instances ? 'settled' : 'refused',
        nextAt: null,
        cost: cost ?? null,
        reason: reason ?? null,
        result: instances ? JSON.stringify({ instances }) : null,
        updatedAt: clock.now(),
      },
    })
    if (call.kind === 'renew') await core.jobs.queue.enqueue(tx, 'complete_renewal', call.subject)
    if (call.kind === 'reset') await core.jobs.queue.enqueue(tx, 'complete_reset', callNo)
  })
}
