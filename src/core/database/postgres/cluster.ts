import { randomUUID } from 'node:crypto'
import { Client, DatabaseError, type QueryResult } from 'pg'
import { type Cluster, type CommitListener, INBOX, type InboxUpdate, type LogInAttempts } from '../client.ts'
import { MeasuredClock } from './clock-offset.ts'
import { COMMITTED, committed, notifying } from './lane.ts'
import { LeadHold } from './lead-hold.ts'
import { setUp } from './session.ts'

/** Length of the leader's lease in seconds, on the clock of the database. */
const LEASE_S = 10
/** Pause in ms between two renewals of the lease, and between two attempts to become the leader. */
const RENEW_MS = 2_000
const RETRY_MS = 500
/** Age of a server's last sign of life after which it does not count as alive. */
const ALIVE = '10 seconds'
/** Timeout in ms of connecting and of each query. */
const ANSWER_MS = 5_000
/** How long in ms a candidate waits for its turn to write: short, as updates to be kept wait behind it on the same connection. */
const TURN_MS = 2_000
/** Most updates that are read from the inbox at once. */
const INBOX_BATCH = 100
/** How long handled updates are remembered: Telegram may repeat one for a day. */
const REPEATED = '24 hours'

/**
 * What the servers of one PostgreSQL database know of each other (rules 10.20-10.22): who does the work in the background, that
 * another one has committed, and the updates of Telegram that any of them took. All of it goes over one connection of its own.
 */
export class PostgresCluster implements Cluster {
  readonly logIns: LogInAttempts
  readonly clock: MeasuredClock
  readonly holder = randomUUID()
  readonly hold = new LeadHold(LEASE_S * 1_000)
  readonly #url: string
  readonly #onSilence: () => void
  readonly #listeners = new Set<CommitListener>()
  #client: Promise<Client> | undefined
  /** The connection that {@link #client} resolved to. */
  #connected: Client | undefined
  #epoch: number | undefined
  #others = { alive: 0, wrongClocks: 0 }
  /** Time of this server's last sign of life, in ms of `performance.now()`. */
  #saidAt: number | undefined
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #closed = false
  #deposed = false
  #onLead: (() => void) | undefined
  #onLost: () => void = () => {}

  /**
   * @param onSilence called when a query had no answer within 5 seconds: where packets are dropped, no connection reports an error
   * @param onWrongClock called when the clock of this machine begins to be wrong, with the milliseconds that it is ahead
   */
  constructor(url: string, logIns: LogInAttempts, onSilence: () => void, onWrongClock: (ms: number) => void) {
    this.#url = url
    this.logIns = logIns
    this.#onSilence = onSilence
    this.clock = new MeasuredClock(onWrongClock)
  }

  get servers(): number {
    return 1 + this.#others.alive
  }

  get wrongClocks(): number {
    return (this.clock.isWrong ? 1 : 0) + this.#others.wrongClocks
  }

  get leads(): boolean {
    return this.#epoch !== undefined
  }

  /** The epoch in which this process leads; undefined when it does not. Checked in each of its write transactions. */
  get epoch(): number | undefined {
    return this.#epoch
  }

  /** Whether this process has lost the lead to another one. */
  get deposed(): boolean {
    return this.#deposed
  }

