import type { Queryable } from '../database/queries.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { readSetting } from '../database/settings.ts'

/** Setting with {@link movedChats}: JSON. */
export const MOVED = 'moved_chats'
/** The largest id of a supergroup, which keeps it (Bot API). */
const SUPERGROUPS = -1_000_000_000_000

type Shop = Pick<Essentials, 'operatorChats'>

/** Whether a chat may get another id: a group, which has one between those of supergroups and of persons, can become a supergroup. */
export function mayMove(chatId: number): boolean {
  return chatId < 0 && chatId > SUPERGROUPS
}

/** The chats of OPERATOR_CHAT_IDS, by the ids that they have now (rules 14.8). */
export async function shopChats({ operatorChats }: Shop, db: Queryable): Promise<readonly number[]> {
  if (!operatorChats.some(mayMove)) return operatorChats
  const moved = await movedChats(db)
  return [...new Set(operatorChats.map((chatId) => moved[chatId] ?? chatId))]
}

/** Whether a chat is one of OPERATOR_CHAT_IDS. */
export async function isShopChat({ db, operatorChats }: Shop & Pick<Essentials, 'db'>, chatId: number) {
  // Ids of private chats never change: nothing is looked up for them.
  if (chatId > 0) return operatorChats.includes(chatId)
  return (await shopChats({ operatorChats }, db.read)).includes(chatId)
}

/** The id that a chat has now. */
export async function currentId({ db }: Pick<Essentials, 'db'>, chatId: number): Promise<number> {
  return mayMove(chatId) ? ((await movedChats(db.read))[chatId] ?? chatId) : chatId
}

/** The ids that groups have got, by those that they had. */
export async function movedChats(db: Queryable): Promise<Readonly<Record<number, number>>> {
  const moved = await readSetting({ db: { read: db } }, MOVED)
  return moved === undefined ? {} : (JSON.parse(moved) as Record<number, number>)
}
