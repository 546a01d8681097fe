import { statSync } from 'node:fs'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { AGENT_BOT_STATES } from './core/bots/agent-bot.ts'
import type { Core } from './core/core.ts'
import type { Cluster, DatabaseObserver } from './core/database/database.ts'
import type { ExitOverview } from './core/gateway/exits.ts'
import type { GatewayStatus } from './core/gateway/status.ts'
import type { WaitingJobs } from './core/jobs/backlog.ts'
import type { JobObserver } from './jobs/runner.ts'
import { productVersion } from './product-version.ts'
import type { LaneObserver } from './jobs/supplier-lanes.ts'
import type { AgentBotObserver } from './bot/transport/agent-bots.ts'
import type { WebhookObserver } from './jobs/webhook-lane.ts'
import type { NetworkObserver } from './networks/configured-network.ts'

/** Prefix of the names of all that the service itself measures; the metrics of the Node.js process keep the names of prom-client. */
const PREFIX = 'reseller_'

/** Everything that is measured, under the names that `/metrics` shows behind {@link PREFIX}. */
interface Metrics {
  /** The registry for what is measured elsewhere, such as requests. */
  readonly registry: Registry
  /** Returns all metrics, those of the process included, in the text format of Prometheus. */
  readonly text: () => Promise<string>
  readonly database: DatabaseObserver
  readonly jobs: JobObserver
  /** Of a network, by its id. */
  readonly network: (id: string) => Pick<NetworkObserver, 'asked'>
  readonly suppliers: LaneObserver
  readonly webhooks: WebhookObserver
  readonly agentBots: AgentBotObserver
  /**
   * Adds the gauges that are read from the service itself whenever the metrics are read.
   *
   * @param database path of SQLite's file, or the servers of PostgreSQL
   * @param botsHere how many bots of agents receive updates in this process
   */
  watch(core: Core, database: string | Cluster, botsHere: () => number): void
}

let ofProcess: Registry | undefined

/**
 * Returns memory, event-loop lag and garbage collection (prom-client's defaults). They are collected once per process, as the collectors
 * cannot be stopped, and only from the first reading on, as collecting them is most of the work of an idle service.
 */
function processMetrics(): Registry {
  if (!ofProcess) collectDefaultMetrics({ register: (ofProcess = new Registry()) })
  return ofProcess
}

/** Puts {@link PREFIX} before all names. Up to version 0.2 there was none: for one more version each is there without it, too. */
function withPrefix(text: string): string {
  return `${text.replaceAll(/^(# (?:HELP|TYPE) )?(?=[a-z])/gm, `$1${PREFIX}`)}\n${text}`
}

/** Creates the metrics of a service, those of its process included. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]

  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: productVersion(), node: process.version }, 1)

  const groupSize = new Histogram({
    name: 'database_write_group_jobs',
    help: 'Writes that shared one durable commit',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  })
  const groupWait = new Histogram({
    name: 'database_write_wait_seconds',
    help: 'How long the first write of a group waited for its turn and for the lock',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const statements = new Counter({
    name: 'database_slow_statements_total',
    help: 'Statements that took longer than the threshold of the slow statement log',
    registers,
  })
  const claimed = new Counter({
    name: 'jobs_claimed_total',
    help: 'Background jobs taken up',
    labelNames: ['kind'],
    registers,
  })
  const failed = new Counter({
    name: 'jobs_failed_total',
    help: 'Attempts at background jobs that must be repeated',
    labelNames: ['kind'],
    registers,
  })
  const asked = new Counter({
    name: 'chain_requests_total',
    help: 'Questions to the providers of the networks over which USDT is paid, by how they ended',
    labelNames: ['network', 'provider', 'method', 'result'],
    registers,
  })
  const supplierSteps = new Counter({
    name: 'supplier_steps_total',
    help: 'Requests to suppliers, by what they have brought',
    labelNames: ['connection', 'outcome'],
    registers,
  })
  const deliveries = new Counter({
    name: 'webhook_attempts_total',
    help: 'Deliveries to webhooks that were tried: delivered, waiting (to be repeated) or failed (given up)',
    labelNames: ['outcome'],
    registers,
  })
  const botUpdates = new Counter({
    name: 'agent_bot_updates_total',
    help: 'Updates that came to the bots of agents',
    labelNames: ['bot'],
    registers,
  })
  const botRefusals = new Counter({
    name: 'agent_bot_refusals_total',
    help: 'Calls of the bots of agents that Telegram refused, by the status of its answer',
    labelNames: ['bot', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'job_duration_seconds',
    help: 'How long an attempt at a background job took',
    labelNames: ['kind'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers,
  })

  return {
    registry,
    text: async () => `${withPrefix(await registry.metrics())}\n${await processMetrics().metrics()}`,
    database: {
      group: ({ jobs, waitedMs }) => {
        groupSize.observe(jobs)
        groupWait.observe(waitedMs / 1000)
      },
      slowStatement: () => statements.inc(),
    },
    jobs: {
      claimed: (kind) => claimed.inc({ kind }),
      ended: (kind, done, ms) => {
        if (!done) failed.inc({ kind })
        duration.observe({ kind }, ms / 1000)
      },
    },
    network: (network) => ({
      asked: (provider, method, fault) =>
        asked.inc({ network, provider, method, result: fault?.fault ?? 'ok' }),
    }),
    suppliers: { stepped: (connection, outcome) => supplierSteps.inc({ connection, outcome }) },
    webhooks: { attempted: (outcome) => deliveries.inc({ outcome }) },
    agentBots: {
      received: (bot) => botUpdates.inc({ bot }),
      refused: (bot, status) => botRefusals.inc({ bot, status }),
    },
    watch: (core, database, botsHere) => {
      watchBacklog(core, registry)
      watchWebhooks(core, registry)
      watchBooks(core, registry)
      watchGateway(core, registry)
      watchBackups(core, registry)
      watchBots(core, botsHere, registry)
      if (typeof database === 'string') watchFiles(database, registry)
      else watchCluster(database, registry)
    },
  }
}

/** Lets gauges that are read at the same time share one query. */
function sharedQuery<Result>(query: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => (running ??= query().finally(() => (running = undefined)))
}

