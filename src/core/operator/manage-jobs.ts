import { cancelBroadcastIn } from '../broadcasts/broadcast.ts'
import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Tx } from '../database/database.ts'
import type { Queryable } from '../database/queries.ts'
import { ALWAYS, jsonText } from '../database/dialect.ts'
import { InvalidInput } from '../errors.ts'
import { JOB_KINDS, type JobKind, type JobSubjects, subjectOf } from '../jobs/job-kinds.ts'
import { addsWork } from '../jobs/added-work.ts'
import { groupOf } from '../jobs/job-groups.ts'
import { type HeldOf, record, Time } from '../record.ts'
import type { Essentials } from '../jobs/essentials.ts'

const { eb } = expressionBuilder<DB, 'jobs'>()

/** Condition on a job that keeps failing: at least 5 attempts in a row have failed (rules 10.18). */
export const isFailing = eb('failures', '>=', 5)

/** Maximum number of jobs in a list; a busy shop has thousands of notices pending. */
const LISTED = 200

/** A background job that is not done yet. */
export const JobRecord = record(
  {
    id: z.int(),
    kind: z.enum(JOB_KINDS),
    /** What it is about: an order number, the id of a notice, account or broadcast, a chat and a kind of notice. */
    key: z.string(),
    attempts: z.int(),
    /** Attempts in a row that failed. */
    failures: z.int(),
    /** When it is tried next; null while it is being carried out. */
    nextAt: Time.nullable(),
    createdAt: Time,
    /** Why the last attempt did not finish the job; null while none has ended. */
    lastError: z.string().nullable(),
  },
  { names: { key: 'about', lastError: 'last_outcome' } },
)

export type Job = HeldOf<typeof JobRecord>

/** The columns of a {@link Job}. */
const JOB = [
  ...(['id', 'kind', 'key', 'attempts', 'failures', 'createdAt', 'lastError'] as const),
  eb.case().when('leasedUntil', 'is', null).then(eb.ref('runAt')).end().as('nextAt'),
] as const

/**
 * Lists the jobs that are not done yet, those with the most failures first.
 *
 * @param failing only jobs that keep failing
 */
export async function listJobs(
  { db }: Essentials,
  failing = false,
): Promise<{ readonly jobs: Job[]; readonly total: number }> {
  const which = db.read.$kysely.selectFrom('jobs').where(failing ? isFailing : ALWAYS)
  const { total } = await which
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const jobs = await which
    .select(JOB)
    .orderBy('failures', 'desc')
    .orderBy('id')
    .limit(LISTED)
    .$narrowType<{ kind: JobKind }>()
    .execute()
  return { jobs, total }
}

/** Lists the jobs that keep failing, those with the most failures first. */
export async function pageOfFailing(
  { db }: Pick<Essentials, 'db'>,
  page: number,
  pageSize: number,
): Promise<{ readonly items: Job[]; readonly total: number }> {
  const failing = db.read.$kysely.selectFrom('jobs').where(isFailing)
  const { total } = await failing
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const items = await failing
    .select(JOB)
    .orderBy('failures', 'desc')
    .orderBy('id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .$narrowType<{ kind: JobKind }>()
    .execute()
  return { items, total }
}

/** Finds a job by its id; undefined when it is done. */
export function findJob({ db }: Pick<Essentials, 'db'>, id: number): Promise<Job | undefined> {
  return jobOf(db.read, id)
}

function jobOf({ $kysely }: Queryable, id: number): Promise<Job | undefined> {
  return $kysely
    .selectFrom('jobs')
    .select(JOB)
    .where('id', '=', id)
    .$narrowType<{ kind: JobKind }>()
    .executeTakeFirst()
}

/**
 * Tries a job again now instead of after its pause.
 *
 * @throws validation_error when there is no such job
 */
export async function retryJob(deps: Essentials, id: number): Promise<Job> {
  return deps.db.write(async (tx) => {
    const found = await tx.$kysely
      .updateTable('jobs')
      .set({ runAt: deps.clock.now() })
      .where('id', '=', id)
      .returning(JOB)
      .$narrowType<{ kind: JobKind }>()
      .executeTakeFirst()
    if (!found) return noSuchJob()
    addsWork(tx, groupOf(found.kind))
    return found
  })
}

type Drop<Subject> = (deps: Essentials, tx: Tx, subject: Subject) => Promise<unknown>

/** What dropping a job of a kind changes besides, or the code of the reason why it is refused: somebody would lose money. */
const DROPS: { readonly [Kind in JobKind]: string | Drop<JobSubjects[Kind]> } = {
  complete_static_order: 'job_completes_paid_order',
  complete_replacement: 'job_completes_paid_order',
  auto_renew_static_order: 'job_renews_proxies',
  complete_renewal: 'job_completes_paid_renewal',
  complete_reset: 'job_stores_credentials',
  deliver_notice: (_deps, tx, id) =>
    tx.$kysely
      .updateTable('notices')
      .set({ status: 'void' })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute(),
  deliver_digest: (_deps, tx, { chatId, kind }) =>
    tx.$kysely
      .updateTable('notices')
      .set({ status: 'void' })
      .where('chatId', '=', chatId)
      .where('kind', '=', kind)
      .where('status', '=', 'pending')
      .where(({ eb, ref }) => eb(jsonText(ref('data'), 'about'), 'is not', null))
      .execute(),
  send_broadcast: (deps, tx, id) => cancelBroadcastIn(deps, tx, id),
  send_activation_mail: () => Promise.resolve(),
  refresh_screens: () => Promise.resolve(),
  back_up: () => Promise.resolve(),
}

/** Returns the code of the reason why a job of a kind cannot be dropped; null when it can. */
export function whyNotDropped(kind: JobKind): string | null {
  const drops: string | Drop<never> | undefined = DROPS[kind]
  return typeof drops === 'string' ? drops : null
}

/**
 * Deletes a job for good; a message that it would have sent is never sent.
 *
 * @throws validation_error when there is no such job, or money would be lost with it
 */
export function dropJob(deps: Essentials, id: number): Promise<Job> {
  return deps.db.write(async (tx) => {
    const job = await jobOf(tx, id)
    if (!job) return noSuchJob()
    await drop(deps, tx, job.kind, job.key)
    await tx.$kysely.deleteFrom('jobs').where('id', '=', id).execute()
    return job
  })
}

/** @throws validation_error when money would be lost with it */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the subject to the kind
async function drop<Kind extends JobKind>(deps: Essentials, tx: Tx, kind: Kind, key: string): Promise<void> {
  const undo: string | Drop<JobSubjects[Kind]> = DROPS[kind]
  if (typeof undo === 'string') throw InvalidInput.of('job', undo)
  await undo(deps, tx, subjectOf(kind, key))
}

function noSuchJob(): never {
  throw InvalidInput.of('job', 'no_such_job')
}
