import { followedText } from '../chats/followed.ts'
import { compiled } from '../database/compiled.ts'
import { readLanguage } from '../database/read-language.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { tell } from '../notices/deliver-notice.ts'
import type { Messenger } from '../notices/messenger.ts'
import { settle, type WaitingNotice, waitingNotices } from '../notices/outbox.ts'
import { queueDeliveries } from '../notices/queue-deliveries.ts'
import { addCopies, readBroadcast } from './broadcast.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Maximum number of copies a second: Telegram takes about 30 messages from a bot; the rest is left for other messages. */
const BATCH = 25
const BATCH_MS = 1_000
/** Batches between two updates of the progress: a group takes 20 messages a minute. */
const SHOWN_EVERY = 4

/**
 * Sends the next copies of a broadcast, at most 25 a second; one on the schedule begins when its time has come. One broadcast is sent at
 * a time, one copy after the other: after a kill the delivery of only one copy is uncertain. A copy that fails by itself is retried by
 * a job of its own, so that it does not delay the others.
 *
 * @returns when to continue; undefined when the broadcast is done
 */
export async function sendBroadcast(
  deps: Essentials,
  messenger: Messenger,
  job: ClaimedJob<'send_broadcast'>,
): Promise<RetryLater | undefined> {
  const id = job.subject
  const [broadcast] = await findStatus(deps.db.read, { id })
  const scheduled = broadcast?.status === 'scheduled'
  const waitMs = scheduled ? Date.parse(broadcast.startAt ?? '') - deps.clock.now().getTime() : 0
  // A clock that was set back makes jobs due too early.
  if (waitMs > 0) return { retryAfterMs: waitMs, reason: 'it is not its time yet', waiting: true }
  const older = await deps.db.read.$kysely
    .selectFrom('broadcasts')
    .select('id')
    .where('status', '=', 'sending')
    .where('id', '<', id)
    .limit(1)
    .executeTakeFirst()
  if (older) return { retryAfterMs: BATCH_MS, reason: 'another broadcast goes first', waiting: true }
  if (scheduled) await deps.db.write((tx) => addCopies(deps, tx, id))
  const next = await findNextCopies(deps.db.read, { subject: String(id) })
  const batch = await waitingNotices(
    deps,
    next.map((copy) => copy.id),
  )
  // At most a second, however slow Telegram is, because a shutdown waits for the batch. A clock that was set back in between counts as
  // one that stands still.
  const begunAt = deps.clock.now().getTime()
  const restMs = () => BATCH_MS - Math.max(deps.clock.now().getTime() - begunAt, 0)
  let [told, pause] = [0, 0]
  for (const copy of batch) {
    if (restMs() <= 0 || !(await isSending(deps, id))) break
    pause = await send(deps, messenger, copy)
    if (pause > 0) break
    told += 1
  }
  if (told === BATCH || told < batch.length) {
    if (job.attempts % SHOWN_EVERY === 1) await showProgress(deps, messenger, id)
    return { retryAfterMs: Math.max(pause, restMs(), 0), reason: 'there are more', waiting: true }
  }
  await deps.db.write(async (tx) => {
    await tx.$kysely
      .updateTable('broadcasts')
      .set({ status: 'done', endedAt: deps.clock.now() })
      .where('id', '=', id)
      .where('status', '=', 'sending')
      .execute()
    await deps.jobs.finish(tx, job)
  })
  await showProgress(deps, messenger, id)
  return undefined
}

/** Tells whether the broadcast was not cancelled meanwhile. */
async function isSending({ db }: Essentials, id: number): Promise<boolean> {
  const [broadcast] = await findStatus(db.read, { id })
  return broadcast?.status === 'sending'
}

const findStatus = compiled<{ id: number }>()((db, { id }) =>
  db.selectFrom('broadcasts').select(['status', 'startAt']).where('id', '=', id),
)

/** Finds pending copies without a retry job of their own. */
const findNextCopies = compiled<{ subject: string }>()((db, { subject }) =>
  db
    .selectFrom('notices as n')
    .select('n.id')
    .where('n.kind', '=', 'broadcast')
    .where('n.subject', '=', subject)
    .where('n.status', '=', 'pending')
    .where(({ not, exists, selectFrom, cast }) =>
      not(
        exists(
          selectFrom('jobs as j')
            .select('j.id')
            .where('j.kind', '=', 'deliver_notice')
            .where('j.key', '=', cast<string>('n.id', 'text')),
        ),
      ),
    )
    .orderBy('n.chatId')
    .limit(BATCH),
)

/** @returns milliseconds for which the other copies have to wait; 0 when they need not */
async function send(deps: Essentials, messenger: Messenger, copy: WaitingNotice): Promise<number> {
  const result = await tell(deps, messenger, copy)
  if (result.status === 'later' && result.waiting) return result.retryAfterMs ?? 5 * BATCH_MS
  await deps.db.write(async (tx) => {
    if (result.status === 'later') await queueDeliveries(tx, deps.clock.now(), [copy])
    else await settle(deps, tx, [copy], result)
  })
  return 0
}

async function showProgress(deps: Essentials, messenger: Messenger, id: number): Promise<void> {
  const broadcast = await readBroadcast(deps, id)
  const screens = await deps.db.read.$kysely
    .selectFrom('chats')
    .select(['id as chatId', 'timeZone', 'screenMessage as messageId'])
    .select(({ ref }) => readLanguage(ref('language')).as('language'))
    .where('follows', '=', followedText({ kind: 'broadcast', id }))
    .where('screenMessage', 'is not', null)
    .where('blocked', '=', false)
    .orderBy('id')
    .$narrowType<{ messageId: number }>()
    .execute()
  if (broadcast) await Promise.all(screens.map((screen) => messenger.showProgress({ ...screen, broadcast })))
}