/** Makes gauges whose value is read whenever the metrics are read; undefined leaves the last value, at first 0. */
function gaugesOf(registry: Registry) {
  return (
    name: string,
    help: string,
    value: () => number | undefined | Promise<number | undefined>,
  ): void => {
    const gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const now = await value()
        if (now !== undefined) gauge.set(now)
      },
    })
  }
}

function watchBacklog(core: Core, registry: Registry): void {
  const backlog = sharedQuery(() => core.jobs.backlog())
  const outbox = sharedQuery(() => core.jobs.outbox())

  function perKind(name: string, help: string, value: (job: WaitingJobs) => number): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      async collect() {
        const jobs = await backlog()
        // A kind without jobs is not among them: without this it would keep its last value.
        gauge.reset()
        for (const job of jobs) gauge.set({ kind: job.kind }, value(job))
      },
    })
  }
  perKind('jobs_waiting', 'Background jobs that are not done', ({ waiting }) => waiting)
  perKind('jobs_retried', 'Those that were tried before', ({ retried }) => retried)
  perKind('jobs_oldest_age_seconds', 'Age of the oldest that is not done', (job) => job.oldestSeconds)

  const gauge = gaugesOf(registry)
  gauge('outbox_pending', 'Notices that nobody has been told yet', async () => (await outbox()).pending)
  gauge('outbox_oldest_age_seconds', 'Age of the oldest of them', async () => (await outbox()).oldestSeconds)
}

function watchWebhooks(core: Core, registry: Registry): void {
  const backlog = sharedQuery(() => core.webhooks.backlog())
  const gauge = gaugesOf(registry)
  gauge(
    'webhook_deliveries_waiting',
    'Events that webhooks have not taken yet',
    async () => (await backlog()).waiting,
  )
  gauge(
    'webhook_deliveries_oldest_age_seconds',
    'Age of the oldest of them',
    async () => (await backlog()).oldestSeconds,
  )
  gauge(
    'webhook_deliveries_overdue_seconds',
    'How long the one that is longest due has not been tried',
    async () => (await backlog()).overdueSeconds,
  )
}

function watchBooks(core: Core, registry: Registry): void {
  const gauge = gaugesOf(registry)
  gauge(
    'books_accounts_in_doubt',
    'Accounts whose balance is not the sum of their entries; they spend nothing',
    async () => (await core.books.frozen()).length,
  )
  gauge('books_checked_timestamp_seconds', 'When all balances were last held against the ledger', async () =>
    secondsOf(await core.books.checkedAt()),
  )
}

/** Adds how the bots of agents do (rules 20.9). */
function watchBots(core: Core, botsHere: () => number, registry: Registry): void {
  const states = new Gauge({
    name: 'agent_bots',
    help: 'Bots of agents that are not disabled, by what they do now',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counted = await core.bots.count()
      // A state that no bot is in is 0, so that an alarm can end.
      for (const state of AGENT_BOT_STATES)
        if (state !== 'removed')
          states.set({ state }, counted.find((each) => each.state === state)?.bots ?? 0)
    },
  })
  gaugesOf(registry)('agent_bots_receiving', 'Those that receive updates in this process', botsHere)
}

