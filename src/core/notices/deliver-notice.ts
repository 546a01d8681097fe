import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { chatsToldOf } from './concerns.ts'
import type { OperatorFactKind } from '../facts/operator-facts.ts'
import type { DeliveryResult, Messenger, Notice, OperatorNotice } from './messenger.ts'
import { recipientOf, settle, unlessItStands, waitingNotices, type WaitingNotice } from './outbox.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * Delivers one notice of the outbox. It is sent twice only when the process dies, or the answer is lost, between Telegram's
 * acceptance and the commit here.
 *
 * @returns when to try again; undefined when the job is done
 */
export async function deliverNotice(
  deps: Essentials,
  messenger: Messenger,
  job: ClaimedJob<'deliver_notice'>,
): Promise<RetryLater | undefined> {
  const [notice] = await waitingNotices(deps, [job.subject])
  const result = notice && (await tell(deps, messenger, notice))
  if (result?.status === 'later') return result
  return deps.db.write(async (tx) => {
    const again = notice && result?.status === 'held' ? await unlessItStands(tx, notice.chatId) : undefined
    if (again) return again
    if (notice && result) await settle(deps, tx, [notice], result)
    await deps.jobs.finish(tx, job)
    return undefined
  })
}

/** Makes one attempt to send a notice. */
export async function tell(
  deps: Essentials,
  messenger: Messenger,
  waiting: WaitingNotice,
): Promise<DeliveryResult> {
  const { chatId, accountId, stillValid } = waiting
  if (!stillValid) return { status: 'void' }
  // The facts were written for this kind; from the database they come without their type.
  if (accountId === null) {
    const known = (await chatsToldOf(deps, deps.db.read, waiting.kind as OperatorFactKind)).includes(chatId)
    return known ? messenger.tellOperator(waiting as WaitingNotice & OperatorNotice) : { status: 'void' }
  }
  const recipient = await recipientOf(deps, waiting)
  return recipient ? messenger.tell({ ...waiting, recipient } as Notice) : { status: 'void' }
}
