import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Client, QueryResult } from 'pg'
import { ServiceError } from '../../errors.ts'
import type { MixedKind } from '../client.ts'
import { databaseUnavailable, isInFailedTransaction } from '../sqlite-error.ts'
import type { WriteGroup } from '../write-lane.ts'
import { SharedReads } from './shared-reads.ts'
import type { Answer } from './statements.ts'

/** Most jobs that share one commit. */
const GROUP_LIMIT = 64
/** Time in ms after which a group is committed, as other processes wait for their turn. */
const GROUP_MS = 100

/** Channel of the notifications of commits: each names the process and the work that it has added. */
export const COMMITTED = 'proxy_reseller_committed'

/** Returns the statement that notifies of a commit; PostgreSQL delivers it with the next commit on the connection. */
export function notifying(holder: string, added: Iterable<string>): string {
  return `NOTIFY ${COMMITTED}, '${holder} ${[...added].join(' ')}'`
}

/** Parses a notification: who has committed, and the work that was added, which servers of older versions leave out. */
export function committed(payload: string): {
  readonly holder: string
  readonly added?: ReadonlySet<string>
} {
  const [holder = '', ...added] = payload.split(' ')
  return payload.includes(' ') ? { holder, added: new Set(added) } : { holder }
}

/** Who does the work in the background; see `cluster.ts`. */
interface Leadership {
  /** Id of this process in its notifications. */
  readonly holder: string
  readonly epoch: number | undefined
  /** Whether this process has lost the lead to another one. */
  readonly deposed: boolean
  lost(): void
}

/** Why a job has failed. */
interface Failure {
  readonly error: unknown
}

interface QueuedJob {
  /** In ms of `performance.now()`. */
  readonly queuedAt: number
  /** Neighbouring jobs of the same kind run side by side; undefined: the job runs by itself. */
  readonly mixes: MixedKind | undefined
  /** Runs the job; called again after its changes were undone. Only the last outcome counts. */
  attempt(): Promise<Failure | undefined>
  /** Called after the commit, or with the reason why there was none. */
  settle(failure?: unknown): void
}

/**
 * The write lane on PostgreSQL, as `write-lane.ts` is on SQLite (rules 9.8): jobs run one after another, each in its own savepoint; those
 * that wait share one transaction. It begins by locking the one row of `write_turn`, so that nobody else writes meanwhile, in any process;
 * as each statement sees what was committed before it began, a job sees all that was written before its turn.
 *
 * Each statement takes a network round trip, for which all queued jobs wait. So jobs that may be mixed run side by side in one savepoint,
 * which is kept only when all of them succeed. Otherwise all are undone: those that failed run by themselves, the others side by side once
 * more.
 */
export class PostgresLane<Tx> {
  /** Cached reads of the open transaction. */
  readonly reads = new SharedReads<Answer>()
  readonly #connect: () => Promise<Client>
  readonly #tx: Tx
  readonly #added: Set<string>
  readonly #leadership: Leadership
  readonly #waitMs: number
  readonly #onGroup: (group: WriteGroup, added: ReadonlySet<string>) => void
  readonly #onFailure: () => void
  #connection: Client | undefined
  #working: Client | undefined
  #queue: QueuedJob[] = []
  #draining: Promise<void> | undefined

  /**
   * @param connect makes a connection to write on; asked again when the last one broke off
   * @param tx client that is passed to jobs; must use {@link connection}
   * @param added names of the work that jobs have added; sent with the notification of the commit, here and to the other servers
   * @param leadership lets a process that has lost the lead write nothing
   * @param waitMs how long a job may wait for its turn before it is refused with `unavailable`
   * @param onGroup told after every commit
   * @param onFailure told when something could not be written
   */
  constructor(
    connect: () => Promise<Client>,
    tx: Tx,
    added: Set<string>,
    leadership: Leadership,
    waitMs: number,
    onGroup: (group: WriteGroup, added: ReadonlySet<string>) => void = () => {},
    onFailure: () => void = () => {},
  ) {
    this.#connect = connect
    this.#tx = tx
    this.#added = added
    this.#leadership = leadership
    this.#waitMs = waitMs
    this.#onGroup = onGroup
    this.#onFailure = onFailure
  }

