import type { Tx } from '../database/database.ts'

/** What {@link endLogIns} ends: log-ins at a chat, of an account, or both. */
export interface EndedLogIns {
  readonly chatId?: number
  readonly accountId?: number
  /** The chat that stays logged in. */
  readonly but?: number | undefined
}

/** Ends log-ins of chats in the open transaction. */
export async function endLogIns(tx: Tx, now: Date, { chatId, accountId, but }: EndedLogIns): Promise<void> {
  let ended = tx.$kysely.deleteFrom('logIns')
  let chats = tx.$kysely
    .updateTable('chats')
    .set({ accountId: null, draft: null, updatedAt: now })
    .where('accountId', 'is not', null)
  if (chatId !== undefined)
    [ended, chats] = [ended.where('chatId', '=', chatId), chats.where('id', '=', chatId)]
  if (accountId !== undefined)
    [ended, chats] = [ended.where('accountId', '=', accountId), chats.where('accountId', '=', accountId)]
  if (but !== undefined) [ended, chats] = [ended.where('chatId', '<>', but), chats.where('id', '<>', but)]
  await ended.execute()
  await chats.execute()
}
