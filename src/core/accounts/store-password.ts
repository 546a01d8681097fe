import { endSecrets } from '../access/bearer-secrets.ts'
import type { Tx } from '../database/database.ts'

/** Who has chosen a password, and where. */
interface Chosen {
  /** Whether it was the account itself, so that nobody else knows it. */
  readonly own: boolean
  /** The chat in which the account stays logged in. */
  readonly keptChatId?: number | undefined
}

/**
 * Gives an account a new password in the open transaction, and ends the secrets that a new password ends (rules 2.6, 2.28).
 *
 * @returns the new token version
 */
export async function storePassword(
  tx: Tx,
  now: Date,
  accountId: number,
  passwordHash: string,
  { own, keptChatId }: Chosen,
): Promise<number> {
  await endSecrets(tx, now, 'new_password', { accountId, keptChatId })
  const { tokenVersion } = await tx.$kysely
    .updateTable('accounts')
    .set({ passwordHash, ownSince: own ? now : null, updatedAt: now })
    .where('id', '=', accountId)
    .returning('tokenVersion')
    .executeTakeFirstOrThrow()
  return tokenVersion
}
