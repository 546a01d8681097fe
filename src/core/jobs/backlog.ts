import { Prisma } from '../../generated/prisma/client.ts'
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

/** What the background loop still has to do. Every notice that nobody has been told yet has a job (`deliver_notice`). */
export async function backlog({ db, clock }: CoreDeps): Promise<WaitingJobs[]> {
  const jobs = await selectJson<Omit<WaitingJobs, 'oldestSeconds'> & { oldest: string }>(
    db.read,
    Prisma.sql`SELECT json_object('kind', kind, 'waiting', count(*), 'retried', sum(attempts > 1), 'oldest', min(created_at)) AS json
               FROM jobs GROUP BY kind`,
  )
  const now = clock.now().getTime()
  return jobs.map(({ oldest, ...job }) => ({
    ...job,
    oldestSeconds: Math.max(0, (now - Date.parse(oldest)) / 1000),
  }))
}
