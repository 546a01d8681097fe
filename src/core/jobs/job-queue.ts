import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Clock } from '../clock.ts'
import { compiled } from '../database/compiled.ts'
import type { Database, Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { JOB_KINDS, type JobKind, type JobSubjects, keyOf, subjectOf } from './job-kinds.ts'

const FOR_ORDERS = [
  'complete_static_order',
  'complete_replacement',
  'auto_renew_static_order',
  'complete_renewal',
  'complete_reset',
] as const satisfies JobKind[]
const BY_MAIL = ['send_activation_mail'] as const satisfies JobKind[]
const BACKUPS = ['back_up'] as const satisfies JobKind[]

/** Kinds of jobs on accepted orders. */
export type OrderJobKind = (typeof FOR_ORDERS)[number]

/** A selection of kinds of jobs: these, or all but these. */
export type JobGroup = { readonly only: readonly JobKind[] } | { readonly except: readonly JobKind[] }

/**
 * Jobs grouped by the outside service that they wait for, so that a slow one does not delay the others. By far the most jobs are
 * messages; with the other kinds listed, an index finds those few among them.
 */
export const JOB_GROUPS = {
  orders: { only: FOR_ORDERS },
  mail: { only: BY_MAIL },
  backups: { only: BACKUPS },
  messages: { except: [...FOR_ORDERS, ...BY_MAIL, ...BACKUPS] },
} satisfies Readonly<Record<string, JobGroup>>

const ALL: JobGroup = { except: [] }

const { eb } = expressionBuilder<DB, 'jobs'>()

/**
 * Not `in`, for which an index of kinds would be read, and most jobs are of these: a job of a kind that only a newer version knows is
 * left to that.
 */
const isKnown = eb.not(eb('kind', 'not in', listOf(JOB_KINDS)))

/** Condition: the job is of the group. */
function isInGroup(group: JobGroup) {
  if ('only' in group) return eb('kind', 'in', listOf(group.only))
  return eb.and([eb('kind', 'not in', listOf(group.except)), isKnown])
}

/** Condition: the job is of the group, due and not leased. */
function dueAt(group: JobGroup, now: string) {
  const free = eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', now)])
  return eb.and([isInGroup(group), eb('runAt', '<=', now), free])
}

const addJob = compiled<{ kind: JobKind; key: string; runAt: Date; now: Date }>()(
  (db, { kind, key, runAt, now }) =>
    db
      .insertInto('jobs')
      .values({ kind, key, runAt, createdAt: now })
      .onConflict((same) => same.doNothing()),
)

const deleteJobs = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db.deleteFrom('jobs').where('id', 'in', listOf(ids)),
)

export interface ClaimedJob<Kind extends JobKind = JobKind> {
  readonly id: number
  readonly kind: Kind
  readonly subject: JobSubjects[Kind]
  /** How often it was tried, this time included. */
  readonly attempts: number
  /** How many of them have failed in a row before this one; those that only had to wait are no failures. */
  readonly failures: number
}

/** When a handler that could not finish is to be called again, and why. */
export interface RetryLater {
  /** Milliseconds; without it, the pause grows with each attempt. */
  readonly retryAfterMs?: number
  /** For the operator; must not hold secrets. */
  readonly reason?: string
  /** The attempt is no failure: the job waits for something else, or has more to do. */
  readonly waiting?: boolean | undefined
}

/** Smaller corrections of the clock are ignored. */
const SET_BACK_MS = 60_000

/**
 * Work to be done after a commit, as rows written in the same transaction. A job is claimed under a lease, may be repeated after a
 * crash, and is deleted in the transaction of its effect.
 */
export class JobQueue {
  readonly #db: Database
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  #lastClaim = 0

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Adds a job, due at once or after a while; a job of the same kind and subject is added only once. */
  async enqueue<Kind extends JobKind>(
    tx: Tx,
    kind: Kind,
    subject: JobSubjects[Kind],
    afterMs = 0,
  ): Promise<void> {
    const now = this.#clock.now()
    const runAt = new Date(now.getTime() + afterMs)
    await addJob(tx, { kind, key: keyOf(kind, subject), runAt, now })
  }

