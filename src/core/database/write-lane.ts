import { setImmediate } from 'node:timers/promises'
import type { SqliteConnection } from './driver.ts'
import { ServiceError } from '../errors.ts'
import { databaseUnavailable } from './sqlite-error.ts'

/** Most jobs that share one commit; bounds how long the first one waits for its answer. */
const GROUP_LIMIT = 64
/** Pause between attempts to get the write lock while another process holds it. */
const LOCK_RETRY_MS = 20
/** Time in ms after which a group is committed; the event loop gets a turn before the next one. */
const GROUP_MS = 20

interface QueuedJob {
  /** In ms of `performance.now()`. */
  readonly queuedAt: number
  run(): Promise<void>
  /** Called after the commit, or with the reason why there was none. */
  settle(failure?: unknown): void
}

/** Writes that shared one commit. */
export interface WriteGroup {
  readonly jobs: number
  /** How long the first of them waited for its turn and the lock, in milliseconds. */
  readonly waitedMs: number
}

/**
 * All changes of the database go through here: jobs run one after another, each in its own savepoint; those that wait share one
 * `BEGIN IMMEDIATE … COMMIT` (group commit), and no caller gets an answer before the commit is durable. When a job throws, only its
 * own changes are undone.
 */
export class WriteLane<Tx> {
  readonly #connection: SqliteConnection
  readonly #tx: Tx
  readonly #lockTimeoutMs: number
  readonly #onGroup: (group: WriteGroup) => void
  readonly #onFailure: () => void
  #queue: QueuedJob[] = []
  #draining: Promise<void> | undefined

  /**
   * @param connection the only read-write connection of this process
   * @param tx client that is passed to jobs; must use `connection`
   * @param lockTimeoutMs how long to wait for another process's transaction before refusing with `unavailable`
   * @param onGroup told after every commit
   * @param onFailure told when something could not be written
   */
  constructor(
    connection: SqliteConnection,
    tx: Tx,
    lockTimeoutMs: number,
    onGroup: (group: WriteGroup) => void = () => {},
    onFailure: () => void = () => {},
  ) {
    this.#connection = connection
    this.#tx = tx
    this.#lockTimeoutMs = lockTimeoutMs
    this.#onGroup = onGroup
    this.#onFailure = onFailure
  }

  /**
   * Runs `job` in the lane. It may await nothing but `tx`: all other jobs wait meanwhile.
   *
   * @returns what the job returned, once it is durable
   * @throws what the job threw, after its changes were undone; `unavailable` when the database could not commit
   */
  write<T>(job: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: (() => void) | undefined
      this.#queue.push({
        queuedAt: performance.now(),
        run: async () => {
          this.#connection.exec('SAVEPOINT job')
          try {
            const value = await job(this.#tx)
            outcome = () => resolve(value)
          } catch (error) {
            const unwritable = databaseUnavailable(error)
            if (unwritable) this.#onFailure()
            const reason = unwritable ? new ServiceError('unavailable', { cause: error }) : error
            outcome = () => reject(reason)
            // SQLite itself undoes the whole transaction on a full disk or an I/O error; then there is no savepoint left.
            if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK TO job')
          }
          if (this.#connection.inTransaction) this.#connection.exec('RELEASE job')
        },
        settle: (failure) => (failure === undefined && outcome ? outcome() : reject(failure)),
      })
      this.#draining ??= this.#start()
    })
  }

  /** Resolves when no job waits or runs. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining
  }

  /**
   * Waits two turns of the event loop, so that every request that has arrived joins the group: one turn to read it, one to check its token.
   * Larger groups need fewer commits.
   */
  async #start(): Promise<void> {
    await setImmediate()
    await setImmediate()
    await this.#drain()
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#commitGroup(this.#queue.splice(0, GROUP_LIMIT))
      if (this.#queue.length > 0) await setImmediate()
    }
    this.#draining = undefined
  }

  async #commitGroup(group: QueuedJob[]): Promise<void> {
    const queuedAt = group[0]?.queuedAt ?? 0
    let waitedMs = 0
    try {
      await this.#begin(queuedAt)
      waitedMs = performance.now() - queuedAt
      const begunAt = performance.now()
      for (const [index, job] of group.entries()) {
        await job.run()
        if (!this.#connection.inTransaction) throw new Error('SQLite rolled the transaction back')
        if (performance.now() - begunAt > GROUP_MS) this.#queue.unshift(...group.splice(index + 1))
      }
      this.#commit()
    } catch (cause) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK')
      this.#onFailure()
      const failure = new ServiceError('unavailable', { cause })
      for (const job of group) job.settle(failure)
      return
    }
    for (const job of group) job.settle()
    this.#onGroup({ jobs: group.length, waitedMs })
  }

  /**
   * Commits. After a failure the transaction may still be in the write-ahead log and would be recovered after a crash, although its
   * jobs were refused: a commit without changes overwrites it.
   */
  #commit(): void {
    try {
      this.#connection.exec('COMMIT')
    } catch (error) {
      try {
        if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK')
        this.#connection.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; COMMIT')
      } catch {
        // This commit fails like the first one, but has overwritten it in the log.
      }
      throw error
    }
  }

  /**
   * Takes the write lock. SQLite's own busy timeout would block the event loop, so it is short, and the wait for another process (an
   * operator command) happens here.
   *
   * @param since when the oldest job of the group began to wait; time in the queue counts, so that the timeout is not waited for once per
   *   group of a long queue
   */
  async #begin(since: number): Promise<void> {
    const deadline = since + this.#lockTimeoutMs
    for (;;) {
      try {
        this.#connection.exec('BEGIN IMMEDIATE')
        return
      } catch (error) {
        const busy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
        if (!busy || performance.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
      }
    }
  }
}
