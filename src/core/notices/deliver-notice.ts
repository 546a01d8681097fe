import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor } from '../access.ts'
import { actorOf } from '../accounts/authenticate.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import type { NoticeKind } from './announce.ts'

export interface Notice {
  readonly chatId: number
  readonly language: 'en' | 'zh'
  readonly kind: NoticeKind
  /** The order number that it is about. */
  readonly subject: string
  /** Who is logged in at the chat. */
  readonly recipient: Actor
}

/** How an attempt to tell somebody went; `later` when it is certain, or possible, that nothing arrived. */
export type DeliveryResult =
  | { readonly status: 'sent' }
  | { readonly status: 'blocked' }
  | { readonly status: 'later'; readonly retryAfterMs?: number; readonly reason: string }

/** Tells somebody something; the bot is one. */
export type Messenger = (notice: Notice) => Promise<DeliveryResult>

/**
 * Delivers one notice of the outbox. Sent twice only when the process died, or the answer was lost, between Telegram's
 * acceptance and the commit here, which nobody can know.
 *
 * @returns when to try again, if at all
 */
export async function deliverNotice(
  deps: CoreDeps,
  messenger: Messenger,
  job: ClaimedJob,
): Promise<{ retryAfterMs?: number; reason: string } | undefined> {
  const notice = await findPending(deps, Number(job.key))
  const result = notice ? await messenger(notice) : ({ status: 'void' } as const)
  if (result.status === 'later') return result
  await deps.db.write(async (tx) => {
    const now = deps.clock.now()
    await tx.$executeRaw`
      UPDATE notices SET status = ${result.status}, sent_at = ${result.status === 'sent' ? now : null}
      WHERE id = ${Number(job.key)} AND status = 'pending'`
    if (notice && result.status === 'blocked') {
      await tx.$executeRaw`UPDATE chats SET blocked = 1, updated_at = ${now} WHERE id = ${notice.chatId}`
    }
    await deps.jobs.finish(tx, [job])
  })
  return undefined
}

/** Undefined when there is nobody left to tell: delivered already, or the chat has logged out since. */
async function findPending({ db }: CoreDeps, id: number): Promise<Notice | undefined> {
  const [row] = await selectJson<Omit<Notice, 'recipient'> & { accountId: number; version: number }>(
    db.read,
    Prisma.sql`SELECT json_object('chatId', c.id, 'language', c.language, 'kind', n.kind, 'subject', n.subject,
                 'accountId', n.account_id, 'version', c.account_version) AS json
               FROM notices n JOIN chats c ON c.id = n.chat_id AND c.account_id = n.account_id
               WHERE n.id = ${id} AND n.status = 'pending'`,
  )
  if (!row) return undefined
  const { accountId, version, ...notice } = row
  try {
    return { ...notice, recipient: await actorOf(db.read, accountId, version) }
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
