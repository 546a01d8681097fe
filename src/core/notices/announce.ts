import { Prisma } from '../../generated/prisma/client.ts'
import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'

export type NoticeKind = 'order_ready' | 'order_partial' | 'order_failed'

/**
 * Writes a notice into the outbox for every chat in which one of the accounts is logged in, in the transaction of what
 * happened. The same thing is told to a chat once.
 *
 * @param subject what it is about: an order number
 */
export async function announce(
  deps: CoreDeps,
  tx: Tx,
  accountIds: readonly number[],
  kind: NoticeKind,
  subject: string,
): Promise<void> {
  const now = deps.clock.now()
  const written = await tx.$executeRaw`
    INSERT OR IGNORE INTO notices (chat_id, account_id, kind, subject, status, created_at)
    SELECT c.id, a.id, ${kind}, ${subject}, iif(c.blocked, 'blocked', 'pending'), ${now}
    FROM chats c JOIN accounts a ON a.id = c.account_id AND a.token_version = c.account_version AND a.status = 'active'
    WHERE a.id IN (${Prisma.join([...new Set(accountIds)])})`
  if (written === 0) return
  await tx.$executeRaw`
    INSERT OR IGNORE INTO jobs (kind, key, run_at, created_at)
    SELECT 'deliver_notice', CAST(id AS TEXT), ${now}, ${now} FROM notices
    WHERE kind = ${kind} AND subject = ${subject} AND status = 'pending'`
}
