import { vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import type { ProductProcess } from '../support/process.ts'
import { startLoad } from './load/load.ts'
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

/**
 * Two servers under load.
 *
 * @param url of the database, by which the test reaches it
 * @param leaderUrl by which the leader does
 * @param otherUrl by which the second server does
 */
export async function openUnderLoad(url: string, leaderUrl = url, otherUrl = url) {
  const shop = await openSeveralShop(PROXIES, { RATE_LIMIT_WRITES: '0' }, url)
  const first = await shop.start({ DATABASE_URL: leaderUrl })
  await vi.waitUntil(() => leads(first), PATIENCE)
  const second = await shop.start({ DATABASE_URL: otherUrl })
  const load = await startLoad(shop, [first, second])
  await load.more(SOME)
  return { shop, servers: [first, second] as const, load }
}

/** Resolves when a server has logged something, from now on. */
export async function says({ output }: ProductProcess, text: string): Promise<void> {
  const begun = output().length
  await vi.waitUntil(() => output().includes(text, begun), PATIENCE)
}
