import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { actorOf } from '../accounts/authenticate.ts'
import type { Language } from '../catalog/places.ts'
import type { ProxyFormat } from '../orders/proxy-formats.ts'
import { secondsSince } from '../clock.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import type { NoticeKind, OperatorNoticeKind } from './kinds.ts'
import type { DeliveryResult, SubUser } from './messenger.ts'

/** A notice that has not been told yet, with the chat as it is now. */
export interface WaitingNotice {
  readonly id: number
  readonly chatId: number
  readonly language: Language
  readonly proxyFormat: ProxyFormat
  readonly kind: NoticeKind | OperatorNoticeKind
  readonly subject: string
  readonly facts: object & { readonly about?: SubUser }
  /** Who is told; null for the operator. */
  readonly accountId: number | null
  readonly version: number | null
  /** 0 when somebody else is logged in now, or the fact is no longer true. */
  readonly stillValid: number
}

/** How much nobody has been told yet. */
export interface Outbox {
  readonly pending: number
  /** Age of the oldest notice, in seconds. */
  readonly oldestSeconds: number
}

/** What waits in the outbox. */
export async function outbox({ db, clock }: CoreDeps): Promise<Outbox> {
  // The chats lead: their index finds what is pending, however much was told before.
  const [found] = await selectJson<{ pending: number; oldest: string | null }>(
    db.read,
    Prisma.sql`SELECT json_object('pending', count(*), 'oldest', min(n.created_at)) AS json
               FROM chats c CROSS JOIN notices n ON n.chat_id = c.id AND n.status = 'pending'`,
  )
  const { pending = 0, oldest } = found ?? {}
  return { pending, oldestSeconds: oldest ? secondsSince(clock, oldest) : 0 }
}

/** SQL condition on notices `n`: what it warns of, or reports, is still so. */
const STILL_SO = Prisma.sql`CASE
  WHEN n.kind IN ('expiring_72h', 'expiring_24h') THEN EXISTS (
    SELECT 1 FROM static_orders o JOIN instances i ON i.order_id = o.id AND i.status = 'active'
    WHERE o.order_no = n.data ->> 'orderNo' AND i.expire_time = n.data ->> 'expireTime')
  WHEN n.kind = 'expired' THEN EXISTS (
    SELECT 1 FROM static_orders o JOIN instances i ON i.order_id = o.id AND i.status = 'expired'
    WHERE o.order_no = n.data ->> 'orderNo')
  ELSE 1 END`

/** @param which SQL condition on notices `n` */
export function waitingNotices({ db }: CoreDeps, which: Prisma.Sql): Promise<WaitingNotice[]> {
  return selectJson<WaitingNotice>(
    db.read,
    Prisma.sql`
      SELECT json_object('id', n.id, 'chatId', n.chat_id, 'language', c.language, 'proxyFormat', c.proxy_format, 'kind', n.kind,
        'subject', n.subject, 'accountId', n.account_id, 'version', c.account_version, 'facts',
        iif(n.kind = 'broadcast', json_object('text', (SELECT text FROM broadcasts WHERE id = n.subject)), json(n.data)),
        'stillValid', (n.account_id IS NULL OR n.account_id = c.account_id) AND ${STILL_SO}) AS json
      FROM notices n JOIN chats c ON c.id = n.chat_id WHERE n.status = 'pending' AND ${which} ORDER BY n.id`,
  )
}

/** Who is told; undefined when the log-in of that chat is over. */
export async function recipientOf(
  { db }: CoreDeps,
  { accountId, version }: Pick<WaitingNotice, 'accountId' | 'version'>,
): Promise<Actor | undefined> {
  if (accountId === null || version === null) return undefined
  try {
    return await actorOf(db.read, accountId, version)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/**
 * Writes down how the delivery of notices to one chat ended, in the open transaction; also of those that were cancelled in the
 * very moment in which they were told.
 */
export async function settle(
  { clock }: CoreDeps,
  tx: Tx,
  notices: readonly Pick<WaitingNotice, 'id' | 'chatId'>[],
  status: Exclude<DeliveryResult['status'], 'later'>,
): Promise<void> {
  const [first] = notices
  if (!first) return
  const now = clock.now()
  await tx.$executeRaw`
    UPDATE notices SET status = ${status}, sent_at = ${status === 'sent' ? now : null}
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(notices.map(({ id }) => id))})) AND status IN ('pending', 'void')`
  if (status === 'blocked') {
    await tx.$executeRaw`UPDATE chats SET blocked = 1, updated_at = ${now} WHERE id = ${first.chatId}`
  }
}
