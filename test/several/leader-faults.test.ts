import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import { createPhone } from '../support/phone.ts'
import { emptyDatabase } from '../support/service.ts'
import { AGENT, ANN, logIn } from '../support/product.ts'
import { openBreakableNetwork } from './breakable-network.ts'
import { openOwnPostgres } from './own-postgres.ts'
import { leads, withoutPostgres } from './several-shop.ts'
import { BOT_MODES, LIMIT, openUnderLoad, RUN_OUT, TAKEN_OVER_MS } from './under-load.ts'

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
