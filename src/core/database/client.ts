import type { CompiledQuery, QueryResult } from 'kysely'
import { Prisma } from '../../generated/prisma/browser.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Engine, Queries, Queryable } from './queries.ts'
import type { WriteGroup } from './write-lane.ts'

type ReadMethod =
  | 'findUnique'
  | 'findUniqueOrThrow'
  | 'findFirst'
  | 'findFirstOrThrow'
  | 'findMany'
  | 'count'
  | 'aggregate'
  | 'groupBy'
type ModelName = Uncapitalize<Prisma.ModelName>

/** Committed data only, on a connection that the database itself keeps from writing. */
export type ReadClient = Queryable & {
  [Model in ModelName]: Pick<PrismaClient[Model], ReadMethod & keyof PrismaClient[Model]>
}

/** The client of a write-lane job. */
export type Tx = Queryable & {
  readonly $kysely: Queries
  /** Names of the work that the open transaction has added; passed to the listeners of the commit. */
  readonly $added: Set<string>
} & { [Model in ModelName]: PrismaClient[Model] }

/** Where committed data, or that of the open transaction, can be read. */
export type Readable = Queryable

/** Kinds of jobs that may run beside others of the same kind; a job of `one_statement` may do anything in its statement. */
export type MixedKind = 'static_order' | 'one_statement'

export interface Database {
  readonly read: ReadClient
  /**
   * Every change goes through here; see {@link WriteLane.write}.
   *
   * @param mixes the job may run beside others of this kind, and be run anew, on PostgreSQL: it writes only by conditional updates, and
   *   throws where one of them finds no row (docs/decisions/0011-mixed-jobs-on-postgresql.md)
   */
  write<T>(job: (tx: Tx) => Promise<T>, mixes?: MixedKind): Promise<T>
  /**
   * Calls a function after each commit of this process; what other processes commit is not heard.
   *
   * @param listener gets the names of the work that the transaction has added, see {@link Tx}
   * @returns a function that unsubscribes the listener
   */
  onCommit(listener: CommitListener): () => void
  /** The servers of the database; undefined on SQLite, which has only one. */
  readonly cluster?: Cluster
  close(): Promise<void>
}

/** The same database with another way to write. */
export function withWrite(db: Database, write: Database['write']): Database {
  return {
    read: db.read,
    write,
    onCommit: (listener) => db.onCommit(listener),
    ...(db.cluster && { cluster: db.cluster }),
    close: () => db.close(),
  }
}

/** @param added names of work; undefined: unknown */
export type CommitListener = (added?: ReadonlySet<string>) => void

/** Name of the work that a kept update adds. */
export const INBOX = 'inbox'

/** An update of Telegram, as JSON. */
export interface InboxUpdate {
  /** The bot that it came to: its id at Telegram; 0 for the shop's. */
  readonly botId: number
  readonly updateId: number
  readonly body: string
}

/** Returns the name of an update among those of all bots, whose ids Telegram counts for each bot. */
export function nameOfUpdate({ botId, updateId }: Pick<InboxUpdate, 'botId' | 'updateId'>): string {
  return `${botId} ${updateId}`
}

/** The servers of one database: each answers people, and one of them, the leader, does the work in the background (rules 10.20). */
export interface Cluster {
  /** Whether this process does the work in the background. */
  readonly leads: boolean
  readonly hold: Hold
  /** Number of servers that are alive, this one included; rules 10.23. */
  readonly servers: number
  /** Number of them whose clock is wrong. */
  readonly wrongClocks: number
  readonly logIns: LogInAttempts
  readonly clock: ClockOffset
  /**
   * Becomes the leader as soon as there is none. A process that has lost the lead to another one can write nothing more: it must end.
   *
   * @param onLead called each time this process becomes the leader: again after {@link giveUp}
   * @returns a function that withdraws the candidacy; a process that already leads does so until the database is closed
   */
  lead(onLead: () => void, onLost: () => void): () => void
  /** Lets another process lead, or this one again. Only for a leader that has nothing in hand. */
  giveUp(): Promise<void>
  /**
   * Calls a function when another process has perhaps committed.
   *
   * @returns a function that unsubscribes the listener
   */
  onElsewhere(listener: CommitListener): () => void
  /** Keeps an update for the leader, unless it is kept or was handled. */
  keepUpdate(update: InboxUpdate): Promise<void>
  /** Returns the oldest kept updates, without those that are in hand, see {@link nameOfUpdate}. */
  keptUpdates(inHand: readonly string[]): Promise<InboxUpdate[]>
  /** Counts the kept updates. */
  waitingUpdates(): Promise<number>
  /** Deletes a handled update, and remembers it so that it is not kept again. */
  dropUpdate(update: Pick<InboxUpdate, 'botId' | 'updateId'>): Promise<void>
}

