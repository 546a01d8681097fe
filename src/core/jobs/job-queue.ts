import { Prisma } from '../../generated/prisma/client.ts'
import type { Clock } from '../clock.ts'
import { type Database, selectJson, type Tx } from '../database/database.ts'

export type JobKind =
  | 'complete_static_order'
  | 'deliver_notice'
  | 'deliver_digest'
  | 'send_broadcast'
  | 'send_activation_mail'
  | 'auto_renew_static_order'
  | 'renew_at_supplier'
  | 'release_at_supplier'
  | 'refresh_screens'

export interface ClaimedJob {
  readonly id: number
  readonly kind: JobKind
  /** What it is about: an order number, the id of a notice, account or broadcast, a chat and a kind of notice. */
  readonly key: string
  /** How often it was tried, this time included. */
  readonly attempts: number
}

/**
 * Work to be done after a commit, as rows written in the same transaction. A job is claimed under a lease, may be
 * repeated after a crash, and is deleted in the transaction that makes its effect.
 */
export class JobQueue {
  readonly #db: Database
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()

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

  /** Takes up to `limit` jobs that are due; nobody else gets them for `leaseMs`. */
  async claim(limit: number, leaseMs: number): Promise<ClaimedJob[]> {
    const now = this.#clock.now()
    const due = Prisma.sql`run_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${now})`
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

  /**
   * Gives a job back for a later try.
   *
   * @param error why, for the operator; must not hold secrets
   */
  async retryLater(job: ClaimedJob, runAt: Date, error: string): Promise<void> {
    await this.#db.write(
      (tx) =>
        tx.$executeRaw`UPDATE jobs SET leased_until = NULL, run_at = ${runAt}, last_error = ${error.slice(0, 500)} WHERE id = ${job.id}`,
    )
  }

  /** Ends all leases. For the start: one server works on a database, so whoever held them is gone. */
  async takeOver(): Promise<void> {
    await this.#db.write(
      (tx) => tx.$executeRaw`UPDATE jobs SET leased_until = NULL WHERE leased_until IS NOT NULL`,
    )
  }

  /** When the next job is due, leased ones included; undefined when there is none. */
  async nextDue(): Promise<Date | undefined> {
    const [row] = await this.#db.read.$queryRaw<{ due: string | null }[]>`
      SELECT min(max(run_at, coalesce(leased_until, run_at))) AS due FROM jobs`
    return row?.due ? new Date(row.due) : undefined
  }
}
