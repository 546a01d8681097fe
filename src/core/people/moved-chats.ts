import type { Queryable } from '../database/queries.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { readSetting } from '../database/settings.ts'

/** Key of the setting that holds {@link movedChats} as JSON. */
export const MOVED = 'moved_chats'
/** Upper bound of the ids of supergroups, which never change (Bot API). */
const SUPERGROUPS = -1_000_000_000_000

type Shop = Pick<Essentials, 'operatorChats'>

/** Whether a chat may get another id: a group, whose id lies between those of supergroups and of persons, can become a supergroup. */
export function mayMove(chatId: number): boolean {
  return chatId < 0 && chatId > SUPERGROUPS
}

/** Returns the current ids of the chats of OPERATOR_CHAT_IDS (rules 14.8). */
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

/** Returns the current id of a chat. */
export async function currentId({ db }: Pick<Essentials, 'db'>, chatId: number): Promise<number> {
  return mayMove(chatId) ? ((await movedChats(db.read))[chatId] ?? chatId) : chatId
}

/** Returns the new ids of groups that became supergroups, by their old ids. */
export async function movedChats(db: Queryable): Promise<Readonly<Record<number, number>>> {
  const moved = await readSetting({ db: { read: db } }, MOVED)
  return moved === undefined ? {} : (JSON.parse(moved) as Record<number, number>)
}
