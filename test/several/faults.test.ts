import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import { createPhone } from '../support/phone.ts'
import type { ProductProcess } from '../support/process.ts'
import { AGENT, ANN, logIn } from '../support/product.ts'
import { openBreakableNetwork } from './breakable-network.ts'
import { startLoad } from './load.ts'
import { openOwnPostgres } from './own-postgres.ts'
import { leads, openSeveralShop, withoutPostgres } from './several-shop.ts'

/** Within it another server has taken over, or the same one goes on, whatever has happened. */
const TAKEN_OVER_MS = 30_000
/** For each test. */
const LIMIT = { timeout: 180_000 }
/** What is acknowledged before something happens. */
const SOME = 20
const PROXIES = 3_000

describe.skipIf(withoutPostgres)('two servers under load', () => {
  it('go on when PostgreSQL was stopped hard and started again', LIMIT, async () => {
    const postgres = await openOwnPostgres()
    const { shop, servers, load } = await openUnderLoad(postgres.url)
    const faultAt = performance.now()
    await postgres.stopHard()
    await refusing(servers)
    await postgres.start()
    expect(await load.goesOn(faultAt)).toBeLessThan(TAKEN_OVER_MS)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    await load.prove()
    // The one that takes over is stopped in the middle of it.
    const [first, second] = servers
    expect(await first.terminate()).toBe(0)
    await vi.waitUntil(() => leads(second), { ...PATIENCE, interval: 1 })
    expect(await second.terminate()).toBe(0)
  })

  it('lose nothing when the leader no longer reaches PostgreSQL: the other one leads', LIMIT, async () => {
    const postgres = await openOwnPostgres()
    const network = await openBreakableNetwork(postgres.url)
    const { shop, servers, load } = await openUnderLoad(postgres.url, network.url)
    const [first, second] = servers
    network.silence()
    const faultAt = performance.now()
    await vi.waitUntil(() => leads(second), PATIENCE)
    expect(await load.goesOn(faultAt)).toBeLessThan(TAKEN_OVER_MS)
    // The one that was cut off takes no updates from Telegram, which it could not handle.
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    network.restore()
    await vi.waitUntil(() => first.output().includes('Another server does the work'), PATIENCE)
    await load.prove()
    // It stopped asking before the other one began.
    for (const server of servers) expect(server.output()).not.toContain('terminated by other getUpdates')
    expect(first.output()).toContain('updates are not asked for until the database answers')
  })

  it('come back when neither has reached PostgreSQL for a while', LIMIT, async () => {
    const postgres = await openOwnPostgres()
    const network = await openBreakableNetwork(postgres.url)
    const { servers, load } = await openUnderLoad(postgres.url, network.url, network.url)
    network.silence()
    await refusing(servers)
    network.restore()
    const restoredAt = performance.now()
    expect(await load.goesOn(restoredAt)).toBeLessThan(TAKEN_OVER_MS)
    await load.prove()
  })

  it('lose nothing when a synchronous standby takes the place of PostgreSQL', LIMIT, async () => {
    const primary = await openOwnPostgres()
    const network = await openBreakableNetwork(primary.url)
    const { shop, load } = await openUnderLoad(network.url)
    const standby = await primary.startStandby()
    await load.more(SOME)
    const faultAt = performance.now()
    await primary.kill()
    await standby.run('SELECT pg_promote()')
    network.leadTo(standby.port)
    expect(await load.goesOn(faultAt)).toBeLessThan(TAKEN_OVER_MS)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    await load.prove()
  })

  it('end the leader that slept: the other one has its work', LIMIT, async () => {
    const postgres = await openOwnPostgres()
    const { shop, servers, load } = await openUnderLoad(postgres.url)
    const [first, second] = servers
    process.kill(first.pid, 'SIGSTOP')
    const faultAt = performance.now()
    await vi.waitUntil(() => leads(second), PATIENCE)
    expect(await load.goesOn(faultAt)).toBeLessThan(TAKEN_OVER_MS)
    process.kill(first.pid, 'SIGCONT')
    await vi.waitUntil(() => first.output().includes('Another server does the work'), PATIENCE)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    await load.prove()
  })
})

/**
 * @param url of the database, by which the test reaches it
 * @param leaderUrl by which the leader does
 * @param otherUrl by which the second server does
 */
async function openUnderLoad(url: string, leaderUrl = url, otherUrl = url) {
  const shop = await openSeveralShop(PROXIES, { RATE_LIMIT_WRITES: '0' }, url)
  const first = await shop.start({ DATABASE_URL: leaderUrl })
  await vi.waitUntil(() => leads(first), PATIENCE)
  const second = await shop.start({ DATABASE_URL: otherUrl })
  const load = await startLoad(shop, [first, second])
  await load.more(SOME)
  return { shop, servers: [first, second] as const, load }
}

/** Waits until each server has given up a request. */
function refusing(servers: readonly ProductProcess[]): Promise<unknown> {
  return vi.waitUntil(() => servers.every((server) => server.output().includes('a request failed')), PATIENCE)
}
