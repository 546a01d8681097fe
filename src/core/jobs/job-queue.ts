import { Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../clock.ts'
import { type Database, selectJson, type Tx } from '../database/database.ts'

const FOR_ORDERS = [
  'complete_static_order',
  'auto_renew_static_order',
  'renew_at_supplier',
  'release_at_supplier',
] as const
const BY_MAIL = ['send_activation_mail'] as const

/** Work on orders that were accepted. */
export type OrderJobKind = (typeof FOR_ORDERS)[number]
export type JobKind =
  | OrderJobKind
  | (typeof BY_MAIL)[number]
  | 'deliver_notice'
  | 'deliver_digest'
  | 'send_broadcast'
  | 'refresh_screens'

/** Some kinds of jobs: these, or all but these. */
export type Lane = { readonly only: readonly JobKind[] } | { readonly except: readonly JobKind[] }

/**
 * Jobs by whom they wait for: what holds up one of them holds up none of the others. By far the most are messages; said like this,
 * an index finds the few others among them.
 */
export const LANES = {
  orders: { only: FOR_ORDERS },
  mail: { only: BY_MAIL },
  messages: { except: [...FOR_ORDERS, ...BY_MAIL] },
} satisfies Readonly<Record<string, Lane>>

const ALL: Lane = { except: [] }

/** SQL condition on jobs. */
function inLane(lane: Lane): Prisma.Sql {
  return 'only' in lane
    ? Prisma.sql`kind IN (SELECT value FROM json_each(${JSON.stringify(lane.only)}))`
    : Prisma.sql`kind NOT IN (SELECT value FROM json_each(${JSON.stringify(lane.except)}))`
}

export interface ClaimedJob {
  readonly id: number
  readonly kind: JobKind
  /** What it is about: an order number, the id of a notice, account or broadcast, a chat and a kind of notice. */
  readonly key: string
  /** How often it was tried, this time included. */
  readonly attempts: number
}

/** When a handler that could not finish is to be called again, and why. */
export interface RetryLater {
  /** Milliseconds; without it, longer with each attempt. */
  readonly retryAfterMs?: number
  /** For the operator; must not hold secrets. */
  readonly reason?: string
  /** Nothing is wrong with the job: it waits for somebody else, or there is more to do. */
  readonly waiting?: boolean | undefined
}

/** Smaller corrections of the clock make no difference. */
const SET_BACK_MS = 60_000

/**
 * Work to be done after a commit, as rows written in the same transaction. A job is claimed under a lease, may be
 * repeated after a crash, and is deleted in the transaction that makes its effect.
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

  /** Asks for work, to be done at once or after a while; asking twice for the same is asking once. */
  async enqueue(tx: Tx, kind: JobKind, key: string, afterMs = 0): Promise<void> {
    const now = this.#clock.now()
    const runAt = new Date(now.getTime() + afterMs)
    await tx.$executeRaw`INSERT OR IGNORE INTO jobs (kind, key, run_at, created_at) VALUES (${kind}, ${key}, ${runAt}, ${now})`
  }

  /** The work is done; in the transaction of its effect. */
  async finish(tx: Tx, ...jobs: readonly ClaimedJob[]): Promise<void> {
    const ids = JSON.stringify(jobs.map(({ id }) => id))
    await tx.$executeRaw`DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(${ids}))`
  }

  /** Tells the runner that a commit has left work: it need not wait for its next poll. */
  wake(): void {
    for (const listener of this.#listeners) listener()
  }

  onWake(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes up to `limit` jobs of a lane that are due; nobody else gets them for `leaseMs`. */
  async claim(limit: number, leaseMs: number, lane: Lane = ALL): Promise<ClaimedJob[]> {
    const now = this.#clock.now()
    if (now.getTime() < this.#lastClaim - SET_BACK_MS) await this.#dropWaitingTimes(now)
    this.#lastClaim = now.getTime()
    const due = Prisma.sql`${inLane(lane)} AND run_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${now})`
    const [some] = await this.#db.read.$queryRaw<unknown[]>`SELECT 1 FROM jobs WHERE ${due} LIMIT 1`
    if (!some) return []
    return this.#db.write((tx) =>
      selectJson<ClaimedJob>(
        tx,
        Prisma.sql`UPDATE jobs SET leased_until = ${new Date(now.getTime() + leaseMs)}, attempts = attempts + 1
                   WHERE id IN (SELECT id FROM jobs WHERE ${due} ORDER BY run_at LIMIT ${limit})
                   RETURNING json_object('id', id, 'kind', kind, 'key', key, 'attempts', attempts) AS json`,
      ),
    )
  }

  /** After the clock was set back: what shall be done in a minute would else wait for a minute and all the time until then. */
  async #dropWaitingTimes(now: Date): Promise<void> {
    await this.#db.write(
      (tx) => tx.$executeRaw`UPDATE jobs SET run_at = ${now}, leased_until = NULL WHERE run_at > ${now}`,
    )
  }

  /**
   * Gives a job back for a later try.
   *
   * @param error why, for the operator; must not hold secrets
   * @param waiting see {@link RetryLater}: the failures in a row are over
   */
  async retryLater(job: ClaimedJob, runAt: Date, error: string, waiting = false): Promise<void> {
    await this.#db.write(
      (tx) =>
        tx.$executeRaw`UPDATE jobs SET leased_until = NULL, run_at = ${runAt}, last_error = ${error.slice(0, 500)},
                         failures = iif(${waiting}, 0, failures + 1) WHERE id = ${job.id}`,
    )
  }

  /** Ends all leases. For the start: one server works on a database, so whoever held them is gone. */
  async takeOver(): Promise<void> {
    await this.#db.write(
      (tx) => tx.$executeRaw`UPDATE jobs SET leased_until = NULL WHERE leased_until IS NOT NULL`,
    )
  }

  /** When the next job of a lane is due that nobody has in hand; undefined when there is none. */
  async nextDue(lane: Lane = ALL): Promise<Date | undefined> {
    const [next] = await this.#db.read.$queryRaw<{ run_at: string }[]>`
      SELECT run_at FROM jobs WHERE ${inLane(lane)} AND leased_until IS NULL ORDER BY run_at LIMIT 1`
    return next && new Date(next.run_at)
  }
}