  lead(onLead: () => void, onLost: () => void): () => void {
    this.#onLead = onLead
    this.#onLost = onLost
    this.#begin()
    return () => (this.#onLead = undefined)
  }

  onElsewhere(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    this.#begin()
    return () => this.#listeners.delete(listener)
  }

  async keepUpdate({ botId, updateId, body }: InboxUpdate): Promise<void> {
    await this.#query(
      `INSERT INTO inbox_updates (bot_id, update_id, body) SELECT $1::bigint, $2::bigint, $3::text
       WHERE NOT EXISTS (SELECT FROM handled_updates WHERE bot_id = $1 AND update_id = $2) ON CONFLICT DO NOTHING`,
      [botId, updateId, body],
    )
    // Wakes the leader at once, in this process or another.
    const added = new Set([INBOX])
    await this.#query(notifying(this.holder, added))
    for (const listener of this.#listeners) listener(added)
  }

  async keptUpdates(inHand: readonly string[]): Promise<InboxUpdate[]> {
    const { rows } = await this.#query(
      // The first of each bot come first, so that a flood in one delays no other.
      `SELECT bot_id::text, update_id::text, body FROM inbox_updates
       WHERE bot_id || ' ' || update_id <> ALL ($1)
       ORDER BY row_number() OVER (PARTITION BY bot_id ORDER BY update_id), bot_id LIMIT ${INBOX_BATCH}`,
      [inHand],
    )
    return rows.map(({ bot_id, update_id, body }) => ({
      botId: Number(bot_id),
      updateId: Number(update_id),
      body: String(body),
    }))
  }

  async waitingUpdates(): Promise<number> {
    const { rows } = await this.#query('SELECT count(*) FROM inbox_updates')
    return Number(rows[0]?.['count'])
  }

