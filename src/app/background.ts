import { webhookBody } from '../api/wire/webhook-event.ts'
import { clearWorkFolder } from '../backup/work-folder.ts'
import type { RunningBot } from '../bot/create-bot.ts'
import type { Core } from '../core/core.ts'
import { type Cluster, INBOX } from '../core/database/database.ts'
import { ServiceError } from '../core/errors.ts'
import type { Work } from '../core/jobs/added-work.ts'
import { every } from '../core/jobs/every.ts'
import type { JobGroupName } from '../core/jobs/job-groups.ts'
import type { Machine } from '../core/operator/readiness.ts'
import { OperatorError } from '../core/operator-error.ts'
import { AgentBotLoop } from '../jobs/agent-bot-loop.ts'
import { ChainWatcher } from '../jobs/chain-watcher.ts'
import { CheckLoop } from '../jobs/check-loop.ts'
import { DiskWatch } from '../jobs/disk-watch.ts'
import { Inbox } from '../jobs/inbox.ts'
import type { Loop } from '../jobs/loop.ts'
import { JobRunner } from '../jobs/runner.ts'
import { SupplierLanes } from '../jobs/supplier-lanes.ts'
import { SupplierReconciler } from '../jobs/supplier-reconciler.ts'
import { WebhookDeliveries } from '../jobs/webhook-lane.ts'
import { productVersion } from '../product-version.ts'
import { createWebhookSender } from '../webhooks/sender.ts'
import type { Base } from './base.ts'
import { closeAll, type Closers } from './closers.ts'

const CHECK_DISK_MS = 60_000

/** The parts that the work in the background needs. */
interface Tools {
  readonly core: Core
  readonly machine: Machine
  readonly bot: RunningBot
  /** Where people find this server. */
  readonly publicUrl: string
}

/**
 * Starts the work in the background. Of several servers the leader does it (rules 10.20), which may be this one at once, later or never.
 */
export async function startBackground(base: Base, tools: Tools): Promise<void> {
  /** Closers of what works in the background. */
  const workers: Closers = []
  const { cluster } = base.db
  if (cluster) return lead(base, cluster, workers, () => work(base, tools, workers))
  base.closers.push(() => closeAll(workers))
  await work(base, tools, workers)
}

/** Begins the work whenever this server becomes the leader. */
function lead(
  { overrides, logger, closing, closers }: Base,
  cluster: Cluster,
  workers: Closers,
  begin: () => Promise<void>,
): void {
  const end = (error: unknown) => {
    logger.fatal(error)
    // The supervisor of the service, such as systemd, starts it again.
    process.exit(1)
  }
  const { failed = end } = overrides
  let begun = Promise.resolve()
  const stopLeading = cluster.lead(
    () => {
      logger.info('this server does the work in the background')
      begun = begin().catch((error: unknown) => {
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
    // Work that has just begun may wait for something that does not answer.
    closing.abort()
    await begun
    await closeAll(workers)
  })
}

async function work(base: Base, tools: Tools, workers: Closers): Promise<void> {
  const { config, db, logger, metrics, backupWorker, closing, later } = base
  const { core, bot } = tools
  const { queue } = core.jobs
  const wokenBy = (work: Work) => (listener: () => void) => queue.onWake(work, listener)
  /** Starts loops, which are stopped in parallel. */
  const start = (...loops: readonly Loop[]) => {
    for (const loop of loops) loop.start()
    workers.push(() => Promise.all(loops.map((loop) => loop.stop())))
  }
  // Jobs that an earlier process had in hand when it ended are taken over, and what its backup has left is cleared away.
  await queue.takeOver()
  await clearWorkFolder(config.backups.settings.database)

  const runners = jobRunners(base, tools)
  start(...runners)
  workers.push(() => backupWorker.stop())
  const lanes = new SupplierLanes({
    supply: core.supply,
    onWake: wokenBy('supplier_calls'),
    logger,
    observer: metrics.suppliers,
  })
  start(lanes)
  const hungUp = new AbortController()
  const deliveries = new WebhookDeliveries({
    webhooks: core.webhooks,
    outside: {
      send: createWebhookSender({ loopback: config.loopbackWebhooks, closing: hungUp.signal }),
      bodyOf: webhookBody,
      userAgent: `proxy-reseller/${productVersion()}`,
    },
    onWake: wokenBy('webhook_deliveries'),
    closing: hungUp,
    logger,
    observer: metrics.webhooks,
  })
  start(deliveries)
  later.jobs = [...runners, lanes, deliveries]
  start(new SupplierReconciler(core, logger))

  await bot.start(closing.signal)
  const inbox = db.cluster && config.webhook && new Inbox(db.cluster, bot, logger, wokenBy(INBOX))
  inbox?.start()
  if (core.bots.enabled) start(new AgentBotLoop(bot.agentBots, logger, wokenBy('agent_bots')))
  // In parallel: the inbox waits for the updates that the bot handles, and the bot for a limited time only.
  workers.push(() => Promise.all([inbox?.stop(), bot.stop()]))
  if (core.checks.enabled)
    start(new CheckLoop(core.checks.asked, logger), new CheckLoop(core.checks.due, logger))
  const { scanners } = core.topUps
  const watchers = scanners.map((scanner) => new ChainWatcher(scanner, logger, wokenBy('chain')))
  start(...watchers)
  later.chainWatchers = watchers
  workers.push(() => closing.abort())
}

/** Makes a runner for each group of jobs, with sweeps for what becomes due by time alone. */
function jobRunners(base: Base, { core, machine, bot, publicUrl }: Tools): JobRunner[] {
  const { clock, logger, metrics, redact } = base
  const { messenger, refreshScreen } = bot
  const { jobs } = core
  const { agentBotsUrl } = base.config
  const handlers = jobs.handlers({
    messenger,
    refreshScreen,
    baseUrl: `${publicUrl}/api`,
    agentBaseUrl: agentBotsUrl && `${agentBotsUrl}/api`,
  })
  const work = { queue: jobs.queue, handlers, clock, logger, observer: metrics.jobs, redact }
  const runner = (group: JobGroupName, ...sweeps: readonly (() => Promise<void>)[]) =>
    new JobRunner({ ...work, group, sweeps })
  const checkBooks = async () => {
    for (const difference of await core.books.check()) logger.error(difference, 'the books do not balance')
  }
  const disk = new DiskWatch({
    space: machine.diskSpace,
    messenger,
    chats: () => core.operator.chatsTold('disk_low'),
    gone: (chatId) => core.chats.setBlocked(chatId, true),
    logger,
  })
  const checkDisk = every(CHECK_DISK_MS, clock, () => disk.check())
  return [
    runner(
      'orders',
      jobs.sweepStaticOrders,
      jobs.expireTopUps,
      jobs.matureEarnings,
      jobs.sweepRequestKeys,
      jobs.sweepEndedTokens,
      jobs.sweepUsageTargets,
      jobs.sweepExitDays,
      core.webhooks.sweep,
    ),
    runner('mail'),
    runner('backups', jobs.sweepBackups, jobs.sweepVersions),
    runner('messages', ...jobs.noticeSweeps, checkBooks, checkDisk),
  ]
}
