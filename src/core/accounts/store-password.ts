import type { Tx } from '../database/database.ts'

/**
 * Gives an account a new password in the open transaction: all its tokens and chat log-ins end at once (rules 2.6), and its
 * invitations with them.
 *
 * @param stays the chat in which the account stays logged in
 */
export async function storePassword(
  tx: Tx,
  now: Date,
  accountId: number,
  passwordHash: string,
  stays?: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE accounts SET password_hash = ${passwordHash}, token_version = token_version + 1, updated_at = ${now}
    WHERE id = ${accountId}`
  if (stays !== undefined)
    await tx.$executeRaw`
      UPDATE chats SET account_version = (SELECT token_version FROM accounts WHERE id = ${accountId}), updated_at = ${now}
      WHERE id = ${stays} AND account_id = ${accountId}`
  await endInvites(tx, now, accountId)
}

/** The links to an account that were handed out open nothing any more. */
export async function endInvites(tx: Tx, now: Date, accountId: number): Promise<void> {
  await tx.$executeRaw`UPDATE invites SET expires_at = ${now} WHERE account_id = ${accountId} AND expires_at > ${now}`
}
