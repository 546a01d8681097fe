import { z } from 'zod'
import type { NoticeStatus } from '../../generated/prisma/client.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { readLanguage } from '../database/read-language.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { firstStatus } from '../notices/announce.ts'
import { addressed, AUDIENCES } from './audience.ts'
import { checkContent, Content, type Entity, type Target, type Broadcast } from '../notices/content.ts'
import { LANGUAGES } from '../languages.ts'

/** Delay of the first message, in ms, so that the screen with the progress is shown before. */
const HEAD_START_MS = 1_000
/** Longest time in ms between scheduling and start of a broadcast. */
const MAX_AHEAD_MS = 366 * 24 * 60 * 60_000
/** Maximum number of broadcasts that are listed. */
const LISTED = 8

const BroadcastDraft = Content.extend({
  /** Chat in which the operator wrote it. */
  chatId: z.int(),
  audience: z.enum(AUDIENCES),
  /** The agent, for the audience `sub_users`; else null. */
  agentId: z.int().nullable().default(null),
  language: z.enum(LANGUAGES).nullable().default(null),
})

/**
 * Stores a broadcast of the shop; nothing is sent before {@link startBroadcast}.
 *
 * @throws validation_error
 */
export async function draftBroadcast(
  deps: Essentials,
  input: z.input<typeof BroadcastDraft>,
): Promise<{ id: number }> {
  const { chatId, audience, agentId, language, ...content } = parseInput(BroadcastDraft, input)
  if ((audience === 'sub_users') !== (agentId !== null)) throw InvalidInput.of('audience', 'required')
  const target = { audience, agentId, userIds: null, language }
  return deps.db.write(async (tx) => ({
    id: await addDraft(deps, tx, { chatId, senderId: null, target, content }),
  }))
}

interface DraftRow {
  readonly chatId: number
  readonly senderId: number | null
  readonly target: Target
  readonly content: Content
}

/** Stores a draft in the open transaction, and returns its id. */
export async function addDraft(
  { clock }: Essentials,
  tx: Tx,
  { chatId, senderId, target, content }: DraftRow,
): Promise<number> {
  checkContent(content)
  return insertBroadcast(tx, {
    chatId,
    senderId,
    ...target,
    userIds: target.userIds && JSON.stringify(target.userIds),
    ...content,
    entities: JSON.stringify(content.entities),
    createdAt: clock.now(),
  })
}

/** Reads a broadcast with its progress; undefined when there is none with this id. */
export async function readBroadcast({ db }: Essentials, id: number): Promise<Broadcast | undefined> {
  return selectBroadcasts(db.read).where('b.id', '=', id).executeTakeFirst()
}

/** Lists the latest broadcasts of the shop, those that wait for their time included; drafts are left out. */
export async function listBroadcasts({ db }: Essentials): Promise<Broadcast[]> {
  return selectBroadcasts(db.read)
    .where('b.senderId', 'is', null)
    .where('b.status', '<>', 'draft')
    .orderBy('b.id', 'desc')
    .limit(LISTED)
    .execute()
}

function selectBroadcasts(db: Queryable) {
  return db.$kysely
    .selectFrom('broadcasts as b')
    .leftJoin('accounts as g', 'g.id', 'b.agentId')
    .leftJoin('notices as n', (on) =>
      on.on('n.kind', '=', 'broadcast').on('n.subject', '=', ({ cast }) => cast<string>('b.id', 'text')),
    )
    .select(['b.id', 'b.senderId', 'b.audience', 'b.agentId', 'b.text', 'b.photo'])
    .select(['b.status', 'b.startAt', 'g.username as agent'])
    .select(({ eb, fn, ref }) => {
      const copies = fn.count<number>('n.id')
      const left = eb
        .case()
        .when('b.status', '=', 'cancelled')
        .then('void' as NoticeStatus)
        .else('pending' as NoticeStatus)
        .end()
      return [
        readLanguage(ref('b.language')).as('language'),
        parsed<Entity[]>(ref('b.entities')).as('entities'),
        parsed<number[]>(ref('b.userIds')).as('userIds'),
        fn.min('n.sentAt').as('begunAt'),
        copies.filterWhere('n.status', '=', 'sent').as('sent'),
        copies.filterWhere('n.status', '=', 'blocked').as('blocked'),
        copies.filterWhere('n.status', '=', left).as('left'),
      ]
    })
    .groupBy(['b.id', 'g.username'])
}

