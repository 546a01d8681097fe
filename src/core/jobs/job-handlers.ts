import { sendActivationMail } from '../accounts/activation.ts'
import { sendBroadcast } from '../broadcasts/send-broadcast.ts'
import type { CoreDeps } from '../deps.ts'
import { deliverDigest } from '../notices/deliver-digest.ts'
import { deliverNotice } from '../notices/deliver-notice.ts'
import type { Messenger } from '../notices/messenger.ts'
import { autoRenewStaticOrder } from '../orders/auto-renew-static-order.ts'
import { staticOrderCompletion } from '../orders/complete-static-order.ts'
import { releaseAtSupplier, renewAtSupplier } from '../orders/tell-supplier.ts'
import { refreshFollowingScreens, type ScreenRefresher } from '../top-ups/refresh-screens.ts'
import type { ClaimedJob, JobKind, OrderJobKind, RetryLater } from './job-queue.ts'

/** Does a job and deletes it, or says when to try again. Harmless to repeat after a crash. */
export type JobHandler = (job: ClaimedJob) => Promise<RetryLater | undefined>

/** Who reaches people for the jobs that tell them something. */
export interface Outside {
  readonly messenger: Messenger
  readonly refreshScreen: ScreenRefresher
  /** Where people reach the interface, such as `https://example.com/api`; links in mails begin with it. */
  readonly baseUrl: string
}

/**
 * What every kind of job does.
 *
 * @returns `handleOrder` for work on orders, which reaches nobody outside but the suppliers, and `with` for all of it
 */
export function jobHandlers(deps: CoreDeps) {
  const orders: Readonly<Record<OrderJobKind, JobHandler>> = {
    complete_static_order: staticOrderCompletion(deps),
    auto_renew_static_order: (job) => autoRenewStaticOrder(deps, job),
    renew_at_supplier: (job) => renewAtSupplier(deps, job),
    release_at_supplier: (job) => releaseAtSupplier(deps, job),
  }
  return {
    /** @throws Error for a job of another kind */
    handleOrder: (job: ClaimedJob): ReturnType<JobHandler> => {
      const handler = Object.hasOwn(orders, job.kind) ? orders[job.kind as OrderJobKind] : undefined
      if (!handler) throw new Error(`${job.kind} is no work on an order`)
      return handler(job)
    },
    with: ({ messenger, refreshScreen, baseUrl }: Outside): Readonly<Record<JobKind, JobHandler>> => ({
      ...orders,
      deliver_notice: (job) => deliverNotice(deps, messenger, job),
      deliver_digest: (job) => deliverDigest(deps, messenger, job),
      send_broadcast: (job) => sendBroadcast(deps, messenger, job),
      refresh_screens: (job) => refreshFollowingScreens(deps, refreshScreen, job),
      send_activation_mail: (job) => sendActivationMail(deps, baseUrl, job),
    }),
  }
}
