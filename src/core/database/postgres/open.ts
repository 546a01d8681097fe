import type { Socket } from 'node:net'
import { Client, type ClientBase, type ClientConfig, Pool, type QueryArrayConfig } from 'pg'
import type { PrismaClient as SqlitePrismaClient } from '../../../generated/prisma/client.ts'
import { OperatorError } from '../../operator-error.ts'
import {
  clientOf,
  type CommitListener,
  type Database,
  type DatabaseObserver,
  type ReadClient,
  type Tx,
} from '../client.ts'
import { shownUrl } from '../database-path.ts'
import { PostgresCluster } from './cluster.ts'
import type { UniqueKeys } from './failure.ts'
import { logInAttempts } from './log-in-attempts.ts'
import { PostgresLane } from './lane.ts'
import { migratePostgres } from './migrations.ts'
import { postgresAdapter } from './prisma-adapter.ts'
import { executeOnPostgres, postgresBuilder, queriesOverPostgres } from './queries.ts'
import { READERS, ReadPlaces } from './read-places.ts'
import { type SessionSettings, setUp } from './session.ts'
import { PostgresStatements, type Runner } from './statements.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** How long a job waits for its turn to write, or a read for its place, before it is refused. */
const TURN_TIMEOUT_MS = 10_000
/** Longest time in ms of a statement; a connection that has not answered soon after is given up. */
const ANSWER_TIMEOUT_MS = 30_000
/** How long in ms a write transaction may idle: a process that hangs in the middle of its turn loses it. */
const STOPPED_TIMEOUT_MS = 5_000

/**
 * Opens a PostgreSQL database and applies the migrations that it does not have yet (rules 9.8).
 *
 * @param url `postgresql://` URL as in DATABASE_URL, with the parameters of libpq, e.g. `sslmode`
 * @throws OperatorError when it cannot be opened or brought up to date, or is of a newer version; the message has no password
 */
export async function openPostgres(
  url: string,
  observer?: DatabaseObserver,
  turnMs = TURN_TIMEOUT_MS,
): Promise<Database> {
  try {
    const keys = await prepare(url)
    return connect(url, keys, observer, turnMs)
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message || String(error) : String(error)).split('\n')
    throw new OperatorError(`The database ${shownUrl(url)} cannot be opened: ${reason}`, { cause: error })
  }
}

/** Applies the migrations, and reads the columns of the unique indexes, which refusals of the database do not name. */
async function prepare(url: string): Promise<UniqueKeys> {
  const client = await connected(settings(url, { query_timeout: 0, pipeline: false }))
  try {
    await requireSupported(client)
    await requireSession(client, url)
    await migratePostgres(client)
    const { rows } = await client.query<{ name: string; fields: string[] }>(
      `SELECT c.relname AS name, array_agg(coalesce(a.attname::text, k.name) ORDER BY k.nth) AS fields
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         CROSS JOIN LATERAL (SELECT column_nr, nth,
           regexp_replace(pg_get_indexdef(i.indexrelid, nth::int, false), '^lower\\((.*)\\)$|"', '\\1', 'g') AS name
           FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS t(column_nr, nth)) k
         LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.column_nr AND k.column_nr > 0
       WHERE i.indisunique AND c.relnamespace = current_schema()::regnamespace GROUP BY 1`,
    )
    return new Map(rows.map(({ name, fields }) => [name, fields]))
  } finally {
    await client.end()
  }
}

