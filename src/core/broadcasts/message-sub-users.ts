import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { SubUserIds } from '../accounts/adjust-sub-users.ts'
import { secondsSince } from '../clock.ts'
import type { Tx } from '../database/database.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { countTarget } from './audience.ts'
import { addDraft, cancelBroadcastIn, readBroadcast, startIn } from './broadcast.ts'
import { Content, type Target, type Broadcast } from '../notices/content.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Least time in ms between two messages of an agent, and the maximum number of messages within 24 hours (rules 2.22). */
export const PAUSE_MS = 10 * 60_000
export const PER_DAY = 5
const DAY_MS = 24 * 60 * 60_000

/** Null: all sub-users. */
const UserIds = SubUserIds.nullable()

const MessageDraft = Content.extend({ chatId: z.int(), userIds: UserIds })

function targetOf({ id }: Actor, userIds: readonly number[] | null): Target {
  return { audience: userIds ? 'picked' : 'sub_users', agentId: id, userIds, language: null }
}

/**
 * Counts the chats that a message of an agent would reach now.
 *
 * @param userIds null: all of its sub-users; those of others are left out
 * @throws agent_required, validation_error
 */
export async function countSubUserChats(
  deps: Essentials,
  actor: Actor,
  userIds: readonly number[] | null,
): Promise<number> {
  requireAgent(actor)
  return countTarget(deps, targetOf(actor, parseInput(UserIds, userIds)))
}

/**
 * Stores a message of an agent to its sub-users; nothing is sent before {@link startMessage}.
 *
 * @throws agent_required, validation_error
 */
export async function draftMessage(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof MessageDraft>,
): Promise<{ id: number }> {
  requireAgent(actor)
  const { chatId, userIds, ...content } = parseInput(MessageDraft, input)
  const row = { chatId, senderId: actor.id, target: targetOf(actor, userIds), content }
  return deps.db.write(async (tx) => ({ id: await addDraft(deps, tx, row) }))
}

/**
 * Reads a message of this agent, with its progress.
 *
 * @throws invalid_state for any other
 */
export async function readMessage(deps: Essentials, actor: Actor, id: number): Promise<Broadcast> {
  const message = await readBroadcast(deps, id)
  if (message?.senderId !== actor.id) throw new ServiceError('invalid_state')
  return message
}

/**
 * Sends a message of this agent (rules 2.22). Idempotent: it is sent once.
 *
 * @throws invalid_state, rate_limited (too soon after another one, or too many of the day)
 */
export async function startMessage(deps: Essentials, actor: Actor, id: number): Promise<void> {
  const { status } = await readMessage(deps, actor, id)
  if (status !== 'draft') return
  await deps.db.write(async (tx) => {
    await checkRate(deps, tx, actor, id)
    await startIn(deps, tx, id, actor.id)
  })
}

/**
 * Stops a message of this agent: copies that were not sent yet are dropped.
 *
 * @throws invalid_state
 */
export async function cancelMessage(deps: Essentials, actor: Actor, id: number): Promise<void> {
  await readMessage(deps, actor, id)
  await deps.db.write((tx) => cancelBroadcastIn(deps, tx, id))
}

/**
 * Refuses a message that comes too soon or is one too many. Stopped messages count, too; the message itself does not, so that a
 * repeated start is not refused.
 *
 * @throws rate_limited
 */
async function checkRate({ clock }: Essentials, tx: Tx, { id }: Actor, messageId: number): Promise<void> {
  const since = new Date(clock.now().getTime() - DAY_MS).toISOString()
  const before = await tx.$kysely
    .selectFrom('broadcasts')
    .select('startAt')
    .where('senderId', '=', id)
    .where('startAt', '>', since)
    .where('id', '<>', messageId)
    .orderBy('startAt', 'desc')
    .limit(PER_DAY)
    .$narrowType<{ startAt: string }>()
    .execute()
  const left = (from: string | undefined, ms: number) => (from ? ms / 1000 - secondsSince(clock, from) : 0)
  const full = before.length === PER_DAY ? before.at(-1) : undefined
  const retryAfter = Math.max(left(before[0]?.startAt, PAUSE_MS), left(full?.startAt, DAY_MS))
  if (retryAfter > 0) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(retryAfter) })
}