const StartInput = z.object({
  id: z.int(),
  /** ISO 8601; null: now. */
  at: z.iso.datetime().nullable().default(null),
})

/**
 * Begins a broadcast of the shop, or puts it on the schedule, from which the job loop takes it (rules 10.17). Idempotent: it begins
 * once.
 *
 * @throws validation_error for a time that has passed, or is too far away
 */
export async function startBroadcast(deps: Essentials, input: z.input<typeof StartInput>): Promise<void> {
  const { id, at } = parseInput(StartInput, input)
  const now = deps.clock.now().getTime()
  const ahead = at === null ? 0 : Date.parse(at) - now
  if (ahead < 0 || ahead > MAX_AHEAD_MS) throw InvalidInput.of('at', 'not_in_the_next_year')
  await deps.db.write((tx) => startIn(deps, tx, id, null, at === null ? undefined : new Date(at)))
}

/**
 * {@link startBroadcast} in the open transaction.
 *
 * @param senderId the agent that must have written it; null: the shop
 * @param at undefined: now
 */
export async function startIn(
  deps: Essentials,
  tx: Tx,
  id: number,
  senderId: number | null,
  at?: Date,
): Promise<void> {
  const now = deps.clock.now()
  const started = await tx.$kysely
    .updateTable('broadcasts')
    .set({ status: 'scheduled', startAt: at ?? now })
    .where('id', '=', id)
    .where('status', '=', 'draft')
    .where('senderId', senderId === null ? 'is' : '=', senderId)
    .returning('id')
    .executeTakeFirst()
  if (!started) return
  if (at === undefined) await addCopies(deps, tx, id)
  await deps.jobs.enqueue(tx, 'send_broadcast', id, at ? at.getTime() - now.getTime() : HEAD_START_MS)
}

/** Puts a copy into the outbox for every chat that belongs to the audience now; once for a broadcast. */
export async function addCopies(deps: Essentials, tx: Tx, id: number): Promise<void> {
  const now = deps.clock.now()
  const begun = await tx.$kysely
    .updateTable('broadcasts')
    .set({ status: 'sending' })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .returning(({ ref }) => ['audience', 'agentId', 'userIds', readLanguage(ref('language')).as('language')])
    .executeTakeFirst()
  if (!begun) return
  const target: Target = { ...begun, userIds: begun.userIds === null ? null : JSON.parse(begun.userIds) }
  await tx.$kysely
    .insertInto('notices')
    .columns(['chatId', 'accountId', 'kind', 'subject', 'status', 'createdAt'])
    .expression(
      addressed(tx, target, now)
        .select(({ ref, val }) => [
          'c.id as chatId',
          'a.id as accountId',
          val('broadcast').as('kind'),
          val(String(id)).as('subject'),
          firstStatus(ref('c.blocked')).as('status'),
          val(now).as('createdAt'),
        ])
        .orderBy('c.id'),
    )
    .onConflict((told) => told.doNothing())
    .execute()
}

/** Stops a broadcast of the shop: one on the schedule does not begin, and copies that were not sent yet are dropped. */
export function cancelBroadcast(deps: Essentials, id: number): Promise<void> {
  return deps.db.write((tx) => cancelBroadcastIn(deps, tx, id))
}

/** {@link cancelBroadcast} in the open transaction. */
export async function cancelBroadcastIn({ clock }: Essentials, tx: Tx, id: number): Promise<void> {
  const cancelled = await tx.$kysely
    .updateTable('broadcasts')
    .set({ status: 'cancelled', endedAt: clock.now() })
    .where('id', '=', id)
    .where('status', 'in', ['draft', 'scheduled', 'sending'])
    .returning('id')
    .executeTakeFirst()
  if (!cancelled) return
  await tx.$kysely
    .updateTable('notices')
    .set({ status: 'void' })
    .where('kind', '=', 'broadcast')
    .where('subject', '=', String(id))
    .where('status', '=', 'pending')
    .execute()
}

const insertBroadcast = compiledInsert('broadcasts')
