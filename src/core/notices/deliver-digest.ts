import { Prisma } from '../../generated/prisma/client.ts'
import type { CoreDeps } from '../deps.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import type { DeliveryResult, Digest, Messenger } from './messenger.ts'
import { recipientOf, settle, waitingNotices, type WaitingNotice } from './outbox.ts'
import { DIGEST_MS } from './queue-deliveries.ts'

/** Notices in one digest; what is left over is the next one's. */
const MOST = 500

/**
 * Delivers what an agent is told about its sub-users: all notices of one kind that wait for one chat, as one message. What
 * comes in meanwhile is the next digest's.
 *
 * @returns when to try again, if at all
 */
export async function deliverDigest(
  deps: CoreDeps,
  messenger: Messenger,
  job: ClaimedJob,
): Promise<RetryLater | undefined> {
  const [chatId, kind] = job.key.split(' ')
  const waiting = Prisma.sql`chat_id = ${Number(chatId)} AND kind = ${kind} AND data ->> '$.about' IS NOT NULL`
  const notices = await waitingNotices(
    deps,
    Prisma.sql`n.id IN (
    SELECT id FROM notices WHERE status = 'pending' AND ${waiting} ORDER BY id LIMIT ${MOST})`,
  )
  const valid = notices.filter((notice) => notice.stillValid)
  const result = await tellAll(deps, messenger, valid)
  if (result.status === 'later') return result
  return deps.db.write(async (tx) => {
    await settle(deps, tx, valid, result.status)
    await settle(
      deps,
      tx,
      notices.filter((notice) => !notice.stillValid),
      'void',
    )
    const [more] = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM notices WHERE status = 'pending' AND ${waiting} LIMIT 1`
    if (more) return { retryAfterMs: DIGEST_MS, reason: 'more has come in', waiting: true }
    await deps.jobs.finish(tx, job)
    return undefined
  })
}

async function tellAll(
  deps: CoreDeps,
  messenger: Messenger,
  notices: readonly WaitingNotice[],
): Promise<DeliveryResult> {
  const [first] = notices
  const recipient = first && (await recipientOf(deps, first))
  if (!recipient) return { status: 'void' }
  const { chatId, language, proxyFormat, kind } = first
  const items = notices.map(({ subject, facts: { about, ...facts } }) => ({ subject, facts, about }))
  // The facts were written for this kind; from the database they come without their type.
  return messenger.tellAboutSubUsers({ chatId, language, proxyFormat, recipient, kind, items } as Digest)
}
