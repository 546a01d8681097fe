import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { followedText } from '../chats/followed.ts'
import { compiled } from '../database/compiled.ts'
import { FIRST_OWN_CHAT } from '../identifiers.ts'
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
/** Pause in ms of a lane whose bot stands, and after which time in ms what it was to send is too old. */
const STANDS_MS = 10_000
const TOO_OLD_MS = 24 * 60 * 60_000

/** Until when the lanes of broadcasts pause, in ms of the clock, by broadcast and bot. Lost with the process: Telegram asks again. */
export type LanePauses = Map<string, number>

/** The copies of a broadcast that one bot sends. */
interface Lane {
  /** The broadcast. */
  readonly id: number
  /** The bot; 0: the shop's. */
  readonly botId: number
}

/**
 * Sends the next copies of a broadcast; one on the schedule begins when its time has come. Each bot has a lane of its own, which sends at
 * most 25 a second: in a lane one broadcast is sent at a time, one copy after the other, so that after a kill the delivery of only one copy
 * of a lane is uncertain. No lane waits for another. A copy that fails by itself is retried by a job of its own, so that it does not delay
 * the others.
 *
 * @returns when to continue; undefined when the broadcast is done
 */
export async function sendBroadcast(
  deps: Essentials,
  messenger: Messenger,
  pauses: LanePauses,
  job: ClaimedJob<'send_broadcast'>,
): Promise<RetryLater | undefined> {
  const id = job.subject
  const [broadcast] = await findBroadcast(deps.db.read, { id })
  const scheduled = broadcast?.status === 'scheduled'
  const now = deps.clock.now().getTime()
  const waitMs = scheduled ? Date.parse(broadcast.startAt ?? '') - now : 0
  // A clock that was set back makes jobs due too early.
  if (waitMs > 0) return { retryAfterMs: waitMs, reason: 'it is not its time yet', waiting: true }
  if (scheduled) await deps.db.write((tx) => addCopies(deps, tx, id))
  // At most a second, however slow Telegram is, because a shutdown waits for the batch. A clock that was set back in between counts as
  // one that stands still.
  const restMs = () => BATCH_MS - Math.max(deps.clock.now().getTime() - now, 0)
  const isOld = now - Date.parse(broadcast?.startAt ?? '') > TOO_OLD_MS
  const bots = await botsOf(deps, id, broadcast?.agentId ?? null)
  const left = await Promise.all(
    bots.map((botId) => sendBatch(deps, messenger, pauses, { id, botId }, { restMs, isOld })),
  )
  const going = left.filter((pause) => pause !== undefined)
  if (going.length > 0) {
    if (job.attempts % SHOWN_EVERY === 1) await showProgress(deps, messenger, id)
    return {
      retryAfterMs: Math.max(Math.min(...going), restMs(), 0),
      reason: 'there are more',
      waiting: true,
    }
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
  for (const botId of bots) pauses.delete(nameOf({ id, botId }))
  await showProgress(deps, messenger, id)
  return undefined
}

/**
 * Sends the next copies of a lane.
 *
 * @returns after how many ms it goes on; undefined when it has no more
 */
async function sendBatch(
  deps: Essentials,
  messenger: Messenger,
  pauses: LanePauses,
  lane: Lane,
  { restMs, isOld }: { readonly restMs: () => number; readonly isOld: boolean },
): Promise<number | undefined> {
  const paused = (pauses.get(nameOf(lane)) ?? 0) - deps.clock.now().getTime()
  if (paused > 0) return paused
  const next = await findNextCopies(deps, lane)
  if (next.length === 0) return undefined
  if (await waitsForOlder(deps, lane)) return BATCH_MS
  const batch = await waitingNotices(
    deps,
    next.map((copy) => copy.id),
  )
  let told = 0
  for (const copy of batch) {
    if (restMs() <= 0 || !(await isSending(deps, lane.id))) break
    const pause = await send(deps, messenger, copy, isOld)
    if (pause > 0) {
      pauses.set(nameOf(lane), deps.clock.now().getTime() + pause)
      return pause
    }
    told += 1
  }
  return told === BATCH || told < batch.length ? 0 : undefined
}

function nameOf({ id, botId }: Lane): string {
  return `${id} ${botId}`
}

/** Returns the bots that send a broadcast: the shop speaks in its own, and so do agents to customers who have not started theirs. */
async function botsOf({ db }: Essentials, id: number, agentId: number | null): Promise<readonly number[]> {
  if (agentId === null) return [0]
  const bots = await db.read.$kysely
    .selectFrom('notices as n')
    .innerJoin('chats as c', 'c.id', 'n.chatId')
    .select('c.botId')
    .distinct()
    .where('n.kind', '=', 'broadcast')
    .where('n.subject', '=', String(id))
    .where('n.status', '=', 'pending')
    .execute()
  return bots.map(({ botId }) => botId ?? 0)
}

/** Whether an older broadcast has copies in the same lane, which go first. */
async function waitsForOlder({ db }: Essentials, { id, botId }: Lane): Promise<boolean> {
  const older = await db.read.$kysely
    .selectFrom('broadcasts as b')
    .select('b.id')
    .where('b.status', '=', 'sending')
    .where('b.id', '<', id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('notices as n')
          .select('n.id')
          .where('n.kind', '=', 'broadcast')
          .where('n.subject', '=', ({ cast }) => cast<string>('b.id', 'text'))
          .where('n.status', '=', 'pending')
          .where(isIn(botId))
          .where(hasNoJob()),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return older !== undefined
}

/** Tells whether the broadcast was not cancelled meanwhile. */
async function isSending({ db }: Essentials, id: number): Promise<boolean> {
  const [broadcast] = await findBroadcast(db.read, { id })
  return broadcast?.status === 'sending'
}

const findBroadcast = compiled<{ id: number }>()((db, { id }) =>
  db.selectFrom('broadcasts').select(['status', 'startAt', 'agentId']).where('id', '=', id),
)

/** Finds pending copies of a lane without a retry job of their own. */
function findNextCopies({ db }: Essentials, { id, botId }: Lane) {
  return db.read.$kysely
    .selectFrom('notices as n')
    .select('n.id')
    .where('n.kind', '=', 'broadcast')
    .where('n.subject', '=', String(id))
    .where('n.status', '=', 'pending')
    .where(isIn(botId))
    .where(hasNoJob())
    .orderBy('n.chatId')
    .limit(BATCH)
    .execute()
}

type Copies = DB & { n: DB['notices'] }

/** Condition on notices `n`: the chat is one with this bot. */
function isIn(botId: number) {
  const { eb, selectFrom } = expressionBuilder<Copies, 'n'>()
  if (botId === 0) return eb('n.chatId', '<', FIRST_OWN_CHAT)
  return eb('n.chatId', 'in', selectFrom('chats').select('id').where('botId', '=', botId))
}

/** Condition on notices `n`: no job of its own tries again to deliver it. */
function hasNoJob() {
  const { exists, not, selectFrom, cast } = expressionBuilder<Copies, 'n'>()
  const job = selectFrom('jobs as j')
    .select('j.id')
    .where('j.kind', '=', 'deliver_notice')
    .where('j.key', '=', cast<string>('n.id', 'text'))
  return not(exists(job))
}

/**
 * @param isOld what a bot that stands was to send is dropped
 * @returns milliseconds for which the other copies of the lane have to wait; 0 when they need not
 */
async function send(
  deps: Essentials,
  messenger: Messenger,
  copy: WaitingNotice,
  isOld: boolean,
): Promise<number> {
  const result = await tell(deps, messenger, copy)
  if (result.status === 'held' && !isOld) return STANDS_MS
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
