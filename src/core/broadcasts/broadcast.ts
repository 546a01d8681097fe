import { z } from 'zod'
import { Prisma, Audience } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import { parseInput } from '../errors.ts'

export const AUDIENCES = Object.values(Audience)
export type { Audience }

/** Characters; with what stands around it, it fits into a message of Telegram (4096). */
export const MAX_BROADCAST = 3500

/** The screen that shows how it goes is there before it goes. */
const HEAD_START_MS = 1_000

/** What the operator tells many chats at once; what became of it there. */
export interface Broadcast {
  readonly id: number
  readonly audience: Audience
  readonly text: string
  readonly status: 'draft' | 'sending' | 'cancelled' | 'done'
  /** Chats that it has reached, that have blocked the bot, and that still wait, or will not be told because it was cancelled. */
  readonly sent: number
  readonly blocked: number
  readonly left: number
}

/** What a screen that shows a broadcast follows. */
export function screenOf(id: number): string {
  return `broadcast ${id}`
}

/** SQL condition on accounts `a` and chats `c`: somebody of the audience is logged in there, and has not switched this off. */
function listening(audience: Audience): Prisma.Sql {
  const role = {
    all: Prisma.sql`1`,
    agents: Prisma.sql`a.role = 'agent'`,
    users: Prisma.sql`a.role = 'user'`,
  }
  return Prisma.sql`a.status = 'active' AND c.account_version = a.token_version AND ${role[audience]}
    AND NOT EXISTS (SELECT 1 FROM json_each(c.muted) WHERE value = 'broadcast')`
}

/** How many chats each audience has now, those that have blocked the bot included. */
export async function countAudiences({ db }: Essentials): Promise<Readonly<Record<Audience, number>>> {
  const count = async (audience: Audience) => {
    const [counted] = await selectJson<number>(
      db.read,
      Prisma.sql`SELECT CAST(count(*) AS TEXT) AS json
                 FROM chats c JOIN accounts a ON a.id = c.account_id WHERE ${listening(audience)}`,
    )
    return counted ?? 0
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
 * Keeps what the operator wants to tell; nobody is told before {@link startBroadcast}.
 *
 * @throws validation_error
 */
export async function draftBroadcast(
  deps: Essentials,
  input: z.input<typeof BroadcastDraft>,
): Promise<{ id: number }> {
  const data = { ...parseInput(BroadcastDraft, input), createdAt: deps.clock.now() }
  return deps.db.write((tx) => tx.broadcast.create({ data, select: { id: true } }))
}

/** Undefined when there is no such broadcast. */
export async function readBroadcast({ db }: Essentials, id: number): Promise<Broadcast | undefined> {
  const [broadcast] = await selectJson<Broadcast>(
    db.read,
    Prisma.sql`SELECT json_object('id', b.id, 'audience', b.audience, 'text', b.text, 'status', b.status,
                 'sent', count(*) FILTER (WHERE n.status = 'sent'), 'blocked', count(*) FILTER (WHERE n.status = 'blocked'),
                 'left', count(*) FILTER (WHERE n.status = iif(b.status = 'cancelled', 'void', 'pending'))) AS json
               FROM broadcasts b LEFT JOIN notices n ON n.kind = 'broadcast' AND n.subject = CAST(b.id AS TEXT)
               WHERE b.id = ${id} GROUP BY b.id`,
  )
  return broadcast
}

/** Puts a copy for every chat of the audience into the outbox. A second time changes nothing. */
export async function startBroadcast(deps: Essentials, id: number): Promise<void> {
  await deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const [draft] = await tx.$queryRaw<{ audience: Audience }[]>`
      UPDATE broadcasts SET status = 'sending' WHERE id = ${id} AND status = 'draft' RETURNING audience`
    if (!draft) return
    await tx.$executeRaw`
      INSERT INTO notices (chat_id, account_id, kind, subject, status, created_at)
      SELECT c.id, a.id, 'broadcast', ${String(id)}, iif(c.blocked, 'blocked', 'pending'), ${now}
      FROM chats c JOIN accounts a ON a.id = c.account_id WHERE ${listening(draft.audience)}`
    await deps.jobs.enqueue(tx, 'send_broadcast', String(id), HEAD_START_MS)
  })
  deps.jobs.wake()
}

/** Nobody else is told; whoever was told stays told. */
export function cancelBroadcast(deps: Essentials, id: number): Promise<void> {
  return deps.db.write((tx) => cancelBroadcastIn(deps, tx, id))
}

/** The same in the open transaction. */
export async function cancelBroadcastIn({ clock }: Essentials, tx: Tx, id: number): Promise<void> {
  const cancelled = await tx.$executeRaw`
    UPDATE broadcasts SET status = 'cancelled', ended_at = ${clock.now()}
    WHERE id = ${id} AND status IN ('draft', 'sending')`
  if (cancelled === 0) return
  await tx.$executeRaw`
    UPDATE notices SET status = 'void' WHERE kind = 'broadcast' AND subject = ${String(id)} AND status = 'pending'`
}
