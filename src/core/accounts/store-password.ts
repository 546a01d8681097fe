import { endLogIns } from '../chats/log-ins.ts'
import type { Tx } from '../database/database.ts'

/**
 * Gives an account a new password in the open transaction: all its tokens and chat log-ins end at once (rules 2.6), and its
 * invitations with them.
 *
 * @param keptChatId the chat in which the account stays logged in
 * @returns the new token version
 */
export async function storePassword(
  tx: Tx,
  now: Date,
  accountId: number,
  passwordHash: string,
  keptChatId?: number,
): Promise<number> {
  const { tokenVersion } = await tx.$kysely
    .updateTable('accounts')
    .set(({ eb }) => ({ passwordHash, tokenVersion: eb('tokenVersion', '+', 1), updatedAt: now }))
    .where('id', '=', accountId)
    .returning('tokenVersion')
    .executeTakeFirstOrThrow()
  if (keptChatId !== undefined) await keepLogIn(tx, keptChatId, accountId, tokenVersion)
  await endInvites(tx, now, accountId)
  return tokenVersion
}

/**
 * Ends all tokens, chat log-ins and invitations of an account in the open transaction; its password stays.
 *
 * @param keptChatId the chat in which the account stays logged in
 */
export async function endAllLogIns(tx: Tx, now: Date, accountId: number, keptChatId?: number): Promise<void> {
  const { tokenVersion } = await tx.$kysely
    .updateTable('accounts')
    .set(({ eb }) => ({ tokenVersion: eb('tokenVersion', '+', 1), updatedAt: now }))
    .where('id', '=', accountId)
    .returning('tokenVersion')
    .executeTakeFirstOrThrow()
  await endLogIns(tx, now, { accountId, but: keptChatId })
  if (keptChatId !== undefined) await keepLogIn(tx, keptChatId, accountId, tokenVersion)
  await endInvites(tx, now, accountId)
}

async function keepLogIn(tx: Tx, chatId: number, accountId: number, accountVersion: number): Promise<void> {
  await tx.$kysely
    .updateTable('logIns')
    .set({ accountVersion })
    .where('chatId', '=', chatId)
    .where('accountId', '=', accountId)
    .execute()
}

/** Invalidates all invitation links to an account. */
export async function endInvites(tx: Tx, now: Date, accountId: number): Promise<void> {
  await tx.$kysely
    .updateTable('invites')
    .set({ expiresAt: now })
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', now.toISOString())
    .execute()
}
