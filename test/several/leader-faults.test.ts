import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import { beside } from '../support/beside.ts'
import { freePort } from '../support/free-port.ts'
import { createPhone } from '../support/phone.ts'
import { emptyDatabase } from '../support/service.ts'
import { AGENT, ANN, logIn } from '../support/product.ts'
import { openBreakableNetwork } from './breakable-network.ts'
import { openOwnPostgres } from './own-postgres.ts'
import { createBuyer } from './buyer.ts'
import { leads, openSeveralShop, withoutPostgres } from './several-shop.ts'
import { BOT_MODES, LIMIT, openUnderLoad, RUN_OUT, TAKEN_OVER_MS } from './under-load.ts'

const GIVEN_UP = 'gives the work in the background up'

describe.skipIf(withoutPostgres)('two servers under load, one of which leads', () => {
  it.for(BOT_MODES)(
    'lose nothing when the leader is killed: the other one has its work (bot by %s)',
    LIMIT,
    async (botMode) => {
      const { servers, load } = await openUnderLoad(await emptyDatabase(), { botMode })
      const [first, second] = servers
      expect(leads(second)).toBe(false)
      await first.kill()
      const faultAt = performance.now()
      await vi.waitUntil(() => leads(second), PATIENCE)
      await load.goesOn(faultAt, TAKEN_OVER_MS)
      await load.prove()
    },
  )

  it('lose nothing when the leader no longer reaches PostgreSQL: the other one leads', LIMIT, async () => {
    const postgres = await openOwnPostgres()
    const network = await openBreakableNetwork(postgres.url)
    const { shop, servers, load } = await openUnderLoad(postgres.url, { leaderUrl: network.url })
    const [first, second] = servers
    network.silence()
    const faultAt = performance.now()
    await vi.waitUntil(() => leads(second), PATIENCE)
    await load.goesOn(faultAt, TAKEN_OVER_MS)
    // The one that was cut off takes no updates from Telegram, which it could not handle.
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    network.restore()
    await vi.waitUntil(() => first.output().includes('Another server does the work'), PATIENCE)
    await load.prove()
    // It stopped asking before the other one began.
    for (const server of servers) expect(server.output()).not.toContain('terminated by other getUpdates')
    expect(first.output()).toContain(RUN_OUT)
  })

  it('end the leader that slept: the other one has its work', LIMIT, async () => {
    const { shop, servers, load } = await openUnderLoad(await emptyDatabase())
    const [first, second] = servers
    process.kill(first.pid, 'SIGSTOP')
    const faultAt = performance.now()
    await vi.waitUntil(() => leads(second), PATIENCE)
    await load.goesOn(faultAt, TAKEN_OVER_MS)
    process.kill(first.pid, 'SIGCONT')
    await vi.waitUntil(() => first.output().includes('Another server does the work'), PATIENCE)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    await load.prove()
  })
})

describe.skipIf(withoutPostgres)('a server that begins to lead', () => {
  it('tries again when the database goes away at that moment', LIMIT, async () => {
    const shop = await openSeveralShop(5)
    const network = await openBreakableNetwork(shop.url)
    const { run } = await beside({ database: shop.url })
    await run('BEGIN; LOCK TABLE jobs IN EXCLUSIVE MODE')
    const server = await shop.start({ DATABASE_URL: network.url })
    await vi.waitUntil(() => leads(server), PATIENCE)
    network.leadTo(await freePort())
    await vi.waitUntil(() => server.output().includes(GIVEN_UP), PATIENCE)
    await run('ROLLBACK')
    network.leadTo(Number(new URL(shop.url).port))
    await createBuyer(server).buy(5, 'afterwards')
    await vi.waitUntil(async () => (await shop.db.read.instance.count()) === 5, PATIENCE)
    expect(await server.terminate()).toBe(0)
  })

  it('ends with a clear message when Telegram refuses the bot', LIMIT, async () => {
    const shop = await openSeveralShop(0)
    const { run } = await beside({ database: shop.url })
    await run("UPDATE leader SET until = 'infinity'")
    const server = await shop.start({ BOT_TOKEN: '42:a-token-that-telegram-does-not-know-0123' })
    await run("UPDATE leader SET until = '-infinity'")
    await vi.waitUntil(() => server.output().includes('Telegram refuses BOT_TOKEN'), PATIENCE)
    expect(await server.terminate()).toBe(1)
  })
})
