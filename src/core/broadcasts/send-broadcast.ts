import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { tell } from '../notices/deliver-notice.ts'
import type { BroadcastScreen, Messenger } from '../notices/messenger.ts'
import { settle, type WaitingNotice, waitingNotices } from '../notices/outbox.ts'
import { queueDeliveries } from '../notices/queue-deliveries.ts'
import { readBroadcast, screenOf } from './broadcast.ts'

/** Telegram takes about 30 messages a second from a bot, and others are to be told things meanwhile. */
const BATCH = 25
const BATCH_MS = 1_000
/** Batches after which the operator sees the figures move: a group takes 20 messages a minute. */
const SHOWN_EVERY = 4

/**
 * Sends the next copies of a broadcast, at most 25 a second, and says when to go on. One broadcast goes out at a time, and one
 * copy after the other: a kill leaves a single one of which nobody knows whether it has arrived. A copy that Telegram refuses is
 * tried again by itself, so that it holds up nobody.
 *
 * @returns when to go on, if at all
 */
export async function sendBroadcast(
  deps: CoreDeps,
  messenger: Messenger,
  job: ClaimedJob,
): Promise<RetryLater | undefined> {
  const id = Number(job.key)
  const [older] = await deps.db.read.$queryRaw<unknown[]>`
    SELECT 1 FROM broadcasts WHERE status = 'sending' AND id < ${id} LIMIT 1`
  if (older) return { retryAfterMs: BATCH_MS, reason: 'another broadcast goes first', waiting: true }
  const batch = await waitingNotices(
    deps,
    Prisma.sql`n.id IN (
      SELECT id FROM notices WHERE kind = 'broadcast' AND subject = ${job.key} AND status = 'pending'
        AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'deliver_notice' AND j.key = CAST(notices.id AS TEXT))
      LIMIT ${BATCH})`,
  )
  // No longer than a second, however slow Telegram is: a stop waits for it.
  const until = performance.now() + BATCH_MS
  let [told, pause] = [0, 0]
  for (const copy of batch) {
    if (performance.now() >= until || !(await isSending(deps, id))) break
    pause = await send(deps, messenger, copy)
    if (pause > 0) break
    told += 1
  }
  if (told === BATCH || told < batch.length) {
    if (job.attempts % SHOWN_EVERY === 1) await showProgress(deps, messenger, id)
    const rest = Math.ceil(until - performance.now())
    return { retryAfterMs: Math.max(pause, rest, 0), reason: 'there are more', waiting: true }
  }
  await deps.db.write(async (tx) => {
    await tx.$executeRaw`
      UPDATE broadcasts SET status = 'done', ended_at = ${deps.clock.now()} WHERE id = ${id} AND status = 'sending'`
    await deps.jobs.finish(tx, job)
  })
  await showProgress(deps, messenger, id)
  return undefined
}

/** Whether it was not stopped meanwhile. */
async function isSending({ db }: CoreDeps, id: number): Promise<boolean> {
  const [sending] = await db.read.$queryRaw<unknown[]>`
    SELECT 1 FROM broadcasts WHERE id = ${id} AND status = 'sending'`
  return sending !== undefined
}

/** @returns milliseconds for which all others have to wait, too */
async function send(deps: CoreDeps, messenger: Messenger, copy: WaitingNotice): Promise<number> {
  const result = await tell(deps, messenger, copy)
  if (result.status === 'later' && result.waiting) return result.retryAfterMs ?? 5 * BATCH_MS
  await deps.db.write(async (tx) => {
    if (result.status === 'later') await queueDeliveries(tx, deps.clock.now(), Prisma.sql`o.id = ${copy.id}`)
    else await settle(deps, tx, [copy], result.status)
  })
  return 0
}

async function showProgress(deps: CoreDeps, messenger: Messenger, id: number): Promise<void> {
  const broadcast = await readBroadcast(deps, id)
  const screens = await selectJson<Omit<BroadcastScreen, 'broadcast'>>(
    deps.db.read,
    Prisma.sql`SELECT json_object('chatId', id, 'language', language, 'messageId', screen_message) AS json
               FROM chats WHERE follows = ${screenOf(id)} AND screen_message IS NOT NULL AND NOT blocked`,
  )
  if (broadcast) await Promise.all(screens.map((screen) => messenger.showProgress({ ...screen, broadcast })))
}
