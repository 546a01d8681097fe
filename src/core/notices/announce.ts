import { Prisma } from '../../generated/prisma/client.ts'
import { SUB_USERS } from '../chats/chat-settings.ts'
import type { Tx } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import type { About, NewsKind, NoticeFacts, OperatorNoticeFacts, OperatorNoticeKind } from './kinds.ts'
import { queueDeliveries } from './queue-deliveries.ts'

/**
 * What happened, and to whom. The subject names it: an order number, say, and the time of the expiry where the same order
 * may be told about again.
 */
export type News = About<NoticeFacts, NewsKind> & {
  readonly accountIds: readonly number[]
  /** False: their agents know already. Default: they hear of it, too. */
  readonly tellAgents?: boolean
}
export type OperatorNews = About<OperatorNoticeFacts, OperatorNoticeKind>

/**
 * Writes notices into the outbox for every chat in which one of the accounts is logged in, in the transaction of what
 * happened; agents hear about their direct sub-users, several things at once. Chats that have switched the kind off are left
 * out. The same thing is told to a chat once.
 */
export async function announce(deps: Essentials, tx: Tx, news: readonly News[]): Promise<void> {
  if (news.length === 0) return
  const now = deps.clock.now()
  const json = JSON.stringify(news.map((each) => ({ data: {}, ...each })))
  const written = await tx.$executeRaw`
    WITH told AS MATERIALIZED (
      SELECT n.value AS news, who.value AS account_id, NULL AS about
      FROM json_each(${json}) n CROSS JOIN json_each(n.value, '$.accountIds') who
      UNION ALL
      SELECT n.value, u.agent_id, json_object('id', u.id, 'username', u.username)
      FROM json_each(${json}) n CROSS JOIN json_each(n.value, '$.accountIds') who
      CROSS JOIN accounts u ON u.id = who.value AND u.agent_id IS NOT NULL
      WHERE coalesce(n.value ->> 'tellAgents', 1) AND u.agent_id NOT IN (SELECT value FROM json_each(n.value, '$.accountIds')))
    INSERT OR IGNORE INTO notices (chat_id, account_id, kind, subject, data, status, created_at)
    SELECT c.id, a.id, told.news ->> 'kind', told.news ->> 'subject',
      iif(about IS NULL, told.news -> 'data', json_set(told.news -> 'data', '$.about', json(about))),
      iif(c.blocked, 'blocked', 'pending'), ${now}
    FROM told
    CROSS JOIN accounts a ON a.id = told.account_id AND a.status = 'active'
    CROSS JOIN chats c ON c.account_id = a.id AND c.account_version = a.token_version
    WHERE NOT EXISTS (SELECT 1 FROM json_each(c.muted) m
                      WHERE m.value = told.news ->> 'kind' OR (about IS NOT NULL AND m.value = ${SUB_USERS}))`
  if (written > 0) await queueDeliveries(tx, now, sameNews(json))
}

/** Writes a notice into the outbox for every chat of the operator; see {@link announce}. */
export async function announceToOperators(deps: Essentials, tx: Tx, news: OperatorNews): Promise<void> {
  if (deps.operatorChats.length === 0) return
  const now = deps.clock.now()
  const chats = JSON.stringify(deps.operatorChats)
  await tx.$executeRaw`
    INSERT OR IGNORE INTO chats (id, language, created_at, updated_at)
    SELECT value, 'en', ${now}, ${now} FROM json_each(${chats})`
  const written = await tx.$executeRaw`
    INSERT OR IGNORE INTO notices (chat_id, kind, subject, data, status, created_at)
    SELECT c.id, ${news.kind}, ${news.subject}, ${JSON.stringify(news.data ?? {})}, iif(c.blocked, 'blocked', 'pending'), ${now}
    FROM chats c WHERE c.id IN (SELECT value FROM json_each(${chats}))`
  if (written > 0) await queueDeliveries(tx, now, sameNews(JSON.stringify([news])))
}

/** SQL condition on notices `o`: about what `json` lists. */
function sameNews(json: string): Prisma.Sql {
  return Prisma.sql`(o.kind, o.subject) IN (SELECT value ->> 'kind', value ->> 'subject' FROM json_each(${json}))`
}