  /** Deletes jobs that are done, in the transaction of their effect. */
  async finish(tx: Tx, ...jobs: readonly ClaimedJob[]): Promise<void> {
    await deleteJobs(tx, { ids: jobs.map(({ id }) => id) })
  }

  /** Wakes the runner after a commit that added a job, so that it does not wait for its next poll. */
  wake(): void {
    for (const listener of this.#listeners) listener()
  }

  onWake(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Claims up to `limit` due jobs of a group under a lease of `leaseMs`. */
  async claim(limit: number, leaseMs: number, group: JobGroup = ALL): Promise<ClaimedJob[]> {
    const now = this.#clock.now()
    if (now.getTime() < this.#lastClaim - SET_BACK_MS) await this.#makeAllDue(now)
    this.#lastClaim = now.getTime()
    const due = dueAt(group, now.toISOString())
    const [some] = await this.#db.read.$kysely.selectFrom('jobs').select('id').where(due).limit(1).execute()
    if (!some) return []
    const leasedUntil = new Date(now.getTime() + leaseMs)
    const claimed = await this.#db.write((tx) =>
      tx.$kysely
        .updateTable('jobs')
        .set(({ eb }) => ({ leasedUntil, attempts: eb('attempts', '+', 1) }))
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('jobs').select('id').where(due).orderBy('runAt').limit(limit),
        )
        .returning(['id', 'kind', 'key', 'attempts', 'failures'])
        .$narrowType<{ kind: JobKind }>()
        .execute(),
    )
    return claimed.map(({ key, ...job }) => ({ ...job, subject: subjectOf(job.kind, key) }))
  }

  /** Makes all waiting jobs due after the clock was set back: otherwise they would wait longer by the time that it was set back. */
  async #makeAllDue(now: Date): Promise<void> {
    await this.#db.write((tx) =>
      tx.$kysely
        .updateTable('jobs')
        .set({ runAt: now, leasedUntil: null })
        .where('runAt', '>', now.toISOString())
        .execute(),
    )
  }

  /**
   * Releases a job for a later attempt.
   *
   * @param error why, for the operator; must not hold secrets
   * @param waiting see {@link RetryLater}; resets the count of failures in a row
   */
  async retryLater(job: ClaimedJob, runAt: Date, error: string, waiting = false): Promise<void> {
    const retried = { leasedUntil: null, runAt, lastError: error.slice(0, 500) }
    await this.#db.write((tx) =>
      tx.$kysely
        .updateTable('jobs')
        .set(({ eb }) => ({ ...retried, failures: waiting ? 0 : eb('failures', '+', 1) }))
        .where('id', '=', job.id)
        .execute(),
    )
  }

  /**
   * Ends leases whose holders are gone: only one server carries out jobs.
   *
   * @param group all of them at its start
   * @param inHand ids of the jobs that it holds itself
   */
  async takeOver(group: JobGroup = ALL, inHand: Iterable<number> = []): Promise<void> {
    await this.#db.write((tx) =>
      tx.$kysely
        .updateTable('jobs')
        .set({ leasedUntil: null })
        .where('leasedUntil', 'is not', null)
        .where(isInGroup(group))
        .where('id', 'not in', listOf([...inHand]))
        .execute(),
    )
  }

  /** When the next job of a group that is not leased is due; undefined when there is none. */
  async nextDue(group: JobGroup = ALL): Promise<Date | undefined> {
    const [next] = await this.#db.read.$kysely
      .selectFrom('jobs')
      .select('runAt')
      .where(isInGroup(group))
      .where('leasedUntil', 'is', null)
      .orderBy('runAt')
      .limit(1)
      .execute()
    return next && new Date(next.runAt)
  }
}
