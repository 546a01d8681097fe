import { mkdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import { connectionLimits } from './api/connections.ts'
import { LINKS } from './api/routes/extraction.ts'
import { PROXY_LINKS } from './api/routes/proxy-links.ts'
import { createServer } from './api/server.ts'
import { webhookBody } from './api/wire/webhook-event.ts'
import { type BotOptions, createBot, type RunningBot } from './bot/create-bot.ts'
import { startLink } from './bot/kit/invite-link.ts'
import { webhookRoute } from './bot/transport/webhook.ts'
import { installationOf } from './installation.ts'
import { type Config, publicUrlProblem, secretsOf, THIS_MACHINE } from './config.ts'
import { clearWorkFolder } from './backup/work-folder.ts'
import { BackupWorker } from './backup/worker-process.ts'
import type { BackupMaker } from './core/backups/backup-maker.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { type Core, createCore } from './core/core.ts'
import { claimCurrency } from './core/database/currency.ts'
import { databasePath, INBOX, isPostgres, openDatabase } from './core/database/database.ts'
import { lockInstance } from './core/database/instance-lock.ts'
import { WriteProbe } from './core/database/write-probe.ts'
import { ServiceError } from './core/errors.ts'
import { every } from './core/jobs/every.ts'
import { OperatorError } from './core/operator-error.ts'
import { diskLevel, type DiskSpace } from './core/operator/disk-space.ts'
import { readChosen } from './core/operator/setup.ts'
import type { HealthCheck, Machine } from './core/operator/readiness.ts'
import type { Supplier } from './core/supply/supplier.ts'
import type { DriverKinds } from './core/supply/driver.ts'
import { ChainUnavailable } from './core/top-ups/chain-reader.ts'
import type { ChainScanner } from './core/top-ups/chain-scanner.ts'
import { createExitProber } from './checker/exit-prober.ts'
import { createProber, type Endpoint } from './checker/prober.ts'
import { CheckLoop } from './jobs/check-loop.ts'
import { ChainWatcher } from './jobs/chain-watcher.ts'
import { DiskWatch } from './jobs/disk-watch.ts'
import { Inbox, keepUpdate } from './jobs/inbox.ts'
import { GatewayProcess } from './jobs/gateway-process.ts'
import { JobRunner } from './jobs/runner.ts'
import { SupplierLanes } from './jobs/supplier-lanes.ts'
import { WebhookDeliveries } from './jobs/webhook-lane.ts'
import { SupplierReconciler } from './jobs/supplier-reconciler.ts'
import { createMetrics } from './metrics.ts'
import { productVersion } from './product-version.ts'
import { redactor } from './redact.ts'
import { openFileLimit } from './open-files.ts'
import type { TelegramServer } from './emulators/telegram/telegram-emulator.ts'
import { firstOwnerLink } from './first-owner.ts'
import { DRIVERS } from './suppliers/drivers.ts'
import { createInventory } from './suppliers/inventory/inventory.ts'
import { createTronChain } from './tron/tron-chain.ts'
import { readUpdateFeed } from './update-feed.ts'
import { createWebhookSender } from './webhooks/sender.ts'

/** Connections that wait to be accepted; the system may allow fewer. Beyond it clients try again after a second. */
const BACKLOG = 4_096
/** How often it is looked whether other settings were chosen. */
const CHOSEN_EVERY_MS = 10_000

/** What comes from outside, for tests: time, suppliers beside the own stock, and kinds of third parties. */
export interface AppOverrides {
  readonly clock?: Clock
  readonly suppliers?: Readonly<Record<string, Supplier>>
  /** Leads connections to a proxy elsewhere when it is checked. */
  readonly dial?: (proxy: Endpoint) => Endpoint
  /** Instead of those of `src/suppliers/drivers.ts`. */
  readonly drivers?: Partial<DriverKinds>
  /** Instead of a process for each backup, which takes the compiled program. */
  readonly backupMaker?: BackupMaker
  /**
   * Told when the process must end at once: another server does its work, or the work in the background could not begin. Without it,
   * the process ends.
   */
  readonly failed?: (error: unknown) => void
  /** Told when an owner has chosen other settings (rules 9.11): the service has to be started anew to use them. */
  readonly restart?: () => void
  /** Room on the disk of the database. */
  readonly diskSpace?: () => Promise<DiskSpace>
  /** Makes the HTTP server. */
  readonly server?: typeof createServer
  /** A shorter way to Telegram than HTTP. */
  readonly telegram?: BotOptions['shortcut']
}

export interface App {
  readonly core: Core
  /** The emulator of Telegram, in the sandbox. */
  readonly telegram: TelegramServer | undefined
  /** Addresses for people: the API, its pages, the web chat of the sandbox. */
  readonly addresses: Readonly<Record<string, string>>
  /** Ends what is in hand and closes everything; what was accepted is completed after the next start. */
  stop(): Promise<void>
}

/**
 * Builds and starts everything from a configuration, by hand.
 *
 * @throws OperatorError when the database is not for this mode, Telegram refuses the token, or the port is taken; nothing is
 *   left open then
 */
export async function startApp(config: Config, logger: Logger, overrides: AppOverrides = {}): Promise<App> {
  const closers: (() => unknown)[] = []
  const stop = () => closeAll(closers)
  try {
    return { ...(await build(config, logger, overrides, closers)), stop }
  } catch (error) {
    await stop().catch((fault: unknown) => logger.error(fault, 'a start that failed was not cleared away'))
    throw error
  }
}

/** Closes what was opened, the last first. */
async function closeAll(closers: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  // A part that fails to close must not keep the others open.
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not everything could be closed')
}

async function build(
  given: Config,
  logger: Logger,
  {
    clock: realClock = systemClock,
    suppliers = {},
    drivers = DRIVERS,
    diskSpace,
    dial,
    backupMaker,
    server: makeServer = createServer,
    telegram: shortcut,
    restart = () => {},
    failed = (error) => {
      logger.fatal(error)
      // Whatever keeps the service running starts it again.
      process.exit(1)
    },
  }: AppOverrides,
  closers: (() => unknown)[],
) {
  // On PostgreSQL several servers may run, one of which leads (rules 10.20).
  if (!isPostgres(given.databaseUrl)) closers.push(lockInstance(given.databaseUrl))
  const { telegram, dataDirectory: directory } = given
  mkdirSync(directory, { recursive: true })
  // Not loaded in production, which has no use for the emulators.
  const sandboxModule = telegram.mode === 'sandbox' ? await import('./sandbox/sandbox.ts') : undefined
  const sandboxClock = sandboxModule?.createSandboxClock(directory, realClock)
  const clock = sandboxClock ?? realClock
  const metrics = createMetrics()
  const writes = new WriteProbe(() => core.database.tryWrite())
  const db = await openDatabase(given.databaseUrl, {
    locked: true,
    observer: {
      group: metrics.database.group,
      unwritten: () => writes.doubt(),
      slowStatement: (sql, ms) => {
        metrics.database.slowStatement(sql, ms)
        logger.warn({ ms: Math.round(ms), sql: sql.replaceAll(/\s+/g, ' ').slice(0, 1000) }, 'slow statement')
      },
      clockIsWrong: (ms) =>
        logger.warn(
          { aheadSeconds: Math.round(ms / 1000) },
          'the clock of this machine differs from that of the database: jobs and leases are early or late by as much',
        ),
    },
  })
  closers.push(() => db.close())
  const { cluster } = db
  const standsBy = () => cluster?.leads === false
  // One of several servers answers requests without what the leader does in the background.
  const ofLeader =
    (isAlive: () => boolean | undefined): HealthCheck =>
    () =>
      standsBy() || isAlive() || (cluster ? 'degraded' : false)
  const chosen = await readChosen({ db })
  const config = given.setup?.configWith(chosen) ?? given
  const currency = await claimCurrency({ db }, config.currency)
  let isEnding = false
  const restartOnce = () => {
    if (!isEnding) restart()
    isEnding = true
  }
  // Set when the sandbox serves chain and proxies; not read before.
  const sandboxChain = { url: '' }
  const sandboxProxies = { port: 0 }
  const { topUps } = config
  const closing = new AbortController()
  const chain =
    topUps &&
    createTronChain({
      ...(sandboxClock ? { apiUrl: () => sandboxChain.url, apiKey: 'sandbox' } : topUps.tron),
      clock,
      closing: closing.signal,
      observer: {
        ...metrics.chain,
        switched: (provider) => logger.warn({ provider }, 'the chain is read from another provider'),
      },
    })
  // Set when the server listens; nothing is checked before.
  const echo = { url: '' }
  const redact = redactor(secretsOf(config))
  const backupWorker = new BackupWorker({
    entry: moduleAt('backup/worker'),
    settings: config.backups.settings,
    redact,
  })
  const echoUrl = config.checks.echoUrl ?? config.publicUrl
  const canBeReached = telegram.mode === 'sandbox' || dial !== undefined || !isHere(echoUrl ?? '')
  // Filled below; the checks run after the start, when all parts are there.
  const parts: {
    runners?: readonly JobRunner[]
    lanes?: SupplierLanes
    webhooks?: WebhookDeliveries
    watcher?: ChainWatcher
    bot?: RunningBot
    gateway?: GatewayProcess
  } = {}
  const machine: Machine = {
    version: productVersion(),
    diskSpace: diskSpace ?? (() => spaceAt(directory)),
    feed:
      config.updateFeed === undefined
        ? undefined
        : {
            url: config.updateFeed,
            read: () =>
              readUpdateFeed({
                url: config.updateFeed ?? '',
                loopback: config.loopbackWebhooks,
                closing: closing.signal,
              }).catch((error: unknown) => {
                logger.debug({ err: error }, 'the update feed cannot be read')
                return undefined
              }),
          },
    checks: {
      database: async () => {
        await core.database.ping()
        const outcome = await writes.outcome()
        if (outcome === 'works') return true
        // On PostgreSQL another server could not write either.
        return (outcome === 'slow' || cluster !== undefined) && 'degraded'
      },
      disk: async () => {
        if (!cluster && (await writes.outcome()) === 'fails') return false
        return diskLevel(await machine.diskSpace()) !== 'full' || 'degraded'
      },
      jobs: ofLeader(
        () => parts.lanes?.alive && parts.webhooks?.alive && parts.runners?.every(({ alive }) => alive),
      ),
      bot: ofLeader(() => parts.bot?.alive),
      ...(config.gateway && { gateway: () => parts.gateway?.alive || 'degraded' }),
      ...(cluster && { clock: () => !cluster.clock.isWrong || 'degraded' }),
      books: async () => (await core.books.frozen()).length === 0 || 'degraded',
      chats: async () => {
        const [chats, gone] = [await core.operator.chats(), await core.operator.goneChats()]
        return !gone.some(({ chatId }) => chats.includes(chatId)) || 'degraded'
      },
      ...(topUps && { chain: ofLeader(() => core.topUps.scanner?.checked && parts.watcher?.alive) }),
    },
  }
  const core: Core = createCore({
    db,
    clock,
    suppliers: { inventory: createInventory(db.read), ...suppliers },
    checks: canBeReached
      ? {
          regular: config.checks.regular,
          prober: (signed) =>
            createProber({
              echo: signed,
              echoUrl: () => echo.url,
              controlProxy: config.checks.controlProxy,
              closing: closing.signal,
              dial: dial ?? (sandboxModule && (() => ({ host: '127.0.0.1', port: sandboxProxies.port }))),
            }),
        }
      : undefined,
    drivers,
    currency,
    operatorChats: sandboxModule
      ? [...new Set([...config.operatorChats, sandboxModule.PEOPLE.operator.id])]
      : config.operatorChats,
    supportContact: config.supportContact,
    registrationLink: config.registrationLink,
    jwtSecret: config.jwtSecret,
    secretsKey: config.secretsKey,
    loopbackWebhooks: config.loopbackWebhooks,
    gatewayToken: config.gatewayToken,
    exitProber: (signed) => (exit, target) =>
      createExitProber({
        echo: signed,
        echoUrl: canBeReached ? echo.url : undefined,
        probeTarget: config.probeTarget,
      })(exit, target),
    jwtTtl: config.jwtTtl,
    securityLog: (event) => logger.info(event, 'security'),
    mailer: config.mail && (await import('./mail/mailer.ts')).createMailer({ ...config.mail, logger }),
    machine,
    setup: given.setup && { ...given.setup, changed: () => setImmediate(restartOnce) },
    backups: { maker: backupMaker ?? backupWorker, everyMs: config.backups.everyMs },
    payouts: config.payouts,
    topUps: topUps && chain && { terms: topUps.terms, chain, standsBy },
  })

  const { scanner } = core.topUps
  if (scanner && !sandboxClock && !(cluster && (await scanner.checkedElsewhere())))
    await checkWallet(scanner, logger)

  metrics.watch(core, cluster ?? databasePath(config.databaseUrl))

  const server = await makeServer({
    core,
    defaultVariant: config.apiVariant,
    logger,
    publicUrl: config.publicUrl,
    limits: config.rateLimits,
    connections: connectionLimits(openFileLimit()),
    trustedProxies: config.trustedProxies,
    metrics: {
      ...metrics,
      token: config.metricsToken,
      local: telegram.mode === 'sandbox',
    },
    hosts: telegram.mode === 'sandbox' ? ownHosts(config) : undefined,
    checks: machine.checks,
  })
  closers.push(() => server.close())
  if (telegram.mode === 'telegram') await refuseDemoData(core)
  const sandbox =
    sandboxClock && (await sandboxModule?.createSandbox({ core, server, clock: sandboxClock, directory }))
  if (sandbox) {
    closers.push(() => sandbox.close())
    sandboxChain.url = sandbox.tronApiUrl
    sandboxProxies.port = sandbox.proxyPort
    await sandbox.plant()
  }
  if (config.webhook) {
    // Telegram may call before the bot is there: it repeats what was refused.
    const receive = async (update: Update) => {
      // Whichever server it comes to, the leader handles it: the updates of a chat stay in order.
      if (cluster) return keepUpdate(cluster, update)
      if (!parts.bot) throw new ServiceError('unavailable')
      await parts.bot.receive(update)
    }
    await server.register(webhookRoute(config.webhook.secret, receive))
  }
  await listen(server, config)
  const address = addressOf(server, config.host)
  await sandbox?.begin(address)
  const publicUrl = config.publicUrl ?? address
  echo.url = config.checks.echoUrl ?? publicUrl
  // In the sandbox everybody is on this machine.
  const canBeOpened = sandbox !== undefined || !THIS_MACHINE.test(new URL(publicUrl).hostname)
  if (!canBeOpened) {
    logger.warn(
      `${publicUrlProblem(config.publicUrl) ?? 'PUBLIC_URL is not set'}, and nobody else can open ${publicUrl}: the bot hands out no public links, and links in mails lead nowhere`,
    )
  }

  const bot = createBot({
    core,
    clock,
    token: telegram.mode === 'telegram' ? telegram.token : (sandbox?.telegram.token ?? ''),
    apiRoot: telegram.mode === 'telegram' ? telegram.apiRoot : (sandbox?.apiRoot(address) ?? ''),
    secret: config.jwtSecret,
    logger,
    publicUrl: canBeOpened ? publicUrl : undefined,
    localUrl: canBeOpened ? undefined : config.publicUrl,
    installation: sandbox || isPostgres(config.databaseUrl) ? undefined : installationOf(),
    linkBases: canBeOpened
      ? { traffic: `${publicUrl}/api${LINKS}`, proxies: `${publicUrl}/api${PROXY_LINKS}` }
      : undefined,
    webhook: config.webhook,
    hold: cluster?.hold,
    connected: async (username) => {
      const start = sandbox ? undefined : await firstOwnerLink(core)
      if (start)
        logger.warn(
          { link: startLink(username, start) },
          'nobody runs this shop yet: whoever opens the link first in Telegram becomes its owner',
        )
    },
    files: telegram.mode === 'telegram' ? telegram.files : undefined,
    backupChat: config.backups.settings.chat?.chatId,
    chatLimit: config.chatLimit,
    shortcut,
  })
  parts.bot = bot
  const checkBooks = async () => {
    for (const difference of await core.books.check()) logger.error(difference, 'the books do not balance')
  }
  const disk = new DiskWatch({
    space: machine.diskSpace,
    messenger: bot.messenger,
    chats: () => core.operator.chatsTold('disk_low'),
    gone: (chatId) => core.chats.setBlocked(chatId, true),
    logger,
  })
  const checkDisk = every(60_000, clock, () => disk.check())
  const { queue } = core.jobs
  const handlers = core.jobs.handlers({
    messenger: bot.messenger,
    refreshScreen: bot.refreshScreen,
    baseUrl: `${publicUrl}/api`,
  })
  const work = { queue, handlers, clock, logger, observer: metrics.jobs, redact }
  const runners = [
    new JobRunner({
      ...work,
      group: 'orders',
      sweeps: [
        core.jobs.sweepStaticOrders,
        core.jobs.expireTopUps,
        core.jobs.matureEarnings,
        core.jobs.sweepRequestKeys,
        core.jobs.sweepEndedTokens,
        core.jobs.sweepUsageTargets,
        core.jobs.sweepExitDays,
        core.webhooks.sweep,
      ],
    }),
    new JobRunner({ ...work, group: 'mail', sweeps: [] }),
    new JobRunner({
      ...work,
      group: 'backups',
      sweeps: [core.jobs.sweepBackups, core.jobs.sweepVersions],
    }),
    new JobRunner({
      ...work,
      group: 'messages',
      sweeps: [...core.jobs.noticeSweeps, checkBooks, checkDisk],
    }),
  ]
  /** Close what works in the background. */
  const workers: (() => unknown)[] = []
  const workInBackground = async () => {
    // Jobs that an earlier process had in hand when it ended are taken over, and what its backup has left is cleared away.
    await queue.takeOver()
    await clearWorkFolder(config.backups.settings.database)
    for (const runner of runners) runner.start()
    parts.runners = runners
    workers.push(() => Promise.all(runners.map((runner) => runner.stop())))
    workers.push(() => backupWorker.stop())
    const lanes = new SupplierLanes({
      supply: core.supply,
      onWake: (listener) => queue.onWake('supplier_calls', listener),
      logger,
      observer: metrics.suppliers,
    })
    lanes.start()
    parts.lanes = lanes
    workers.push(() => lanes.stop())
    const hungUp = new AbortController()
    const webhooks = new WebhookDeliveries({
      webhooks: core.webhooks,
      outside: {
        send: createWebhookSender({ loopback: config.loopbackWebhooks, closing: hungUp.signal }),
        bodyOf: webhookBody,
        userAgent: `proxy-reseller/${productVersion()}`,
      },
      onWake: (listener) => queue.onWake('webhook_deliveries', listener),
      closing: hungUp,
      logger,
      observer: metrics.webhooks,
    })
    webhooks.start()
    parts.webhooks = webhooks
    workers.push(() => webhooks.stop())
    const reconciler = new SupplierReconciler(core, logger)
    reconciler.start()
    workers.push(() => reconciler.stop())
    await bot.start(closing.signal)
    const onKept = (listener: () => void) => queue.onWake(INBOX, listener)
    const inbox = cluster && config.webhook && new Inbox(cluster, bot, logger, onKept)
    inbox?.start()
    // Side by side: the inbox waits for what the bot has in hand, and the bot not for long.
    workers.push(() => Promise.all([inbox?.stop(), bot.stop()]))
    workers.push(() => closing.abort())
    if (core.checks.enabled) {
      const loops = [core.checks.asked, core.checks.due].map((checks) => new CheckLoop(checks, logger))
      for (const loop of loops) loop.start()
      workers.push(() => {
        closing.abort()
        return Promise.all(loops.map((loop) => loop.stop()))
      })
    }
    if (scanner) {
      const watcher = new ChainWatcher(scanner, logger, (listener) => queue.onWake('chain', listener))
      parts.watcher = watcher
      watcher.start()
      workers.push(() => {
        closing.abort()
        return watcher.stop()
      })
    }
  }
  if (cluster) {
    let begun = Promise.resolve()
    const stopLeading = cluster.lead(
      () => {
        logger.info('this server does the work in the background')
        begun = workInBackground().catch((error: unknown) => {
          const isAway = error instanceof ServiceError && error.code === 'unavailable'
          if (!isAway || workers.length > 0) return failed(error)
          logger.warn({ err: error }, 'this server gives the work in the background up: the database is away')
          return cluster.giveUp()
        })
      },
      () => failed(new OperatorError('Another server does the work in the background now')),
    )
    closers.push(async () => {
      stopLeading()
      // What has just begun may wait for what does not answer.
      closing.abort()
      await begun
      await closeAll(workers)
    })
  } else {
    closers.push(() => closeAll(workers))
    await workInBackground()
  }

  if (config.gateway) {
    const { host, environment } = config.gateway
    const gateway = new GatewayProcess({
      entry: moduleAt('gateway/main'),
      environment: {
        PATH: process.env['PATH'],
        ...environment,
        ...sandbox?.gatewaySettings,
        // As a number: a name could lead elsewhere.
        GATEWAY_SHOP_URL: addressOf(server, (server.server.address() as AddressInfo).address),
        GATEWAY_TOKEN: config.gatewayToken,
        LOG_LEVEL: config.log.level,
        LOG_FORMAT: config.log.format,
      },
      logger,
      ended: () => sandbox?.gatewayEnded(),
      listens: (port) => {
        sandbox
          ?.gatewayListens({ host, port })
          .catch((error: unknown) => logger.error({ err: error }, 'nobody is told where the gateway listens'))
      },
    })
    gateway.start()
    parts.gateway = gateway
    closers.push(() => gateway.stop())
  }

  if (given.setup) {
    // Whoever has chosen: another server, or the command line.
    const inUse = { ...chosen, CURRENCY: currency }
    const look = setInterval(() => {
      readChosen({ db }).then(
        (now) => isDeepStrictEqual(now, inUse) || restartOnce(),
        (error: unknown) => logger.warn({ err: error }, 'the chosen settings cannot be read'),
      )
    }, CHOSEN_EVERY_MS)
    closers.push(() => clearInterval(look))
  }

  const base = `${address}/api`
  return {
    core,
    telegram: sandbox?.telegram,
    addresses: {
      ...(sandbox ? { sandbox: sandbox.page(address) } : {}),
      api: base,
      docs: `${base}/docs`,
    },
  }
}

/** A program of its own, compiled or not as this one is. */
function moduleAt(path: string): URL {
  return new URL(`${path}.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
}

/**
 * Checks wallet and token: amounts of a token with other decimals would be credited wrongly, and what is paid to a contract is
 * lost. A chain that does not answer does not prevent the start: nothing is credited before this was checked.
 *
 * @throws OperatorError when wallet or token cannot be right
 */
async function checkWallet(scanner: ChainScanner, logger: Logger): Promise<void> {
  try {
    const symbol = await scanner.check()
    if (symbol !== 'USDT') logger.warn({ symbol }, 'the token of USDT_CONTRACT does not call itself USDT')
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    if (error.fault === 'misconfigured') throw new OperatorError(error.message, { cause: error })
    logger.warn(
      { fault: error.fault, reason: error.message },
      'the token contract could not be checked: nothing is credited before it was',
    )
  }
}

/** Where people expect this server to be. */
function ownHosts({ host, publicUrl }: Config): string[] {
  return [host, ...(publicUrl ? [new URL(publicUrl).hostname] : [])]
}

/** Whether nobody but this machine can open an address. */
function isHere(url: string): boolean {
  return url === '' || THIS_MACHINE.test(new URL(url).hostname)
}

async function spaceAt(directory: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** @throws OperatorError when the address cannot be listened on */
async function listen(server: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await server.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    const refusal = LISTEN_ERRORS[(error as NodeJS.ErrnoException).code ?? '']
    throw refusal ? new OperatorError(refusal(host, port), { cause: error }) : error
  }
}

const noSuchHost = (host: string) => `HOST=${host} is no address of this machine`
/** By the code of the system's error. */
const LISTEN_ERRORS: Readonly<Record<string, ((host: string, port: number) => string) | undefined>> = {
  EADDRINUSE: (host, port) => `Port ${port} of ${host} is in use by another program: set another PORT`,
  EACCES: (_host, port) => `PORT=${port} is not allowed for this user: set one from 1024 on`,
  EADDRNOTAVAIL: noSuchHost,
  EAI_AGAIN: noSuchHost,
  ENOTFOUND: noSuchHost,
  EINVAL: noSuchHost,
}

/** Demo accounts have public passwords: their database never serves real customers. */
async function refuseDemoData(core: Core): Promise<void> {
  if ((await core.database.origin()) !== 'sandbox') return
  throw new OperatorError(
    'This database was made by the sandbox: it holds demo accounts whose passwords everybody knows. Set DATABASE_URL to another file.',
  )
}

function addressOf(server: FastifyInstance, host: string): string {
  const { port } = server.server.address() as AddressInfo
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
