import { statfs } from 'node:fs/promises'
import type { Core } from '../core/core.ts'
import { WriteProbe } from '../core/database/write-probe.ts'
import { diskLevel, type DiskSpace } from '../core/operator/disk-space.ts'
import type { HealthCheck, Machine } from '../core/operator/readiness.ts'
import { productVersion } from '../product-version.ts'
import { readUpdateFeed } from '../update-feed.ts'
import type { Base } from './base.ts'

/**
 * Returns what this process knows of itself.
 *
 * @param core called by the checks only, which nobody runs before the core is made
 */
export function machineOf(base: Base, core: () => Core): Machine {
  const { config, overrides } = base
  const diskSpace = overrides.diskSpace ?? (() => spaceAt(config.dataDirectory))
  return {
    version: productVersion(),
    diskSpace,
    feed: updateFeed(base),
    checks: healthChecks(base, core, diskSpace),
  }
}

/** Returns the checks that `/readyz` shows, in this order. */
function healthChecks(
  { config, db, later }: Base,
  core: () => Core,
  diskSpace: () => Promise<DiskSpace>,
): Readonly<Record<string, HealthCheck>> {
  const { cluster } = db
  const writes = new WriteProbe(() => core().database.tryWrite())
  later.writes = writes
  // Several servers: those that do not lead need no work in the background, and answer requests without it.
  const ofLeader =
    (isAlive: () => boolean | undefined): HealthCheck =>
    () =>
      cluster?.leads === false || isAlive() || (cluster ? 'degraded' : false)
  return {
    database: async () => {
      await core().database.ping()
      const outcome = await writes.outcome()
      if (outcome === 'works') return true
      // On PostgreSQL another server could not write either.
      return (outcome === 'slow' || cluster !== undefined) && 'degraded'
    },
    disk: async () => {
      if (!cluster && (await writes.outcome()) === 'fails') return false
      return diskLevel(await diskSpace()) !== 'full' || 'degraded'
    },
    jobs: ofLeader(() => later.jobs?.every(({ alive }) => alive)),
    bot: ofLeader(() => later.bot?.alive),
    ...(config.gateway && { gateway: () => later.gateway?.alive || 'degraded' }),
    ...(cluster && { clock: () => !cluster.clock.isWrong || 'degraded' }),
    books: async () => (await core().books.frozen()).length === 0 || 'degraded',
    chats: async () => {
      const { operator } = core()
      const [chats, gone] = [await operator.chats(), await operator.goneChats()]
      return !gone.some(({ chatId }) => chats.includes(chatId)) || 'degraded'
    },
    ...(config.topUps && {
      chain: ofLeader(
        () =>
          core().topUps.scanners.every(({ checked }) => checked) &&
          later.chainWatchers?.every(({ alive }) => alive),
      ),
    }),
  }
}

function updateFeed({
  config: { updateFeed: url, loopbackWebhooks },
  closing,
  logger,
}: Base): Machine['feed'] {
  if (url === undefined) return undefined
  const read = () => readUpdateFeed({ url, loopback: loopbackWebhooks, closing: closing.signal })
  return {
    url,
    read: () =>
      read().catch((error: unknown) => {
        logger.debug({ err: error }, 'the update feed cannot be read')
        return undefined
      }),
  }
}

async function spaceAt(directory: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
