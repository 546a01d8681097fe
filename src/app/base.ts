import { mkdirSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { createServer } from '../api/server.ts'
import { BackupWorker } from '../backup/worker-process.ts'
import type { BotOptions, RunningBot } from '../bot/create-bot.ts'
import type { Endpoint } from '../checker/prober.ts'
import { type Config, secretsOf } from '../config.ts'
import type { BackupMaker } from '../core/backups/backup-maker.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { claimCurrency } from '../core/database/currency.ts'
import { type Database, isPostgres, openDatabase } from '../core/database/database.ts'
import { lockInstance } from '../core/database/instance-lock.ts'
import type { WriteProbe } from '../core/database/write-probe.ts'
import type { DiskSpace } from '../core/operator/disk-space.ts'
import { readChosen } from '../core/operator/setup.ts'
import type { Supplier } from '../core/supply/supplier.ts'
import type { DriverKinds } from '../core/supply/driver.ts'
import { createMetrics } from '../metrics.ts'
import { programUrl } from '../project-url.ts'
import { redactor } from '../redact.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Closers } from './closers.ts'

/** The time in ms between two looks whether other settings were chosen. */
const CHOSEN_EVERY_MS = 10_000

/** Replacements for tests: of time, suppliers beside the own stock, drivers of third parties and so on. */
export interface AppOverrides {
  readonly clock?: Clock
  readonly suppliers?: Readonly<Record<string, Supplier>>
  /** Redirects the connections by which proxies are checked. */
  readonly dial?: (proxy: Endpoint) => Endpoint
  /** Drivers instead of those of `src/suppliers/drivers.ts`. */
  readonly drivers?: Partial<DriverKinds>
  /** Makes backups instead of a process for each, which needs the compiled program. */
  readonly backupMaker?: BackupMaker
  /**
   * Called when the process must end at once: another server does its work, or the work in the background could not begin. Without it,
   * the process ends.
   */
  readonly failed?: (error: unknown) => void
  /** Called when an owner has chosen other settings (rules 9.11): the service has to be started anew to use them. */
  readonly restart?: () => void
  /** Reads the room on the disk of the database. */
  readonly diskSpace?: () => Promise<DiskSpace>
  /** Makes the HTTP server. */
  readonly server?: typeof createServer
  /** A shorter way to Telegram than HTTP. */
  readonly telegram?: BotOptions['shortcut']
}

/** Parts that start after the parts that use them; each is set where it is started. */
interface Later {
  writes?: WriteProbe
  sandbox?: Sandbox
  /** Where proxies reach the echo, without a slash at the end. */
  echoUrl?: string
  bot?: RunningBot
  /** What carries out jobs. */
  jobs?: readonly { readonly alive: boolean }[]
  /** Of each network that is open. */
  chainWatchers?: readonly { readonly alive: boolean }[]
  gateway?: { readonly alive: boolean }
}

export type Base = Awaited<ReturnType<typeof startBase>>

/** Opens what all parts stand on: the database, the configuration with what was chosen in it, the clock, and what ends them. */
export async function startBase(given: Config, logger: Logger, overrides: AppOverrides, closers: Closers) {
  const { databaseUrl, dataDirectory } = given
  const { clock: realClock = systemClock, restart } = overrides
  const later: Later = {}
  const metrics = createMetrics()
  // On PostgreSQL several servers may run, one of which leads (rules 10.20).
  if (!isPostgres(databaseUrl)) closers.push(lockInstance(databaseUrl))
  mkdirSync(dataDirectory, { recursive: true })
  const db = await openDatabase(databaseUrl, {
    locked: true,
    observer: {
      group: metrics.database.group,
      unwritten: () => later.writes?.doubt(),
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
  const chosen = await useChosen(given, db, { logger, restart, closers })
  // Not loaded in production, which has no use for the emulators.
  // oxlint-disable-next-line no-restricted-imports -- the one place that loads it
  const sandboxModule = given.telegram.mode === 'sandbox' ? await import('../sandbox/sandbox.ts') : undefined
  const sandboxClock = sandboxModule?.createSandboxClock(dataDirectory, realClock)
  const { config } = chosen
  const redact = redactor(secretsOf(config))
  const entry = programUrl('backup/worker')
  return {
    ...chosen,
    overrides,
    logger,
    metrics,
    db,
    sandboxModule,
    sandboxClock,
    clock: sandboxClock ?? realClock,
    /** Removes secrets from a text. */
    redact,
    backupWorker: new BackupWorker({ entry, settings: config.backups.settings, redact }),
    /** Aborted by a stop: ends waits for what is outside. */
    closing: new AbortController(),
    closers,
    later,
  }
}

/** Returns the configuration with what an owner has chosen (rules 9.11), and asks for a restart when something else is chosen. */
async function useChosen(
  given: Config,
  db: Database,
  { logger, restart, closers }: { logger: Logger; restart: (() => void) | undefined; closers: Closers },
) {
  const chosen = await readChosen({ db })
  const config = given.setup?.configWith(chosen) ?? given
  const currency = await claimCurrency({ db }, config.currency)
  if (!given.setup) return { config, currency, setup: undefined }
  const inUse = { ...chosen, CURRENCY: currency }
  let isEnding = false
  const changed = () => {
    if (!isEnding) restart?.()
    isEnding = true
  }
  // Notices choices of other servers and of the command line, too.
  const look = setInterval(() => {
    readChosen({ db }).then(
      (now) => isDeepStrictEqual(now, inUse) || changed(),
      (error: unknown) => logger.warn({ err: error }, 'the chosen settings cannot be read'),
    )
  }, CHOSEN_EVERY_MS)
  closers.push(() => clearInterval(look))
  return { config, currency, setup: { ...given.setup, changed: () => setImmediate(changed) } }
}
