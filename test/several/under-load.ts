import { vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import type { ProductProcess } from '../support/process.ts'
import { startLoad } from './load/load.ts'
import { openBalancer } from '../support/balancer.ts'
import { leads, openSeveralShop } from './several-shop.ts'

/** Within it another server has taken over, or the same one goes on, whatever has happened. */
export const TAKEN_OVER_MS = 30_000
/** For each test. */
export const LIMIT = { timeout: 180_000 }
/** What is acknowledged before something happens. */
export const SOME = 20
/** What a leader logs when its lead has run out, and it cannot know whether another one leads. */
export const RUN_OUT = 'updates are not asked for until the database answers'
const PROXIES = 3_000

/** How updates of Telegram reach the servers: the leader asks for them, or Telegram calls any of the servers. */
export const BOT_MODES = ['polling', 'webhook'] as const

interface UnderLoad {
  /** By which the leader reaches the database, if not as the test does. */
  readonly leaderUrl?: string
  /** By which the second server does. */
  readonly otherUrl?: string
  readonly botMode?: (typeof BOT_MODES)[number]
}

/**
 * Two servers under load.
 *
 * @param url of the database, by which the test reaches it
 */
export async function openUnderLoad(
  url: string,
  { leaderUrl = url, otherUrl = url, botMode = 'polling' }: UnderLoad = {},
) {
  const balancer = await openBalancer()
  const bot = { BOT_MODE: botMode, ...(botMode === 'webhook' && { PUBLIC_URL: balancer.address }) }
  const shop = await openSeveralShop(PROXIES, { RATE_LIMIT_WRITES: '0', ...bot }, url)
  const first = await shop.start({ DATABASE_URL: leaderUrl })
  await vi.waitUntil(() => leads(first), PATIENCE)
  const second = await shop.start({ DATABASE_URL: otherUrl })
  balancer.servers.push(first, second)
  const load = await startLoad(shop, [first, second])
  await load.more(SOME)
  return { shop, servers: [first, second] as const, load }
}

/** Resolves when a server has logged something, from now on. */
export async function says({ output }: ProductProcess, text: string): Promise<void> {
  const begun = output().length
  await vi.waitUntil(() => output().includes(text, begun), PATIENCE)
}
