import { Prisma } from '../../generated/prisma/client.ts'
import { secondsSince } from '../clock.ts'
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

/** What the background loop still has to do. */
export async function backlog({ db, clock }: CoreDeps): Promise<WaitingJobs[]> {
  const jobs = await selectJson<Omit<WaitingJobs, 'oldestSeconds'> & { oldest: string }>(
    db.read,
    Prisma.sql`SELECT json_object('kind', kind, 'waiting', count(*), 'retried', sum(attempts > 1), 'oldest', min(created_at)) AS json
               FROM jobs GROUP BY kind`,
  )
  return jobs.map(({ oldest, ...job }) => ({ ...job, oldestSeconds: secondsSince(clock, oldest) }))
}