/**
 * The leader's lease by the clock of this process: when it has run out unrenewed, another process may lead without its knowledge. For
 * effects that no transaction fences off, such as calls of Telegram.
 */
export interface Hold {
  readonly lasts: boolean
  /** Resolves as soon as the lease lasts. */
  begun(): Promise<void>
  /** Aborted when the current lease runs out. */
  readonly signal: AbortSignal
}

/** The clock of this machine beside that of the database (rules 10.23). */
export interface ClockOffset {
  /** Milliseconds by which this machine is ahead; 0 until that is known. */
  readonly ms: number
  /** Whether it is so far off that servers may disagree about what is due. */
  readonly isWrong: boolean
}

/** A log-in that has failed or has not ended. */
export interface LogInAttempt {
  readonly username: string
  readonly network: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly failed: boolean
}

/** Log-ins of all servers (rules 2.4). */
export interface LogInAttempts {
  /**
   * Adds an attempt, unless there are as many as a limit already.
   *
   * @param limits for the number of attempts after `since`, failed or not
   * @returns its id; undefined when there are too many
   */
  begin(
    attempt: Omit<LogInAttempt, 'failed'>,
    limits: LogInLimits,
    since: number,
  ): Promise<number | undefined>
  /** Returns the attempts of a username or a network after `since`, oldest first. */
  of(origin: Pick<LogInAttempt, 'username' | 'network'>, since: number): Promise<LogInAttempt[]>
  /** Marks an attempt as failed; deletes all attempts until `since`. */
  fail(id: number, at: number, since: number): Promise<void>
  /** Deletes an attempt that has not failed. */
  forget(id: number): Promise<void>
}

export interface LogInLimits {
  readonly usernameFromNetwork: number
  readonly username: number
  readonly network: number
}

/** Metrics and log of the database; must be quick and not throw. */
export interface DatabaseObserver {
  /** A statement took longer than {@link SLOW_STATEMENT_MS}. Its text has placeholders where the values were. */
  readonly slowStatement: (sql: string, ms: number) => void
  readonly group: (group: WriteGroup) => void
  /** Something could not be written. */
  readonly unwritten?: () => void
  /** The clock of this machine has become wrong: it is `ms` milliseconds ahead of that of the database. */
  readonly clockIsWrong?: (ms: number) => void
}

type Method = (args: unknown) => Promise<unknown>

interface Parts {
  readonly added?: Set<string>
  readonly queries: Queries
  readonly builder: Queries
  readonly run: <Row>(query: CompiledQuery<Row>) => Promise<QueryResult<Row>>
  readonly prisma: () => Promise<PrismaClient>
}

/** Makes a client of Kysely and of Prisma's models, which take 30 MB and 200 ms and are therefore loaded at their first use. */
export function clientOf(engine: Engine, { added, queries, builder, run, prisma }: Parts): Tx {
  let made: Promise<PrismaClient> | undefined
  const client = { $engine: engine, $kysely: queries, $builder: builder, $run: run, $added: added }
  for (const name of Object.values(Prisma.ModelName)) {
    const model = (name.charAt(0).toLowerCase() + name.slice(1)) as ModelName
    const call = (_: object, method: string) => async (args: unknown) => {
      const models = (await (made ??= prisma())) as unknown as Record<string, Record<string, Method>>
      return models[model]?.[method]?.(args)
    }
    Object.defineProperty(client, model, { value: new Proxy({}, { get: call }) })
  }
  return client as unknown as Tx
}
