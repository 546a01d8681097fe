import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import { createPhone } from '../support/phone.ts'
import type { ProductProcess } from '../support/process.ts'
import { AGENT, ANN, logIn } from '../support/product.ts'
import { openBreakableNetwork } from './breakable-network.ts'
import { openOwnPostgres } from './own-postgres.ts'
import { leads, withoutPostgres } from './several-shop.ts'
import { BOT_MODES, LIMIT, openUnderLoad, RUN_OUT, says, SOME, TAKEN_OVER_MS } from './under-load.ts'

describe.skipIf(withoutPostgres)('two servers under load', () => {
  it.for(BOT_MODES)(
    'go on when PostgreSQL was stopped hard and started again (bot by %s)',
    LIMIT,
    async (botMode) => {
      const postgres = await openOwnPostgres()
      const { shop, servers, load } = await openUnderLoad(postgres.url, { botMode })
      await postgres.stopHard()
      const faultAt = performance.now()
      await refusing(servers)
      await postgres.start()
      await load.goesOn(faultAt, TAKEN_OVER_MS)
      await logIn(createPhone(shop.telegram, ANN), AGENT)
      await load.prove()
      // The one that takes over is stopped in the middle of it.
      const [first, second] = servers
      expect(await first.terminate()).toBe(0)
      await vi.waitUntil(() => leads(second), { ...PATIENCE, interval: 1 })
      expect(await second.terminate()).toBe(0)
    },
  )

  it('come back when neither has reached PostgreSQL for a while', LIMIT, async () => {
    const postgres = await openOwnPostgres()
    const network = await openBreakableNetwork(postgres.url)
    const { servers, load } = await openUnderLoad(postgres.url, {
      leaderUrl: network.url,
      otherUrl: network.url,
    })
    network.silence()
    await Promise.all([refusing(servers), says(servers[0], RUN_OUT)])
    network.restore()
    const restoredAt = performance.now()
    await load.goesOn(restoredAt, TAKEN_OVER_MS)
    await load.prove()
  })

  it('lose nothing when a synchronous standby takes the place of PostgreSQL', LIMIT, async () => {
    const primary = await openOwnPostgres()
    const network = await openBreakableNetwork(primary.url)
    const { shop, load } = await openUnderLoad(network.url)
    const standby = await primary.startStandby()
    await load.more(SOME)
    await primary.kill()
    const faultAt = performance.now()
    await standby.run('SELECT pg_promote()')
    network.leadTo(standby.port)
    await load.goesOn(faultAt, TAKEN_OVER_MS)
    await logIn(createPhone(shop.telegram, ANN), AGENT)
    await load.prove()
  })
})

/** Waits until each server has refused a request, from now on, because the database does not answer. */
function refusing(servers: readonly ProductProcess[]): Promise<unknown> {
  return Promise.all(servers.map((server) => says(server, '"error":"unavailable"')))
}