/** Adds the gauges of the last backup that was restored as a trial; they are 0 while there is none. */
function watchBackups(core: Core, registry: Registry): void {
  const good = sharedQuery(async () => (await core.operator.backups.overview(1)).good)
  const gauge = gaugesOf(registry)
  gauge(
    'backup_verified_timestamp_seconds',
    'When the last backup that was restored as a trial was made',
    async () => secondsOf((await good())?.endedAt),
  )
  gauge('backup_verified_bytes', 'Size of its file', async () => (await good())?.bytes)
}

function secondsOf(time: Date | string | null | undefined): number | undefined {
  return time ? new Date(time).getTime() / 1000 : undefined
}

/** Adds what the gateway has reported: its sums grow with each batch. */
function watchGateway(core: Core, registry: Registry): void {
  const status = sharedQuery(() => core.operator.gateway())
  type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

  const metricOf =
    (Kind: typeof Gauge | typeof Counter) =>
    (
      name: string,
      help: string,
      labelNames: readonly string[],
      samples: (status: GatewayStatus) => readonly Sample[],
    ): void => {
      const metric = new Kind({
        name,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          const found = samples(await status())
          // The sums are set anew from the database; what has none any more, such as a removed exit, disappears.
          metric.reset()
          for (const [labels, value] of found) metric.inc(labels, value)
        },
      })
    }
  const gauge = metricOf(Gauge)
  const counter = metricOf(Counter)
  const plain = (value: number): readonly Sample[] => [[{}, value]]
  const perExit = (value: (exit: ExitOverview) => number) => (found: GatewayStatus) =>
    found.exits.map((exit): Sample => [{ exit: String(exit.id), pool: exit.pool }, value(exit)])
  const perPool = (value: (exit: ExitOverview) => boolean) => (found: GatewayStatus) =>
    [...new Set(found.exits.map(({ pool }) => pool))].map((pool): Sample => [
      { pool },
      found.exits.filter((exit) => exit.pool === pool && exit.status === 'active' && value(exit)).length,
    ])

  gauge('gateway_up', 'Whether a gateway has called within the last 15 seconds', [], ({ atWork }) =>
    plain(atWork ? 1 : 0),
  )
  gauge('gateway_connections', 'Tunnels and requests at the gateway', [], ({ atWork, last }) =>
    plain(atWork ? (last?.connections ?? 0) : 0),
  )
  counter('gateway_accepted_total', 'Requests that the gateway let in', [], ({ accepted }) => plain(accepted))
  counter('gateway_bytes_total', 'Bytes that the gateway reported', [], ({ bytes }) => plain(bytes))
  counter('gateway_refused_total', 'Requests that the gateway refused', ['reason'], ({ refused }) =>
    Object.entries(refused).map(([reason, times]): Sample => [{ reason }, times]),
  )
  gauge(
    'gateway_exits',
    'Exits in use',
    ['pool'],
    perPool(() => true),
  )
  gauge(
    'gateway_exits_healthy',
    'Those that work',
    ['pool'],
    perPool(({ healthy }) => healthy === true),
  )
  const ofExit = ['exit', 'pool'] as const
  counter(
    'gateway_exit_bytes_total',
    'Bytes of an exit',
    ofExit,
    perExit(({ bytes }) => bytes),
  )
  counter(
    'gateway_exit_errors_total',
    'Failures of an exit',
    ofExit,
    perExit(({ errors }) => errors),
  )
}

/** Adds what this server knows of all servers on its database (rules 10.20-10.23). */
function watchCluster(cluster: Cluster, registry: Registry): void {
  const gauge = gaugesOf(registry)
  gauge('server_leads', 'Whether this server does the work in the background', () => (cluster.leads ? 1 : 0))
  gauge(
    'servers_alive',
    'Servers that have said within 10 seconds that they are alive',
    () => cluster.servers,
  )
  gauge(
    'clock_offset_seconds',
    'By how much the clock of this machine is ahead of that of the database',
    () => cluster.clock.ms / 1000,
  )
  gauge('inbox_updates_waiting', 'Updates of Telegram that wait for the leader or are in its hands', () =>
    cluster.waitingUpdates(),
  )
}

function watchFiles(path: string, registry: Registry): void {
  const size = new Gauge({
    name: 'database_size_bytes',
    help: 'Size of the database file and of its write-ahead log',
    labelNames: ['file'],
    registers: [registry],
    collect() {
      size.set({ file: 'main' }, sizeOf(path))
      size.set({ file: 'wal' }, sizeOf(`${path}-wal`))
    },
  })
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
