import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'

export type NoticeKind = 'order_ready' | 'order_partial' | 'order_failed'

export interface News {
  /** Whom it concerns. */
  readonly accountIds: readonly number[]
  readonly kind: NoticeKind
  /** What it is about: an order number. */
  readonly subject: string
}

/**
 * Writes notices into the outbox for every chat in which one of the accounts is logged in, in the transaction of what
 * happened. The same thing is told to a chat once.
 */
export async function announce(deps: CoreDeps, tx: Tx, news: readonly News[]): Promise<void> {
  const now = deps.clock.now()
  const json = JSON.stringify(news)
  const written = await tx.$executeRaw`
    INSERT OR IGNORE INTO notices (chat_id, account_id, kind, subject, status, created_at)
    SELECT c.id, a.id, n.value ->> 'kind', n.value ->> 'subject', iif(c.blocked, 'blocked', 'pending'), ${now}
    FROM json_each(${json}) n CROSS JOIN json_each(n.value, '$.accountIds') who
    CROSS JOIN accounts a ON a.id = who.value AND a.status = 'active'
    CROSS JOIN chats c ON c.account_id = a.id AND c.account_version = a.token_version`
  if (written === 0) return
  await tx.$executeRaw`
    INSERT OR IGNORE INTO jobs (kind, key, run_at, created_at)
    SELECT 'deliver_notice', CAST(o.id AS TEXT), ${now}, ${now}
    FROM json_each(${json}) n
    CROSS JOIN notices o ON o.kind = n.value ->> 'kind' AND o.subject = n.value ->> 'subject' AND o.status = 'pending'`
}
