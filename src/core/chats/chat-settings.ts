import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import { NOTICE_KINDS, type NoticeKind } from '../notices/kinds.ts'
import type { ProxyFormat } from '../orders/proxy-formats.ts'

/** Stands in the list of what a chat does not want for everything about the sub-users of the agent. */
export const SUB_USERS = 'sub_users'
export type Muted = NoticeKind | typeof SUB_USERS

/** What can be switched off in a chat, in the order in which people see it. */
export const MUTABLE = [...NOTICE_KINDS, SUB_USERS] as const satisfies readonly Muted[]

/** What the chat does not want to be told. */
export async function mutedIn({ db }: Essentials, chatId: number): Promise<ReadonlySet<Muted>> {
  const [muted] = await selectJson<Muted[]>(
    db.read,
    Prisma.sql`SELECT muted AS json FROM chats WHERE id = ${chatId}`,
  )
  return new Set(muted)
}

/** Switches notices of a kind off or on again, from now on. */
export async function setMuted(deps: Essentials, chatId: number, what: Muted, muted: boolean): Promise<void> {
  const others = Prisma.sql`SELECT value FROM json_each(muted) WHERE value <> ${what}`
  await change(
    deps,
    chatId,
    Prisma.sql`muted = (SELECT json_group_array(value) FROM (${others} UNION ALL SELECT ${what} WHERE ${muted}))`,
  )
}

export async function setProxyFormat(deps: Essentials, chatId: number, format: ProxyFormat): Promise<void> {
  await change(deps, chatId, Prisma.sql`proxy_format = ${format}`)
}

async function change({ db, clock }: Essentials, chatId: number, settings: Prisma.Sql): Promise<void> {
  await db.write(
    (tx) => tx.$executeRaw`UPDATE chats SET ${settings}, updated_at = ${clock.now()} WHERE id = ${chatId}`,
  )
}
