import { compiledInsert } from '../database/compiled-insert.ts'
import { z } from 'zod'
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { Audience, type BroadcastStatus, type NoticeStatus } from '../../generated/prisma/client.ts'
import type { Tx } from '../database/database.ts'
import { allOf, listHas, notSo } from '../database/dialect.ts'
import type { Essentials } from '../essentials.ts'
import { parseInput } from '../errors.ts'
import { firstStatus } from '../notices/announce.ts'

export const AUDIENCES = Object.values(Audience)
export type { Audience }

/** Characters; together with the frame of the message it fits into the 4096 of Telegram. */
export const MAX_BROADCAST = 3500

/** Delay of the first message, so that the screen with the progress is shown before. */
const HEAD_START_MS = 1_000

/** A message of the operator to many chats, and its progress. */
export interface Broadcast {
  readonly id: number
  readonly audience: Audience
  readonly text: string
  readonly status: BroadcastStatus
  /** Numbers of chats: reached, with the bot blocked, and not told yet (or never, when it was cancelled). */
  readonly sent: number
  readonly blocked: number
  readonly left: number
}

/** The value of `follows` for a screen that shows a broadcast. */
export function screenOf(id: number): string {
  return `broadcast ${id}`
}

/** Condition on accounts `a` and chats `c`: an account of the audience is logged in there and broadcasts are not muted. */
function inAudience(audience: Audience): Expression<SqlBool> {
  const { eb, ref, val } = expressionBuilder<DB & { a: DB['accounts']; c: DB['chats'] }, 'a' | 'c'>()
  const role = { all: [], agents: [eb('a.role', '=', 'agent')], users: [eb('a.role', '=', 'user')] }
  return allOf([
    eb('a.status', '=', 'active'),
    eb('c.accountVersion', '=', ref('a.tokenVersion')),
    ...role[audience],
    notSo(listHas(ref('c.muted'), val('broadcast'))),
  ])
}

/** Number of chats of each audience, those that have blocked the bot included. */
export async function countAudiences({ db }: Essentials): Promise<Readonly<Record<Audience, number>>> {
  const count = async (audience: Audience) => {
    const { chats } = await db.read.$kysely
      .selectFrom('chats as c')
      .innerJoin('accounts as a', 'a.id', 'c.accountId')
      .select(({ fn }) => fn.countAll<number>().as('chats'))
      .where(inAudience(audience))
      .executeTakeFirstOrThrow()
    return chats
  }
  return { all: await count('all'), agents: await count('agents'), users: await count('users') }
}

export const BroadcastDraft = z.object({
  /** The operator's chat. */
  chatId: z.int(),
  audience: z.enum(AUDIENCES),
  text: z.string().trim().min(1).max(MAX_BROADCAST),
})

/**
 * Stores a broadcast; nothing is sent before {@link startBroadcast}.
 *
 * @throws validation_error
 */
export async function draftBroadcast(
  deps: Essentials,
  input: z.input<typeof BroadcastDraft>,
): Promise<{ id: number }> {
  const data = { ...parseInput(BroadcastDraft, input), createdAt: deps.clock.now() }
  return deps.db.write(async (tx) => ({ id: await insertBroadcast(tx, data) }))
}

/** A broadcast with its progress; undefined when there is none with this id. */
export function readBroadcast({ db }: Essentials, id: number): Promise<Broadcast | undefined> {
  return db.read.$kysely
    .selectFrom('broadcasts as b')
    .leftJoin('notices as n', (on) =>
      on.on('n.kind', '=', 'broadcast').on('n.subject', '=', ({ cast }) => cast<string>('b.id', 'text')),
    )
    .select(['b.id', 'b.audience', 'b.text', 'b.status'])
    .select(({ eb, fn }) => {
      const copies = fn.count<number>('n.id')
      const left = eb
        .case()
        .when('b.status', '=', 'cancelled')
        .then('void' as NoticeStatus)
        .else('pending' as NoticeStatus)
        .end()
      return [
        copies.filterWhere('n.status', '=', 'sent').as('sent'),
        copies.filterWhere('n.status', '=', 'blocked').as('blocked'),
        copies.filterWhere('n.status', '=', left).as('left'),
      ]
    })
    .where('b.id', '=', id)
    .groupBy('b.id')
    .executeTakeFirst()
}

/** Puts a copy for every chat of the audience into the outbox. Idempotent. */
export async function startBroadcast(deps: Essentials, id: number): Promise<void> {
  await deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const draft = await tx.$kysely
      .updateTable('broadcasts')
      .set({ status: 'sending' })
      .where('id', '=', id)
      .where('status', '=', 'draft')
      .returning('audience')
      .executeTakeFirst()
    if (!draft) return
    await tx.$kysely
      .insertInto('notices')
      .columns(['chatId', 'accountId', 'kind', 'subject', 'status', 'createdAt'])
      .expression(({ selectFrom }) =>
        selectFrom('chats as c')
          .innerJoin('accounts as a', 'a.id', 'c.accountId')
          .select(({ ref, val }) => [
            'c.id as chatId',
            'a.id as accountId',
            val('broadcast').as('kind'),
            val(String(id)).as('subject'),
            firstStatus(ref('c.blocked')).as('status'),
            val(now).as('createdAt'),
          ])
          .where(inAudience(draft.audience))
          .orderBy('c.id'),
      )
      .execute()
    await deps.jobs.enqueue(tx, 'send_broadcast', id, HEAD_START_MS)
  })
  deps.jobs.wake()
}

/** Stops a broadcast: copies that were not sent yet are dropped. */
export function cancelBroadcast(deps: Essentials, id: number): Promise<void> {
  return deps.db.write((tx) => cancelBroadcastIn(deps, tx, id))
}

/** {@link cancelBroadcast} in the open transaction. */
export async function cancelBroadcastIn({ clock }: Essentials, tx: Tx, id: number): Promise<void> {
  const cancelled = await tx.$kysely
    .updateTable('broadcasts')
    .set({ status: 'cancelled', endedAt: clock.now() })
    .where('id', '=', id)
    .where('status', 'in', ['draft', 'sending'])
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
