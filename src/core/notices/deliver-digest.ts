import { compiled } from '../database/compiled.ts'
import { jsonText } from '../database/dialect.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import type { DeliveryResult, Digest, Messenger } from './messenger.ts'
import { recipientOf, settle, unlessItStands, waitingNotices, type WaitingNotice } from './outbox.ts'
import { DIGEST_MS } from './queue-deliveries.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Maximum number of notices in one digest; the rest is in the next one. */
const DIGEST_LIMIT = 500

/**
 * Delivers notices to an agent about its sub-users: all pending ones of one kind for one chat, as one message. Those that come in
 * meanwhile are in the next digest.
 *
 * @returns when to try again; undefined when the job is done
 */
export async function deliverDigest(
  deps: Essentials,
  messenger: Messenger,
  job: ClaimedJob<'deliver_digest'>,
): Promise<RetryLater | undefined> {
  const found = await findWaiting(deps.db.read, { ...job.subject, limit: DIGEST_LIMIT })
  const waiting = await waitingNotices(
    deps,
    found.map(({ id }) => id),
  )
  // A chat may be logged in to several agents: one digest is about the sub-users of one.
  const notices = waiting.filter(({ accountId }) => accountId === waiting[0]?.accountId)
  const valid = notices.filter((notice) => notice.stillValid)
  const result = await tellAll(deps, messenger, valid)
  if (result.status === 'later') return result
  return deps.db.write(async (tx) => {
    const again = result.status === 'held' ? await unlessItStands(tx, job.subject.chatId) : undefined
    if (again) return again
    await settle(deps, tx, valid, result)
    await settle(
      deps,
      tx,
      notices.filter((notice) => !notice.stillValid),
      { status: 'void' },
    )
    const [more] = await findWaiting(tx, { ...job.subject, limit: 1 })
    // Notices for the digest of another account have waited long enough.
    const retryAfterMs = waiting.length > notices.length ? 0 : DIGEST_MS
    if (more) return { retryAfterMs, reason: 'more has come in', waiting: true }
    await deps.jobs.finish(tx, job)
    return undefined
  })
}

/** Finds the pending notices of a kind about sub-users for a chat, oldest first. */
const findWaiting = compiled<{ chatId: number; kind: string; limit: number }>()(
  (db, { chatId, kind, limit }) =>
    db
      .selectFrom('notices')
      .select('id')
      .where('chatId', '=', chatId)
      .where('status', '=', 'pending')
      .where('kind', '=', kind)
      .where(({ eb, ref }) => eb(jsonText(ref('data'), 'about'), 'is not', null))
      .orderBy('id')
      .limit(limit),
)

async function tellAll(
  deps: Essentials,
  messenger: Messenger,
  notices: readonly WaitingNotice[],
): Promise<DeliveryResult> {
  const [first] = notices
  const recipient = first && (await recipientOf(deps, first))
  if (!recipient) return { status: 'void' }
  const { chatId, language, timeZone, proxyFormat, kind, amongOthers } = first
  const items = notices.map(({ subject, facts: { about, ...facts } }) => ({ subject, facts, about }))
  // The facts were written for this kind; from the database they come without their type.
  return messenger.tellAboutSubUsers({
    chatId,
    language,
    timeZone,
    proxyFormat,
    recipient,
    amongOthers,
    kind,
    items,
  } as Digest)
}