  async dropUpdate({ botId, updateId }: Pick<InboxUpdate, 'botId' | 'updateId'>): Promise<void> {
    await this.#query(
      `WITH handled AS (INSERT INTO handled_updates (bot_id, update_id, at) VALUES ($1, $2, clock_timestamp()) ON CONFLICT DO NOTHING),
       old AS (DELETE FROM handled_updates WHERE at < clock_timestamp() - interval '${REPEATED}')
       DELETE FROM inbox_updates WHERE bot_id = $1 AND update_id = $2`,
      [botId, updateId],
    )
  }

  /** Gives the lead up for good; called when another leader was found. */
  lost(): void {
    if (this.#epoch === undefined) return
    this.#epoch = undefined
    this.#deposed = true
    this.#onLead = undefined
    this.hold.end()
    this.#onLost()
  }

  async giveUp(): Promise<void> {
    const epoch = this.#epoch
    if (epoch === undefined) return
    this.#epoch = undefined
    this.hold.end()
    // Frees the lease, so that another server need not wait until it runs out.
    await this.#query("UPDATE leader SET until = '-infinity' WHERE epoch = $1", [epoch]).catch(() => {})
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#working
    if (this.#saidAt !== undefined)
      await this.#query('DELETE FROM servers WHERE id = $1', [this.holder]).catch(() => {})
    await this.giveUp()
    await (await this.#client?.catch(() => undefined))?.end().catch(() => {})
  }

  #begin(): void {
    this.#timer ??= setTimeout(() => this.#work(), 0)
  }

  #work(): void {
    this.#working = this.#workOnce()
  }

  async #workOnce(): Promise<void> {
    const pause = await this.#turn()
    if (!this.#closed) this.#timer = setTimeout(() => this.#work(), pause)
  }

  /** @returns milliseconds until the next turn */
  async #turn(): Promise<number> {
    try {
      if (this.#epoch !== undefined) await this.#renew(this.#epoch)
      else if (this.#onLead) await this.#acquire()
      else await this.#connection()
      if (this.#onLead && performance.now() - (this.#saidAt ?? -Infinity) >= RENEW_MS) await this.#sayAlive()
      return this.#epoch === undefined ? RETRY_MS : RENEW_MS
    } catch {
      // The database does not answer: nobody can write, and nobody else can take over.
      return RETRY_MS
    }
  }

  /** Records that this server is alive, and reads how many others are, and the time of the database. */
  async #sayAlive(): Promise<void> {
    // Connects first, so that the time it takes does not count as that of the query.
    await this.#connection()
    const askedAt = Date.now()
    const { rows } = await this.#query(
      `WITH said AS (INSERT INTO servers (id, seen, wrong_clock) VALUES ($1, clock_timestamp(), $2)
         ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, wrong_clock = excluded.wrong_clock),
       gone AS (DELETE FROM servers WHERE seen < clock_timestamp() - interval '1 hour')
       SELECT count(*) AS alive, count(*) FILTER (WHERE wrong_clock) AS wrong_clocks,
         extract(epoch FROM clock_timestamp()) * 1000 AS now FROM servers
       WHERE id <> $1 AND seen > clock_timestamp() - interval '${ALIVE}'`,
      [this.holder, this.clock.isWrong],
    )
    const { alive, wrong_clocks: wrongClocks, now } = rows[0] ?? {}
    this.clock.compare(Number(now), askedAt, Date.now())
    this.#others = { alive: Number(alive), wrongClocks: Number(wrongClocks) }
    this.#saidAt = performance.now()
  }

  async #renew(epoch: number): Promise<void> {
    const askedAt = performance.now()
    const { rowCount } = await this.#query(
      `UPDATE leader SET until = clock_timestamp() + interval '${LEASE_S} seconds' WHERE epoch = $1`,
      [epoch],
    )
    // The lead was given up meanwhile.
    if (this.#epoch !== epoch) return
    if (rowCount === 0) this.lost()
    else this.hold.renew(askedAt)
  }

  /** Takes the lead, if it is free, in a turn to write: the last transaction of the former leader has ended, and it can begin no other. */
  async #acquire(): Promise<void> {
    const { rows: free } = await this.#query('SELECT FROM leader WHERE until < clock_timestamp()')
    if (free.length === 0) return
    const askedAt = performance.now()
    // One query of several statements is one transaction: an update that this server keeps meanwhile is no part of it.
    const results = await this.#query(
      `SET LOCAL lock_timeout = ${TURN_MS};
       SELECT FROM write_turn FOR NO KEY UPDATE;
       UPDATE leader SET holder = '${this.holder}', epoch = epoch + 1,
         until = clock_timestamp() + interval '${LEASE_S} seconds'
       WHERE until < clock_timestamp() RETURNING epoch`,
    )
    const [, , { rows }] = results as unknown as [unknown, unknown, QueryResult<{ epoch: string }>]
    if (!rows[0]) return
    this.#epoch = Number(rows[0].epoch)
    this.hold.renew(askedAt)
    this.#onLead?.()
  }

  async #query(sql: string, values: unknown[] = []) {
    const client = await this.#connection()
    const askedAt = performance.now()
    try {
      return await client.query<Record<string, unknown>>(sql, values)
    } catch (error) {
      if (!(error instanceof DatabaseError)) {
        // Later queries on this connection would wait behind the unanswered one.
        this.#drop(client)
        // Timers of Node can fire early, by as long as the code before them has run.
        if (performance.now() - askedAt >= ANSWER_MS / 2) this.#onSilence()
      }
      throw error
    }
  }

  #connection(): Promise<Client> {
    if (this.#client) return this.#client
    const client = this.#connect()
    this.#client = client
    client.catch(() => {
      if (this.#client === client) this.#client = undefined
    })
    return client
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'proxy-reseller',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      pipeline: true,
    })
    client.on('error', () => this.#drop(client))
    client.on('end', () => this.#drop(client))
    client.on('notification', ({ payload = '' }) => {
      const { holder, added } = committed(payload)
      // Notifications of this process are skipped: work woken by its own vain attempt would be retried without end.
      if (holder !== this.holder) for (const listener of this.#listeners) listener(added)
    })
    await client.connect()
    this.#connected = client
    try {
      await setUp(client, { lock_timeout: ANSWER_MS })
      await client.query(`LISTEN ${COMMITTED}`)
    } catch (error) {
      // Drops the connection: a pooler keeps one that waits, and would give it a session later.
      this.#drop(client)
      throw error
    }
    // Commits may have been missed while not connected.
    for (const listener of this.#listeners) listener()
    return client
  }

  #drop(client: Client): void {
    // Only the current one: the next connection may already be under way when the last one ends.
    if (this.#connected === client) this.#client = this.#connected = undefined
    client.end().catch(() => {})
  }
}
