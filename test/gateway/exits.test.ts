import { describe, expect, test } from 'vitest'
import { gatewayShop } from '../support/gateway-shop.ts'
import { download, opened, startExit, startOrigin, testGateway, tunnel } from '../support/gateway.ts'
import { PATIENCE } from '../support/patience.ts'

const MB = 1_000_000
/** Probes that come soon enough for a test. */
const SOON = { unhealthyMs: 30, unusedMs: 60_000, doubtMs: 10 }

/** A gateway with exits, whose account `alice` has 100 MB. */
async function withExits(protocols: readonly ('http' | 'socks5')[], probes = SOON) {
  const [shop, origin] = await Promise.all([gatewayShop(), startOrigin()])
  const exits = await Promise.all(protocols.map((protocol) => startExit(origin, protocol)))
  shop.set('alice', { remaining_bytes: 100 * MB })
  shop.setExits(exits.map(({ url }) => ({ url })))
  const gateway = await testGateway({ shop, origin, times: { probes } })
  await expect.poll(async () => (await tunnel(gateway, 'alice')).reason, PATIENCE).toBe(undefined)
  return { shop, origin, exits, gateway }
}

/** How many tunnels each exit gets of so many. */
async function spread(gateway: { port: number }, exits: readonly { usernames: string[] }[], username: string, count: number) {
  const before = exits.map(({ usernames }) => usernames.length)
  for (let index = 0; index < count; index += 1) (await opened(gateway, username)).destroy()
  return exits.map(({ usernames }, index) => usernames.length - (before[index] ?? 0))
}

describe('an exit that is a proxy', () => {
  test.each(['http', 'socks5'] as const)('carries a tunnel by %s', async (protocol) => {
    const { gateway } = await withExits([protocol])
    const socket = await opened(gateway, 'alice')
    expect(await download(socket, MB)).toBeGreaterThan(MB)
  })

  test('is another one for each tunnel without a session', async () => {
    const { gateway, exits } = await withExits(['http', 'socks5', 'http'])
    expect(await spread(gateway, exits, 'alice', 9)).toEqual([3, 3, 3])
  })

  test('stays the same for a session', async () => {
    const { gateway, exits } = await withExits(['http', 'socks5', 'http'])
    for (const session of ['abcdef', 'ghijkl', 'mnopqr'])
      expect((await spread(gateway, exits, `alice-session-${session}`, 4)).toSorted()).toEqual([0, 0, 4])
  })
})
