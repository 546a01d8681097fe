import { sendActivationMail } from './accounts/activation.ts'
import { carryOutBackup } from './backups/carry-out-backup.ts'
import { type LanePauses, sendBroadcast } from './broadcasts/send-broadcast.ts'
import type { OperatorDeps } from './operator/deps.ts'
import { deliverDigest } from './notices/deliver-digest.ts'
import { deliverNotice } from './notices/deliver-notice.ts'
import type { Messenger } from './notices/messenger.ts'
import { autoRenewStaticOrder } from './orders/auto-renew-static-order.ts'
import { completeReplacement } from './orders/complete-replacement.ts'
import { staticOrderCompletion } from './orders/complete-static-order.ts'
import { completeRenewal } from './orders/complete-renewal.ts'
import { completeReset } from './supply/complete-reset.ts'
import { refreshFollowingScreens, type ScreenRefresher } from './screens/refresh-screens.ts'
import { retryWhileConfirming } from './top-ups/retry-while-confirming.ts'
import type { JobKind } from './jobs/job-kinds.ts'
import type { OrderJobKind } from './jobs/job-groups.ts'
import type { ClaimedJob, RetryLater } from './jobs/job-queue.ts'

/** Carries out a job and deletes it, or returns when to try again. Safe to repeat after a crash. */
export type JobHandler<Kind extends JobKind> = (job: ClaimedJob<Kind>) => Promise<RetryLater | undefined>
export type JobHandlers<Kinds extends JobKind = JobKind> = { readonly [Kind in Kinds]: JobHandler<Kind> }

/** What jobs need to reach people. */
export interface Outside {
  readonly messenger: Messenger
  readonly refreshScreen: ScreenRefresher
  /** Where people reach the interface, such as `https://example.com/api`; links in mails begin with it. */
  readonly baseUrl: string
  /** The same for customers of agents with bots of their own: it tells nothing of the shop. */
  readonly agentBaseUrl?: string | undefined
}

/**
 * Makes the handlers of all kinds of jobs.
 *
 * @returns `handleOrder` for jobs of orders, which need nothing outside but the suppliers, and `with` for all kinds
 */
export function jobHandlers(deps: OperatorDeps) {
  const pauses: LanePauses = new Map()
  const orders: JobHandlers<OrderJobKind> = {
    complete_static_order: staticOrderCompletion(deps),
    complete_replacement: (job) => completeReplacement(deps, job),
    auto_renew_static_order: (job) => autoRenewStaticOrder(deps, job),
    complete_renewal: (job) => completeRenewal(deps, job),
    complete_reset: (job) => completeReset(deps, job),
  }
  return {
    /** @throws Error for a job of another kind */
    handleOrder: (job: ClaimedJob) => {
      if (!Object.hasOwn(orders, job.kind)) throw new Error(`${job.kind} is no work on an order`)
      return handle(orders, job as ClaimedJob<OrderJobKind>)
    },
    with: ({ messenger, refreshScreen, ...bases }: Outside): JobHandlers => ({
      ...orders,
      deliver_notice: (job) => deliverNotice(deps, messenger, job),
      deliver_digest: (job) => deliverDigest(deps, messenger, job),
      send_broadcast: (job) => sendBroadcast(deps, messenger, pauses, job),
      refresh_screens: (job) =>
        refreshFollowingScreens(deps, refreshScreen, job, async (followed) =>
          followed.kind === 'top_up' ? retryWhileConfirming(deps, followed.orderNo) : undefined,
        ),
      send_activation_mail: (job) => sendActivationMail(deps, bases, job),
      back_up: (job) => carryOutBackup(deps, job),
    }),
  }
}

/** Carries out a job with the handler of its kind. */
export function handle<Kind extends JobKind>(
  handlers: JobHandlers<Kind>,
  job: ClaimedJob<Kind>,
): Promise<RetryLater | undefined> {
  return handlers[job.kind](job)
}
