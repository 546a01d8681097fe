import { secondsSince } from '../clock.ts'
import type { JobKind } from './job-kinds.ts'
import type { Essentials } from './essentials.ts'

/** Jobs of one kind that are not done yet. */
export interface WaitingJobs {
  readonly kind: JobKind
  readonly waiting: number
  /** Number of those that were tried more than once. */
  readonly retried: number
  /** Age of the oldest, in seconds. */
  readonly oldestSeconds: number
}

/** Counts the jobs that are not done yet, by kind. */
export async function backlog({ db, clock }: Essentials): Promise<WaitingJobs[]> {
  const jobs = await db.read.$kysely
    .selectFrom('jobs')
    .select(({ fn }) => [
      'kind',
      fn.countAll<number>().as('waiting'),
      fn.countAll<number>().filterWhere('attempts', '>', 1).as('retried'),
      fn.min('createdAt').as('oldest'),
    ])
    .groupBy('kind')
    .orderBy('kind')
    .$narrowType<{ kind: JobKind }>()
    .execute()
  return jobs.map(({ oldest, ...job }) => ({ ...job, oldestSeconds: secondsSince(clock, oldest) }))
}
