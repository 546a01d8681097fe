import { cancelBroadcastIn } from '../broadcasts/broadcast.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput } from '../errors.ts'
import type { JobKind } from './job-queue.ts'

/** SQL condition on jobs: so many attempts in a row have failed that somebody should look. */
export const FAILING = Prisma.sql`failures >= 5`

/** Jobs that a list shows; a busy shop has thousands of notices under way. */
const LISTED = 200

/** Background work that is not done yet. */
export interface Job {
  readonly id: number
  readonly kind: JobKind
  /** What it is about: an order number, the id of a notice, account or broadcast, a chat and a kind of notice. */
  readonly key: string
  readonly attempts: number
  /** Attempts in a row that failed. */
  readonly failures: number
  /** When it is tried next; null while it is being carried out. */
  readonly nextAt: string | null
  readonly createdAt: string
  /** How the last attempt ended. */
  readonly lastError: string | null
}

/** SQL of a {@link Job}. */
const JOB = Prisma.raw(
  `json_object('id', id, 'kind', kind, 'key', key, 'attempts', attempts, 'failures', failures,
     'nextAt', iif(leased_until IS NULL, run_at, NULL), 'createdAt', created_at, 'lastError', last_error)`,
)

/**
 * What the background loop still has to do, the most failures first.
 *
 * @param failing only jobs that keep failing
 */
export async function listJobs(
  { db }: CoreDeps,
  failing = false,
): Promise<{ readonly jobs: Job[]; readonly total: number }> {
  const which = failing ? FAILING : Prisma.sql`1`
  const [count] = await db.read.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM jobs WHERE ${which}`
  const jobs = await selectJson<Job>(
    db.read,
    Prisma.sql`SELECT ${JOB} AS json FROM jobs WHERE ${which} ORDER BY failures DESC, id LIMIT ${LISTED}`,
  )
  return { jobs, total: Number(count?.total ?? 0) }
}

/**
 * Tries a job again now instead of after its pause.
 *
 * @throws validation_error when there is no such job
 */
export async function retryJob(deps: CoreDeps, id: number): Promise<Job> {
  const job = await deps.db.write(async (tx) => {
    const [found] = await selectJson<Job>(
      tx,
      Prisma.sql`UPDATE jobs SET run_at = ${deps.clock.now()} WHERE id = ${id} RETURNING ${JOB} AS json`,
    )
    return found ?? noSuchJob()
  })
  deps.jobs.wake()
  return job
}

/** What else has to be undone when a job is dropped, or why it must not be: a customer's money, or the supplier's, hangs on it. */
const DROPS: Readonly<Record<JobKind, string | ((deps: CoreDeps, tx: Tx, key: string) => Promise<unknown>)>> =
  {
    complete_static_order: 'job_completes_paid_order',
    auto_renew_static_order: 'job_renews_proxies',
    renew_at_supplier: 'job_tells_paid_renewal',
    release_at_supplier: 'job_tells_release',
    deliver_notice: (_deps, tx, key) =>
      tx.$executeRaw`UPDATE notices SET status = 'void' WHERE id = ${Number(key)} AND status = 'pending'`,
    deliver_digest: (_deps, tx, key) => {
      const [chatId, kind] = key.split(' ')
      return tx.$executeRaw`
        UPDATE notices SET status = 'void' WHERE chat_id = ${Number(chatId)} AND kind = ${kind}
          AND status = 'pending' AND data ->> '$.about' IS NOT NULL`
    },
    send_broadcast: (deps, tx, key) => cancelBroadcastIn(deps, tx, Number(key)),
    send_activation_mail: () => Promise.resolve(),
    refresh_screens: () => Promise.resolve(),
  }

/**
 * Gives a job up: what it would have told is told to nobody any more.
 *
 * @throws validation_error when there is no such job, or money would be lost with it
 */
export function dropJob(deps: CoreDeps, id: number): Promise<Job> {
  return deps.db.write(async (tx) => {
    const [job] = await selectJson<Job>(tx, Prisma.sql`SELECT ${JOB} AS json FROM jobs WHERE id = ${id}`)
    if (!job) return noSuchJob()
    const drop = DROPS[job.kind]
    if (typeof drop === 'string') throw InvalidInput.of('job', drop)
    await drop(deps, tx, job.key)
    await tx.$executeRaw`DELETE FROM jobs WHERE id = ${id}`
    return job
  })
}

function noSuchJob(): never {
  throw InvalidInput.of('job', 'no_such_job')
}
