import type { Tx } from '../database/database.ts'

/**
 * Logs an account in at a chat, in the open transaction.
 *
 * @returns the token version of the account
 */
export async function logChatIn(tx: Tx, now: Date, chatId: number, accountId: number): Promise<number> {
  const { tokenVersion } = await tx.$kysely
    .selectFrom('accounts')
    .select('tokenVersion')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  await tx.$kysely
    .updateTable('chats')
    .set({ accountId, accountVersion: tokenVersion, draft: null, updatedAt: now })
    .where('id', '=', chatId)
    .execute()
  return tokenVersion
}