async function requireSupported(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string; standby: boolean }>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
       pg_is_in_recovery() AS standby`,
  )
  const { version = '0', encoding, standby } = rows[0] ?? {}
  if (Number(version) < 150_000) throw new Error('PostgreSQL 15 or newer is needed')
  if (encoding !== 'UTF8') throw new Error(`its encoding must be UTF8, and is ${encoding}`)
  if (standby) throw new Error('it is a standby, which cannot be written')
}

/**
 * Refuses a pooler in transaction mode: each transaction would get another session, without the prepared statements, settings and LISTEN of
 * the one before. Detected by two connections: while one is in a transaction, the other does not keep its session.
 */
async function requireSession(client: Client, url: string): Promise<void> {
  const other = await connected(settings(url))
  const session = async (one: Client) =>
    (await one.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
  try {
    const before = await session(client)
    await other.query('BEGIN')
    const taken = await session(other)
    if (taken === before || (await session(client)) !== before)
      throw new Error('the pooler in front of it works by transaction, and must work by session')
  } finally {
    await other.end()
  }
}

function settings(url: string, change: ClientConfig = {}): ClientConfig {
  return {
    connectionString: url,
    application_name: 'proxy-reseller',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    ...change,
  }
}

async function connected(config: ClientConfig): Promise<Client> {
  const client = new Client(config)
  // Ignores a connection that breaks off between two statements: the next statement is refused.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Destroys the socket of a connection without a message to the server; pending statements are refused. */
function breakOff(client: ClientBase): void {
  // The types of the driver leave `connection` out.
  const { connection } = client as unknown as { connection: { stream: Socket } }
  connection.stream.destroy()
}

function connect(
  url: string,
  keys: UniqueKeys,
  observer: DatabaseObserver | undefined,
  turnMs: number,
): Database {
  /** Open connections of the pool and the lane. */
  const connections = new Set<ClientBase>()
  const begin = async (client: ClientBase, session: SessionSettings) => {
    connections.add(client)
    client.once('end', () => connections.delete(client))
    await setUp(client, { statement_timeout: ANSWER_TIMEOUT_MS, ...session })
  }
  const pool = new Pool({
    ...settings(url),
    max: READERS,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which the types of the driver do not know
    onConnect: (client) => begin(client, { default_transaction_read_only: 'on' }),
  })
  pool.on('error', () => {})
  const listeners = new Set<CommitListener>()
  const added = new Set<string>()
  const places = new ReadPlaces(turnMs)
  const reader: Runner = {
    query: (config: QueryArrayConfig) => places.run(config.text, () => pool.query(config)),
  } as Runner
  const read: ReadClient = clientOver(new PostgresStatements(() => reader, keys, observer?.slowStatement))
  const write: Database['write'] = (job, mixes) => lane.write(job, mixes)
  const cluster = new PostgresCluster(
    url,
    logInAttempts({ read, write }),
    () => {
      for (const client of connections) breakOff(client)
    },
    (ms) => observer?.clockIsWrong?.(ms),
  )
  const lane: PostgresLane<Tx> = new PostgresLane(
    async () => {
      const client = await connected(settings(url))
      try {
        await begin(client, {
          lock_timeout: turnMs,
          idle_in_transaction_session_timeout: STOPPED_TIMEOUT_MS,
        })
        return client
      } catch (error) {
        breakOff(client)
        throw error
      }
    },
    clientOver(
      new PostgresStatements(
        () => lane.connection,
        keys,
        observer?.slowStatement,
        () => lane.reads,
      ),
      added,
    ),
    added,
    cluster,
    turnMs,
    (group, heard) => {
      observer?.group(group)
      for (const listener of listeners) listener(heard)
    },
    () => observer?.unwritten?.(),
  )
  return {
    read,
    cluster,
    write,
    onCommit: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      await lane.close()
      await cluster.close()
      await pool.end()
    },
  }
}

function clientOver(statements: PostgresStatements, added?: Set<string>): Tx {
  return clientOf('postgres', {
    ...(added && { added }),
    queries: queriesOverPostgres(statements),
    builder: postgresBuilder,
    run: (query) => executeOnPostgres(statements, query),
    prisma: async () => {
      const { PrismaClient } = await import('../../../generated/postgres/client.ts')
      const made = new PrismaClient({ adapter: postgresAdapter(statements), errorFormat: 'minimal' })
      // Each engine has a client of its own, of the same shape.
      return made as unknown as SqlitePrismaClient
    },
  })
}
