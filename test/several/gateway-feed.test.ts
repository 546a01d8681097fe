import { describe, expect, it, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { AccountsPage } from '../../src/core/gateway/wire.ts'
import { ACCOUNTS, batch, USAGE } from '../support/gateway-wire.ts'
import { PATIENCE } from '../support/patience.ts'
import { SECRET } from '../support/product.ts'
import { post } from './buyer.ts'
import { DYNAMIC, leads, openSeveralShop, withoutPostgres } from './several-shop.ts'

/** A gateway that waits is answered by then at the earliest when nobody tells its server of the change. */
const NEXT_LOOK_MS = 1_000
/** On a busy machine some of them may come that late for other reasons. */
const TRIES = 30

describe.skipIf(withoutPostgres)('a gateway that waits at one of several servers', () => {
  it('hears at once of what another one has committed', { timeout: 120_000 }, async () => {
    const { core, db, start } = await openSeveralShop(0)
    const leader = await start()
    await vi.waitUntil(() => leads(leader), PATIENCE)
    // It does nothing by itself, of which it would hear.
    const server = await start()
    const call = (gateway: string) => ({ authorization: `Bearer ${SECRET}`, 'gateway-id': gateway })
    const page = async (gateway: string, query: string) => {
      const url = `${server.address}/api${ACCOUNTS}?${query}`
      const response = await fetch(url, { headers: call(gateway) })
      expect(response.status).toBe(200)
      return ((await response.json()) as { data: AccountsPage }).data
    }
    const end = (gateway: string) =>
      post(server, USAGE, batch(1, { ended: true }), { headers: call(gateway) })
    let { cursor } = await page('gateway-of-the-tests', '')
    await end('gateway-of-the-tests')
    /** @returns how long it takes, from the call on */
    const timeOfChange = async (number: number): Promise<number> => {
      const gateway = `gateway-of-the-tests-${number}`
      const calledAt = performance.now()
      const waiting = page(gateway, `cursor=${cursor}&wait=20`)
      await vi.waitUntil(() => db.read.gateway.findFirst({ where: { gatewayId: gateway } }), PATIENCE)
      // It has looked once when it has answered this.
      await fetch(`${server.address}/readyz`)
      await core.operator.addProduct(SHELL, { ...DYNAMIC, productNo: `DYN-${number}` })
      const changed = await waiting
      const ms = performance.now() - calledAt
      expect(changed.products).not.toBeNull()
      cursor = changed.cursor
      await end(gateway)
      return ms
    }
    let fastest = Infinity
    for (let index = 0; index < TRIES && fastest >= NEXT_LOOK_MS; index += 1)
      fastest = Math.min(fastest, await timeOfChange(index))
    expect(fastest).toBeLessThan(NEXT_LOOK_MS)
  })
})
