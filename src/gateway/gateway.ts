import type { Logger } from 'pino'
import type { AccountsPage } from '../core/gateway/wire.ts'
import type { GatewayConfig } from './config.ts'
import { ExitChoice } from './exits/choose-exit.ts'
import { ExitHealth, type ProbeTimes } from './exits/health.ts'
import type { ProxyTimes } from './exits/proxy.ts'
import { probeExit, reachesDirectly } from './exits/probe.ts'
import { type Front, startFront } from './front.ts'
import { Journal } from './journal.ts'
import { lockFolder } from './lock-folder.ts'
import { Meters } from './meters.ts'
import { Reporter } from './reporter.ts'
import { ALONE_TIMES, type AloneTimes, Service } from './service.ts'
import { Shop } from './shop.ts'
import { Workers } from './workers/workers.ts'

/** How long open connections may go on after the stop. */
const DRAIN_MS = 30_000
/** How long the last batches may take to reach the shop; the others stay in the journal. */
const LAST_POST_MS = 3_000

/** Times that tests shorten. */
export interface GatewayTimes {
  readonly drainMs?: number
  readonly alone?: AloneTimes
  readonly probes?: ProbeTimes
  readonly proxies?: ProxyTimes
}

export interface Gateway {
  readonly port: number
  /**
   * Takes no new connections, lets the open ones come to their end for a while, and tells the shop what was used. Called again, it
   * breaks off what is still open.
   */
  stop(): Promise<void>
}

/**
 * Starts a gateway. It serves clients as soon as the shop has told it about its accounts.
 *
 * @throws OperatorError when another gateway has the folder, or the port is taken; Error when the folder cannot be written
 */
export async function startGateway(
  config: GatewayConfig,
  logger: Logger,
  times: GatewayTimes = {},
): Promise<Gateway> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    return await assemble(config, logger, times, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function assemble(
  config: GatewayConfig,
  logger: Logger,
  { drainMs = DRAIN_MS, alone = ALONE_TIMES, probes, proxies }: GatewayTimes,
  closers: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Gateway> {
  const startedAt = new Date().toISOString()
  closers.push(await lockFolder(config.data))
  const journal = await Journal.open(config.data, logger)
  closers.push(() => journal.close())
  const meters = new Meters()
  for (const { sequence, items } of journal.pending) meters.replay(sequence, items)

  const choice = new ExitChoice((id) => health.isHealthy(id))
  const health = new ExitHealth({
    probe: (exit) => probeExit(exit, config.probeTarget, proxies),
    control: () => reachesDirectly(config.probeTarget),
    changed: () => {
      choice.healthChanged()
      front.healthChanged(health.unhealthy())
    },
    logger,
    ...(probes && { times: probes }),
  })
  closers.push(() => health.stop())

  const front: Front =
    config.workers === 1
      ? await startFront({
          config,
          maxConnections: config.maxConnections,
          quotas: meters,
          choose: (wish, failed) => choice.choose(wish, failed),
          observer: health,
          logger,
          proxyTimes: proxies,
        })
      : await Workers.start({ count: config.workers, meters, choice, health, logger })
  closers.push(() => front.close())

  function learn(page: AccountsPage): void {
    if (page.exits) {
      health.set(page.exits)
      choice.set(page.exits)
    }
    front.page(page)
    service.learned(page)
    for (const { username, flush } of page.accounts) if (flush !== null) void report(username)
  }

  /** Reports what an account has used until now; workers may hold parts of it. */
  async function report(username: string): Promise<void> {
    await front.settle(username)
    await reporter.report()
  }

  const shop: Shop = new Shop({
    url: config.shopUrl,
    token: config.token,
    journal,
    logger,
    listener: {
      page: (page) => {
        learn(page)
        reporter.start()
      },
      answered: (answer) => meters.answered(answer),
      taken: () => service.taken(),
      renumbered: (by) => meters.renumber(by),
    },
  })
  const reporter = new Reporter({
    meters,
    journal,
    exits: () => health.reports(),
    figures: () => ({ started_at: startedAt, workers: config.workers, ...front.figures() }),
    reported: () => shop.wake(),
  })
  const service = new Service({ front, silentMs: () => shop.silentMs, times: alone })
  closers.push(
    () => service.stop(),
    () => reporter.stop(),
    () => shop.stop(),
  )
  shop.start()

  async function stop(): Promise<void> {
    service.stop()
    await front.drain(drainMs)
    await reporter.report()
    await front.close()
    // After the last batch the shop must hear nothing more of this gateway: another one may begin.
    shop.stopLearning()
    await reporter.stop()
    await reporter.report(true)
    await shop.posted(LAST_POST_MS)
    await close()
  }

  let stopped: Promise<void> | undefined
  return {
    port: front.port,
    stop: () => {
      if (stopped) void front.drain(0)
      else stopped = stop()
      return stopped
    },
  }
}