  /** The connection of the job that runs. */
  get connection(): Client {
    if (!this.#working) throw new Error('The write client was used outside the write lane')
    return gathering(this.#working)
  }

  /** As `Database.write`. */
  write<T>(job: (tx: Tx) => Promise<T>, mixes?: MixedKind): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: (() => void) | undefined
      this.#queue.push({
        queuedAt: performance.now(),
        mixes,
        attempt: async () => {
          try {
            const value = await job(this.#tx)
            outcome = () => resolve(value)
            return undefined
          } catch (error) {
            const unwritable = databaseUnavailable(error)
            if (unwritable) this.#onFailure()
            const reason = unwritable ? new ServiceError('unavailable', { cause: error }) : error
            outcome = () => reject(reason)
            return { error }
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
    // Jobs are taken only after the turn has begun: more may join the queue meanwhile.
    const queuedAt = this.#queue[0]?.queuedAt ?? 0
    let group: QueuedJob[] = []
    let waitedMs = 0
    let added: ReadonlySet<string> = new Set()
    try {
      const connection = await this.#begin(queuedAt)
      group = this.#queue.splice(0, GROUP_LIMIT)
      waitedMs = performance.now() - queuedAt
      const begunAt = performance.now()
      this.#working = connection
      for (let done = 0; done < group.length;) {
        const jobs = alikeFrom(group, done)
        await this.#carryOut(connection, jobs)
        done += jobs.length
        if (performance.now() - begunAt > GROUP_MS) this.#queue.unshift(...group.splice(done))
      }
      added = new Set(this.#added)
      this.#added.clear()
      unheard(gathering(connection).query(notifying(this.#leadership.holder, added)))
      const { command } = await connection.query('COMMIT')
      // PostgreSQL answers a COMMIT of a transaction in which something failed with ROLLBACK, and no error.
      if (command !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back')
    } catch (cause) {
      // Whether the transaction was committed is unknown when the answer to COMMIT is lost: order numbers and keys tell on a retry (rules
      // 9.8).
      this.#abandon()
      this.#onFailure()
      const failure = new ServiceError('unavailable', { cause })
      const waiting = group.length > 0 ? group : this.#queue.splice(0)
      for (const job of waiting) job.settle(failure)
      return
    } finally {
      this.#working = undefined
    }
    for (const job of group) job.settle()
    this.#onGroup({ jobs: group.length, waitedMs }, added)
  }

  /** Runs jobs: several side by side, and by themselves those for which that fails. */
  async #carryOut(connection: Client, jobs: readonly QueuedJob[]): Promise<void> {
    const left = jobs.length > 1 ? await this.#mix(connection, jobs) : jobs
    for (const job of left) await this.#attempt(connection, [job])
  }

  /** @returns the jobs that are still to run, each by itself */
  async #mix(connection: Client, jobs: readonly QueuedJob[]): Promise<readonly QueuedJob[]> {
    const failures = await this.#attempt(connection, jobs)
    if (failures.size === 0) return []
    // After a failed statement PostgreSQL refuses those of all other jobs until the rollback: they may succeed without that job.
    const others = jobs.filter((job) => !failures.has(job) || isInFailedTransaction(failures.get(job)?.error))
    const done = others.length > 1 && (await this.#attempt(connection, others)).size === 0
    return [...(done ? [] : others), ...jobs.filter((job) => !others.includes(job))]
  }

  /**
   * Runs jobs in one savepoint, which is undone when one of them fails.
   *
   * @returns the failures, by job
   */
  async #attempt(connection: Client, jobs: readonly QueuedJob[]): Promise<Map<QueuedJob, Failure>> {
    this.reads.forget()
    // Sent together with the first statements of the jobs: nobody waits for the answer.
    unheard(gathering(connection).query('SAVEPOINT job'))
    const failures = new Map<QueuedJob, Failure>()
    await Promise.all(
      jobs.map(async (job) => {
        const failure = await job.attempt()
        if (failure) failures.set(job, failure)
      }),
    )
    if (failures.size === 0) unheard(gathering(connection).query('RELEASE job'))
    else await connection.query('ROLLBACK TO job; RELEASE job')
    return failures
  }

  /** Begins a transaction and takes the turn to write; reconnects after a failure until the wait is over. */
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
        this.#abandon()
        if (performance.now() > deadline || error instanceof OtherLeader) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  /** Refuses the jobs in hand when another process has become the leader: it does their work, and here they must change nothing. */
  #requireLeadership(epoch: number): void {
    const { epoch: own } = this.#leadership
    if (own !== undefined && own !== epoch) this.#leadership.lost()
    if (this.#leadership.deposed) throw new OtherLeader()
  }

  /** Drops the connection, and with it the open transaction. Does not wait for the other end, which may be silent. */
  #abandon(): void {
    const connection = this.#connection
    this.#connection = undefined
    connection?.end().catch(() => {})
  }
}

/** Returns the job at a place and the jobs after it that it may be mixed with. */
function alikeFrom(group: readonly QueuedJob[], place: number): QueuedJob[] {
  const { mixes } = group[place] ?? {}
  const next = group.findIndex((job, index) => index > place && (mixes === undefined || job.mixes !== mixes))
  return group.slice(place, next === -1 ? group.length : next)
}

/** Corks the connection: statements sent in one turn of the event loop leave in one packet. */
function gathering(connection: Client): Client {
  const { stream } = (connection as unknown as { connection: { stream: Socket } }).connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return connection
}

class OtherLeader extends Error {
  override readonly name = 'OtherLeader'

  constructor() {
    super('another process does the work in the background now')
  }
}

/** Ignores the error of a statement: it makes the statements after it fail, which are awaited. */
function unheard(sent: Promise<unknown>): void {
  sent.catch(() => {})
}
