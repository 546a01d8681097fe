import { parsed } from '../database/dialect.ts'
import type { Tx } from '../database/database.ts'
import type { Queryable } from '../database/queries.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { Chosen, muteOf } from './concerns.ts'
import { NOTICE_KINDS } from './kinds.ts'

/** Entry of the muted list that stands for all notices about the sub-users of the agent. */
export const SUB_USERS = 'sub_users'
export type Mutable = (typeof NOTICE_KINDS)[number] | typeof SUB_USERS
/** An entry of the muted list: a kind or concern that is switched off, or a kind that the chat has chosen to be told. */
export type Muted = Mutable | ReturnType<typeof muteOf> | Chosen

/** The entries that customers can switch off in a chat, in the order in which people see them. */
export const MUTABLE = [...NOTICE_KINDS, SUB_USERS] as const satisfies readonly Mutable[]

/** Returns the entries of the muted list of a chat. */
export async function mutedIn({ db }: Essentials, chatId: number): Promise<ReadonlySet<Muted>> {
  return new Set(await listMuted(db.read, chatId))
}

/** Reads what a chat has switched off, or chosen. */
export async function listMuted(db: Queryable, chatId: number): Promise<Muted[]> {
  const chat = await db.$kysely
    .selectFrom('chats')
    .select(({ ref }) => parsed<Muted[]>(ref('muted')).as('muted'))
    .where('id', '=', chatId)
    .executeTakeFirst()
  return chat?.muted ?? []
}

/** Switches notices of a kind off or on again, from now on. */
export async function setMuted(
  { db, clock }: Essentials,
  chatId: number,
  what: Muted,
  muted: boolean,
): Promise<void> {
  await db.write(async (tx) => {
    const others = (await listMuted(tx, chatId)).filter((each) => each !== what)
    await writeMuted(tx, clock.now(), chatId, muted ? [...others, what] : others)
  })
}

/** Replaces what a chat has switched off, or chosen. */
export async function writeMuted(tx: Tx, now: Date, chatId: number, muted: readonly Muted[]): Promise<void> {
  await tx.$kysely
    .updateTable('chats')
    .set({ muted: JSON.stringify(muted), updatedAt: now })
    .where('id', '=', chatId)
    .execute()
}
