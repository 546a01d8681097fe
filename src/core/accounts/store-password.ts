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
  if (keptChatId !== undefined)
    await tx.$kysely
      .updateTable('chats')
      .set({ accountVersion: tokenVersion, updatedAt: now })
      .where('id', '=', keptChatId)
      .where('accountId', '=', accountId)
      .execute()
  await endInvites(tx, now, accountId)
  return tokenVersion
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
