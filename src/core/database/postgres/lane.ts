import { setImmediate } from 'node:timers/promises'
import type { Client, QueryResult } from 'pg'
import { ServiceError } from '../../errors.ts'
import { databaseUnavailable } from '../sqlite-error.ts'
import type { WriteGroup } from '../write-lane.ts'

/** Jobs that share one commit at most. */
const GROUP_LIMIT = 64
/** A group that has run so long is committed: the other processes wait for their turn. */
const GROUP_MS = 100

/** The channel on which processes hear that another one has committed. */
export const COMMITTED = 'proxy_reseller_committed'

/** Who does the work in the background; see `cluster.ts`. */
interface Leadership {
  readonly epoch: number | undefined
  /** It was the leader, and another one is. */
  readonly deposed: boolean
  lost(): void
}

interface QueuedJob {
  /** On the clock of `performance`. */
  readonly queuedAt: number
  run(connection: Client): Promise<void>
  /** Called after the commit, or with the reason why there was none. */
  settle(failure?: unknown): void
}

/**
 * The write lane on PostgreSQL, as `write-lane.ts` is on SQLite (rules 9.8): jobs run one after another, each in its own savepoint;
 * those that wait share one transaction. It begins by locking the one row of `write_turn`, so that nobody else writes meanwhile, in
 * any process; as each statement sees what was committed before it began, a job sees all that was written before its turn.
 */
export class PostgresLane<Tx> {
  readonly #connect: () => Promise<Client>
  readonly #tx: Tx
  readonly #leadership: Leadership
  readonly #waitMs: number
  readonly #onGroup: (group: WriteGroup) => void
  #connection: Client | undefined
  #working: Client | undefined
  #queue: QueuedJob[] = []
  #draining: Promise<void> | undefined

  /**
   * @param connect makes a connection to write on; asked again when the last one broke off
   * @param tx client that is passed to jobs; must use {@link connection}
   * @param leadership a process that was the leader, and is not any more, writes nothing
   * @param waitMs how long a job may wait for its turn before it is refused with `unavailable`
   * @param onGroup told after every commit
   */
  constructor(
    connect: () => Promise<Client>,
    tx: Tx,
    leadership: Leadership,
    waitMs: number,
    onGroup: (group: WriteGroup) => void = () => {},
  ) {
    this.#connect = connect
    this.#tx = tx
    this.#leadership = leadership
    this.#waitMs = waitMs
    this.#onGroup = onGroup
  }

  /** The connection of the job that runs. */
  get connection(): Client {
    if (!this.#working) throw new Error('The write client was used outside the write lane')
    return this.#working
  }

  /** As `WriteLane.write`. */
  write<T>(job: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: (() => void) | undefined
      this.#queue.push({
        queuedAt: performance.now(),
        run: async (connection) => {
          // Sent together with the first statement of the job: nobody waits for the answer.
          unheard(connection.query('SAVEPOINT job'))
          try {
            const value = await job(this.#tx)
            outcome = () => resolve(value)
            unheard(connection.query('RELEASE job'))
          } catch (error) {
            const reason = databaseUnavailable(error)
              ? new ServiceError('unavailable', { cause: error })
              : error
            outcome = () => reject(reason)
            await connection.query('ROLLBACK TO job; RELEASE job')
          }
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

  async close(): Promise<void> {
    await this.idle()
    await this.#connection?.end()
  }

  async #start(): Promise<void> {
    await setImmediate()
    while (this.#queue.length > 0) await this.#commitGroup()
    this.#draining = undefined
  }

  async #commitGroup(): Promise<void> {
    // More may join while the group waits for its turn.
    const queuedAt = this.#queue[0]?.queuedAt ?? 0
    let group: QueuedJob[] = []
    let waitedMs = 0
    try {
      const connection = await this.#begin(queuedAt)
      group = this.#queue.splice(0, GROUP_LIMIT)
      waitedMs = performance.now() - queuedAt
      const begunAt = performance.now()
      this.#working = connection
      for (const [index, job] of group.entries()) {
        await job.run(connection)
        if (performance.now() - begunAt > GROUP_MS) this.#queue.unshift(...group.splice(index + 1))
      }
      unheard(connection.query(`NOTIFY ${COMMITTED}`))
      const { command } = await connection.query('COMMIT')
      // PostgreSQL answers a COMMIT of a transaction in which something failed with ROLLBACK, and no error.
      if (command !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back')
    } catch (cause) {
      // What became of the transaction is unknown when the answer to COMMIT is lost: order numbers and keys decide (rules 9.8).
      await this.#abandon()
      const failure = new ServiceError('unavailable', { cause })
      const waiting = group.length > 0 ? group : this.#queue.splice(0)
      for (const job of waiting) job.settle(failure)
      return
    } finally {
      this.#working = undefined
    }
    for (const job of group) job.settle()
    this.#onGroup({ jobs: group.length, waitedMs })
  }

  /** Begins a transaction and takes the turn to write; a broken connection is made anew until the wait is over. */
  async #begin(since: number): Promise<Client> {
    const deadline = since + this.#waitMs
    for (;;) {
      try {
        this.#connection ??= await this.#connect()
        const results = await this.#connection.query(
          'BEGIN; SELECT FROM write_turn FOR NO KEY UPDATE; SELECT epoch FROM leader',
        )
        const [, , leader] = results as unknown as QueryResult<{ epoch: string }>[]
        this.#requireLeadership(Number(leader?.rows[0]?.epoch))
        return this.#connection
      } catch (error) {
        await this.#abandon()
        if (performance.now() > deadline || error instanceof OtherLeader) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  /** Jobs that are in hand when another process has become the leader are carried out there: here they must change nothing. */
  #requireLeadership(epoch: number): void {
    const { epoch: own } = this.#leadership
    if (own !== undefined && own !== epoch) this.#leadership.lost()
    if (this.#leadership.deposed) throw new OtherLeader()
  }

  /** Drops the connection, and with it whatever its transaction had done. */
  async #abandon(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await connection?.end().catch(() => {})
  }
}

class OtherLeader extends Error {
  override readonly name = 'OtherLeader'

  constructor() {
    super('another process does the work in the background now')
  }
}

/** An error of this statement makes the ones after it fail, which are heard. */
function unheard(sent: Promise<unknown>): void {
  sent.catch(() => {})
}
