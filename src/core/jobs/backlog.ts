import { Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../clock.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { JobKind } from './job-queue.ts'

/** Jobs of one kind that are not done yet. */
export interface WaitingJobs {
  readonly kind: JobKind
  readonly waiting: number
  /** Of those, tried before and not done. */
  readonly retried: number
  /** Since the oldest was asked for, in seconds. */
  readonly oldestSeconds: number
}

/** Notices that nobody has been told yet. */
export interface Outbox {
  readonly pending: number
  /** Age of the oldest, in seconds. */
  readonly oldestSeconds: number
}

/** What the background loop still has to tell. */
export async function outbox({ db, clock }: CoreDeps): Promise<Outbox> {
  // The chats lead: their index finds what is pending, however much was told before.
  const [found] = await selectJson<{ pending: number; oldest: string | null }>(
    db.read,
    Prisma.sql`SELECT json_object('pending', count(*), 'oldest', min(n.created_at)) AS json
               FROM chats c CROSS JOIN notices n ON n.chat_id = c.id AND n.status = 'pending'`,
  )
  return {
    pending: found?.pending ?? 0,
    oldestSeconds: found?.oldest ? secondsSince(clock, found.oldest) : 0,
  }
}

function secondsSince(clock: Clock, time: string): number {
  return Math.max(0, (clock.now().getTime() - Date.parse(time)) / 1000)
}

/** What the background loop still has to do. */
export async function backlog({ db, clock }: CoreDeps): Promise<WaitingJobs[]> {
  const jobs = await selectJson<Omit<WaitingJobs, 'oldestSeconds'> & { oldest: string }>(
    db.read,
    Prisma.sql`SELECT json_object('kind', kind, 'waiting', count(*), 'retried', sum(attempts > 1), 'oldest', min(created_at)) AS json
               FROM jobs GROUP BY kind`,
  )
  return jobs.map(({ oldest, ...job }) => ({ ...job, oldestSeconds: secondsSince(clock, oldest) }))
}
