import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import { handle, type JobHandlers } from '../core/job-handlers.ts'
import type { JobKind } from '../core/jobs/job-kinds.ts'
import type { JobGroupName } from '../core/jobs/job-groups.ts'
import type { ClaimedJob, JobQueue, RetryLater } from '../core/jobs/job-queue.ts'
import { Loop } from './loop.ts'

/** Jobs of a round; enough to keep up with the orders that a busy server accepts meanwhile. */
const BATCH = 128
/** The lease of a job in ms: longer than any handler takes; after a crash the job can be claimed again when it has ended. */
const LEASE_MS = 60_000
/** A round waits no longer for its jobs and sweeps: a handler may have to wait for Telegram. */
const ROUND_MS = 500
/** Poll for jobs of another process (an operator command), which cannot wake the runner. */
const POLL_MS = 5_000
/** Pause when a job is due that could not be claimed. */
const LEAST_PAUSE_MS = 10
/** Least time between two sweeps, as a busy loop has many rounds; measured on a monotonic clock. */
const SWEEP_MS = 1_000
const BACKOFF_MS = { first: 1_000, largest: 10 * 60_000 }

/** Metrics of the runner. */
export interface JobObserver {
  claimed(kind: JobKind): void
  /** @param done whether it was finished, or must be repeated */
  ended(kind: JobKind, done: boolean, ms: number): void
}

interface RunnerOptions {
  readonly queue: JobQueue
  /** The jobs that it carries out. */
  readonly group: JobGroupName
  readonly handlers: JobHandlers
  /** Checks for changes by time alone, such as the end of a term. Called every few seconds, so they must be cheap. */
  readonly sweeps: readonly (() => Promise<void>)[]
  readonly clock: Clock
  readonly logger: Logger
  readonly observer?: JobObserver
  /** Removes secrets from the stored reason of a failure. */
  readonly redact?: (text: string) => string
}

/**
 * Carries out the background work of a group: claims what is due under a lease, retries with growing pauses, and sleeps until
 * the next job is due, a commit wakes it, or the poll comes round.
 */
export class JobRunner extends Loop {
  readonly #options: RunnerOptions
  /** Jobs that are being carried out, or given back. */
  readonly #work = new Set<Promise<void>>()
  /** Ids of the jobs that are being carried out. */
  readonly #inHand = new Set<number>()
  /** Whether there may be leases of jobs that nobody carries out: a claim, or giving a job back, has failed. */
  #hasStrayLeases = false
  #lastSweep = -Infinity
  #sweeping: Promise<void> | undefined

  constructor(options: RunnerOptions) {
    const { queue, group, logger } = options
    super({
      logger,
      failure: 'the job loop could not do its round',
      pauseMs: BACKOFF_MS.first,
      onWake: (listener) => queue.onWake(group, listener),
    })
    this.#options = options
  }

  /** Lets the current jobs and sweeps finish and claims no more. */
  override async stop(): Promise<void> {
    await super.stop()
    await Promise.all([this.#sweeping, ...this.#work])
  }

  protected async round(): Promise<number> {
    await this.#sweep()
    if (this.#work.size >= BATCH) await Promise.race(this.#work)
    const jobs = await this.#claim()
    await this.#carryOut(jobs)
    // The database could not be written a moment ago.
    if (this.#hasStrayLeases) return BACKOFF_MS.first
    return jobs.length > 0 ? 0 : this.#untilDue()
  }

  async #claim(): Promise<ClaimedJob[]> {
    const { queue, group } = this.#options
    try {
      const hasStrayLeases = this.#hasStrayLeases
      // Reset before the take-over: what fails meanwhile is for the next round.
      this.#hasStrayLeases = false
      if (hasStrayLeases) await queue.takeOver(group, this.#inHand)
      return await queue.claim(BATCH - this.#work.size, LEASE_MS, group)
    } catch (error) {
      this.#hasStrayLeases = true
      throw error
    }
  }

  /** Runs the sweeps; slow ones continue during the next rounds. */
  async #sweep(): Promise<void> {
    if (this.#sweeping || performance.now() - this.#lastSweep < SWEEP_MS) return
    this.#lastSweep = performance.now()
    this.#sweeping = this.#sweepAll().finally(() => (this.#sweeping = undefined))
    await raceWithDeadline(this.#sweeping)
  }

  async #sweepAll(): Promise<void> {
    for (const sweep of this.#options.sweeps) {
      try {
        await sweep()
      } catch (error) {
        this.#options.logger.error({ err: error }, 'a sweep failed and will be repeated')
      }
    }
  }

  /** Carries out the jobs of a round in parallel, so that they share commits; slow ones continue during the next rounds. */
  async #carryOut(jobs: readonly ClaimedJob[]): Promise<void> {
    // A job that outlives its lease is claimed again, but not started twice.
    const fresh = jobs.filter(({ id }) => !this.#inHand.has(id))
    const round = Promise.all(
      fresh.map((job) => {
        const work = this.#handle(job).finally(() => this.#work.delete(work))
        this.#work.add(work)
        return work
      }),
    )
    await raceWithDeadline(round)
  }

  async #handle(job: ClaimedJob): Promise<void> {
    const { handlers, queue, clock, logger, observer, redact = (text) => text } = this.#options
    const begun = performance.now()
    observer?.claimed(job.kind)
    this.#inHand.add(job.id)
    let outcome: RetryLater | undefined
    try {
      outcome = await handle(handlers, job)
    } catch (error) {
      logger.error({ err: error, job }, 'a job failed and will be repeated')
      outcome = { reason: error instanceof Error ? error.message : 'unknown' }
    }
    // The job can be claimed as soon as it is given back, which may be before `retryLater` settles here.
    this.#inHand.delete(job.id)
    observer?.ended(job.kind, !outcome, performance.now() - begun)
    if (!outcome) return
    const pause = outcome.retryAfterMs ?? Math.min(BACKOFF_MS.first * 2 ** job.failures, BACKOFF_MS.largest)
    try {
      await queue.retryLater(
        job,
        new Date(clock.now().getTime() + pause),
        redact(outcome.reason ?? 'not finished yet').replaceAll(/\s+/g, ' '),
        outcome.waiting,
      )
      this.wake()
    } catch (error) {
      this.#hasStrayLeases = true
      logger.error(
        { err: error, job },
        'a job could not be given back; its lease ends when the database can be written',
      )
    }
  }

  /** Returns the milliseconds until the next job is due, or the poll. */
  async #untilDue(): Promise<number> {
    const { queue, group, clock } = this.#options
    const due = await queue.nextDue(group).catch(() => undefined)
    if (!due) return POLL_MS
    return Math.min(Math.max(due.getTime() - clock.now().getTime(), LEAST_PAUSE_MS), POLL_MS)
  }
}

/** Waits for work until the time of a round is over. */
async function raceWithDeadline(work: Promise<unknown>): Promise<void> {
  const deadline = new AbortController()
  await Promise.race([work, sleep(ROUND_MS, undefined, { signal: deadline.signal }).catch(() => {})])
  deadline.abort()
}
