import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Clock } from '../clock.ts'
import { compiled } from '../database/compiled.ts'
import type { Database, Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { JOB_KINDS, type JobKind, type JobSubjects, keyOf, subjectOf } from './job-kinds.ts'
import { addsWork, onWork, type Work } from './added-work.ts'
import { groupNamed, groupOf, type JobGroup, type JobGroupName } from './job-groups.ts'

const { eb } = expressionBuilder<DB, 'jobs'>()

/**
 * Condition: this version knows the kind; other jobs are left to the newer version that does. Not spelled `in`, which would be read by the
 * index of kinds, although most jobs match.
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
  /** Number of attempts, this one included. */
  readonly attempts: number
  /** Number of failures in a row before this attempt; attempts that only had to wait are no failures. */
  readonly failures: number
}

/** When a handler that could not finish is to be called again, and why. */
export interface RetryLater {
  /** Pause in ms; without it, the pause grows with each failure. */
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

  /**
   * Adds a job, due at once or after a while; a job of the same kind and subject is added only once. The commit wakes the runner of its
   * group.
   */
  async enqueue<Kind extends JobKind>(
    tx: Tx,
    kind: Kind,
    subject: JobSubjects[Kind],
    afterMs = 0,
  ): Promise<void> {
    const now = this.#clock.now()
    const runAt = new Date(now.getTime() + afterMs)
    await addJob(tx, { kind, key: keyOf(kind, subject), runAt, now })
    addsWork(tx, groupOf(kind))
  }

  /** Deletes jobs that are done, in the transaction of their effect. */
  async finish(tx: Tx, ...jobs: readonly ClaimedJob[]): Promise<void> {
    await deleteJobs(tx, { ids: jobs.map(({ id }) => id) })
  }

  /** Wakes all loops: what another process has written, or the clock has made due, need not wait for their next polls. */
  wake(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Calls a function when a commit has added some work, and by {@link wake}. */
  onWake(work: Work, listener: () => void): () => void {
    this.#listeners.add(listener)
    const end = onWork(this.#db, work, listener)
    return () => {
      this.#listeners.delete(listener)
      end()
    }
  }

  /** Claims up to `limit` due jobs of a group under a lease of `leaseMs`. */
  async claim(limit: number, leaseMs: number, name?: JobGroupName): Promise<ClaimedJob[]> {
    const now = this.#clock.now()
    if (now.getTime() < this.#lastClaim - SET_BACK_MS) await this.#makeAllDue(now)
    this.#lastClaim = now.getTime()
    const due = dueAt(groupNamed(name), now.toISOString())
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
   * Ends leases of jobs that nobody works on any more: only one server runs jobs, so those that it does not hold itself are stray.
   *
   * @param name group of the jobs; undefined, at the start of the server: all jobs
   * @param inHand ids of the jobs that this server works on
   */
  async takeOver(name?: JobGroupName, inHand: Iterable<number> = []): Promise<void> {
    await this.#db.write((tx) =>
      tx.$kysely
        .updateTable('jobs')
        .set({ leasedUntil: null })
        .where('leasedUntil', 'is not', null)
        .where(isInGroup(groupNamed(name)))
        .where('id', 'not in', listOf([...inHand]))
        .execute(),
    )
  }

  /** Returns when the next job of a group that is not leased is due; undefined when there is none. */
  async nextDue(name?: JobGroupName): Promise<Date | undefined> {
    const [next] = await this.#db.read.$kysely
      .selectFrom('jobs')
      .select('runAt')
      .where(isInGroup(groupNamed(name)))
      .where('leasedUntil', 'is', null)
      .orderBy('runAt')
      .limit(1)
      .execute()
    return next && new Date(next.runAt)
  }
}
