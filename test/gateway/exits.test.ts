import { afterEach, describe, expect, test, vi } from 'vitest'
import type { GatewayExit } from '../../src/core/gateway/wire.ts'
import { gatewayShop } from '../support/gateway-shop.ts'
import {
  DEAD,
  download,
  type Exit,
  opened,
  startExit,
  startOrigin,
  testGateway,
  tunnel,
} from '../support/gateway.ts'
import { freePort } from '../support/free-port.ts'
import { PATIENCE } from '../support/patience.ts'

const MB = 1_000_000
const MINUTE = 60_000
/** Probes that come soon enough for a test. */
const SOON = { unhealthyMs: 30, unusedMs: 60_000, doubtMs: 10 }
/** However far the clock jumps, the shop counts as near. */
const ALONE = { refuseMs: 1e9, endMs: 1e9 }
/** Longer than an exit takes on a busy machine. */
const PATIENT = { connectMs: 30_000, handshakeMs: 30_000 }
/** For an exit that does not answer at all. */
const IMPATIENT = { connectMs: 1_000, handshakeMs: 300 }
/** Probes that do not come. */
const NEVER = { unhealthyMs: 1e9, unusedMs: 1e9, doubtMs: 1e9 }

afterEach(() => void vi.restoreAllMocks())

type Change = (url: string, index: number) => Partial<GatewayExit>

interface Options {
  readonly change?: Change
  readonly probes?: typeof SOON
  /** How long an exit may take. */
  readonly proxies?: typeof PATIENT
}

/** A gateway whose account `alice` has 100 MB, with exits of these protocols. */
async function withExits(
  protocols: readonly ('http' | 'socks5')[],
  { change = (url) => ({ url }), probes = SOON, proxies = PATIENT }: Options = {},
) {
  const [shop, origin] = await Promise.all([gatewayShop(), startOrigin()])
  const exits = await Promise.all(protocols.map((protocol) => startExit(origin, protocol)))
  shop.set('alice', { remaining_bytes: 100 * MB })
  shop.setExits(exits.map(({ url }, index) => change(url, index)))
  const gateway = await testGateway({ shop, origin, times: { probes, proxies, alone: ALONE } })
  await gateway.isReady()
  return { shop, origin, exits, gateway }
}

const lastReport = (shop: Awaited<ReturnType<typeof gatewayShop>>, id: number) =>
  shop.counted.flatMap(({ batch }) => batch.exits).findLast((report) => report.id === id)

/** How many tunnels each exit gets of so many. */
async function spread(gateway: { port: number }, exits: readonly Exit[], username: string, count: number) {
  const before = exits.map(({ usernames }) => usernames.length)
  for (let index = 0; index < count; index += 1) (await opened(gateway, username)).destroy()
  return exits.map(({ usernames }, index) => usernames.length - (before[index] ?? 0))
}

/** The answer to a client, without the connection. */
async function answer(gateway: { port: number }, username = 'alice', host?: string) {
  const { status, reason } = await tunnel(gateway, username, host)
  return { status, reason }
}

describe('exits that are proxies', () => {
  test.each(['http', 'socks5'] as const)('carry tunnels by %s', async (protocol) => {
    const { gateway, shop } = await withExits([protocol])
    const bytes = await download(await opened(gateway, 'alice'), MB)
    expect(bytes).toBeGreaterThan(MB)
    await expect.poll(() => shop.used('alice'), PATIENCE).toBe(bytes)
    expect(lastReport(shop, 1)).toMatchObject({ healthy: true, reason: null })
  })

  test('take turns without a session', async () => {
    const { gateway, exits } = await withExits(['http', 'socks5', 'http'])
    expect(await spread(gateway, exits, 'alice', 9)).toEqual([3, 3, 3])
  })

  test('stay the same for a session', async () => {
    const { gateway, exits } = await withExits(['http', 'socks5', 'http'])
    for (const session of ['abcdef', 'ghijkl', 'mnopqr'])
      expect((await spread(gateway, exits, `alice-session-${session}`, 4)).toSorted((a, b) => a - b)).toEqual(
        [0, 0, 4],
      )
  })

  test('stay the same for a session until its lifetime is over, which use does not prolong', async () => {
    const { gateway, exits } = await withExits(['http', 'http'], { probes: NEVER })
    const asked = () => spread(gateway, exits, 'alice-session-abcdef-lifetime-5', 1)
    const begun = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(begun)
    const first = await asked()
    vi.spyOn(performance, 'now').mockReturnValue(begun + 4.9 * MINUTE)
    expect(await asked()).toEqual(first)
    vi.spyOn(performance, 'now').mockReturnValue(begun + 5 * MINUTE)
    expect(await asked()).toEqual(first.toReversed())
    vi.spyOn(performance, 'now').mockReturnValue(begun + 9.9 * MINUTE)
    expect(await asked()).toEqual(first.toReversed())
  })

  test('serve the places where they are only', async () => {
    const places = ['us', 'de', null]
    const change: Change = (url, index) => ({
      url,
      country: places[index] ?? null,
      city: index === 1 ? 'berlin' : null,
    })
    const { gateway, exits } = await withExits(['http', 'http', 'http'], { change })
    expect(await spread(gateway, exits, 'alice-country-US', 3)).toEqual([3, 0, 0])
    expect(await spread(gateway, exits, 'alice-country-de', 3)).toEqual([0, 3, 0])
    expect(await spread(gateway, exits, 'alice-city-berlin', 3)).toEqual([0, 3, 0])
    expect(await spread(gateway, exits, 'alice', 3)).toEqual([1, 1, 1])
    expect(await answer(gateway, 'alice-country-fr')).toEqual({ status: 503, reason: 'no_exit' })
    const { message } = await tunnel(gateway, 'alice-country-us-city-berlin')
    expect(message).toBe('no exit in berlin, us works at the moment')
    // The product lists no cities: nobody knows that there is none of this name.
    expect(await tunnel(gateway, 'alice-city-atlantis')).toMatchObject({
      status: 503,
      reason: 'no_exit',
      message: 'no exit in atlantis works at the moment',
    })
  })

  test('are not used while they are paused', async () => {
    const { gateway, exits, shop } = await withExits(['http', 'http'])
    shop.setExits(exits.map(({ url }, index) => ({ url, status: index === 0 ? 'paused' : 'active' })))
    await expect.poll(() => spread(gateway, exits, 'alice', 4), PATIENCE).toEqual([0, 4])
  })
})

describe("a vendor's gateway", () => {
  const template = '{user}-cc-{country}-city-{city}-sid-{session}-time-{lifetime}'
  const change: Change = (url) => ({ url, kind: 'vendor', template })

  test('learns from the username what is wanted', async () => {
    const { gateway, exits } = await withExits(['http'], { change })
    const [vendor] = exits
    await spread(gateway, exits, 'alice', 1)
    await spread(gateway, exits, 'alice-country-us', 1)
    await spread(gateway, exits, 'alice-country-us-city-miami-session-abcdef-lifetime-5', 1)
    expect(vendor?.usernames.slice(-3)).toEqual([
      'user',
      'user-cc-us',
      expect.stringMatching(/^user-cc-us-city-miami-sid-[\da-f]{12}-time-5$/),
    ])
  })

  test('gets another session for each account, and the same one again', async () => {
    const { gateway, exits, shop } = await withExits(['http'], { change })
    shop.set('bob', { remaining_bytes: MB })
    await expect.poll(() => answer(gateway, 'bob'), PATIENCE).toMatchObject({ status: 200 })
    const [vendor] = exits
    for (const name of ['alice', 'bob', 'alice']) await spread(gateway, exits, `${name}-session-abcdef`, 1)
    const [first, second, third] = vendor?.usernames.slice(-3) ?? []
    expect(third).toBe(first)
    expect(second).not.toBe(first)
  })

  test('serves no place that its username cannot name', async () => {
    const { gateway } = await withExits(['http'], {
      change: (url) => ({ url, kind: 'vendor', template: '{user}' }),
    })
    expect(await answer(gateway, 'alice-country-us')).toEqual({ status: 503, reason: 'no_exit' })
  })
})

describe('an exit that fails', () => {
  test('is replaced by another one before the client notices', async () => {
    const { gateway, exits, shop } = await withExits(['http', 'socks5'], { probes: NEVER })
    const [broken] = exits
    await broken?.close()
    expect(await spread(gateway, exits, 'alice', 6)).toEqual([0, 6])
    await expect
      .poll(() => lastReport(shop, 1), PATIENCE)
      .toMatchObject({
        healthy: false,
        reason: 'no connection (ECONNREFUSED)',
      })
    expect(gateway.lines.join('')).toContain('an exit is unhealthy')
  })

  test.each(['http', 'socks5'] as const)(
    'by resetting connections in the handshake is stepped over and counted, by %s',
    async (protocol) => {
      const { gateway, exits, shop } = await withExits([protocol, 'http'], { probes: NEVER })
      const [broken] = exits
      if (broken) broken.fault = 'resets'
      expect(await spread(gateway, exits, 'alice', 6)).toEqual([0, 6])
      const reports = () => shop.counted.flatMap(({ batch }) => batch.exits).filter(({ id }) => id === 1)
      await expect
        .poll(() => reports().reduce((sum, { errors }) => sum + errors, 0), PATIENCE)
        .toBeGreaterThan(4)
      expect(gateway.lines.join('')).not.toContain('unexpectedly')
    },
  )

  test('takes its sessions along to another one, where they stay', async () => {
    const { gateway, exits } = await withExits(['http', 'http'])
    const username = 'alice-session-abcdef'
    const before = await spread(gateway, exits, username, 2)
    const used = before.indexOf(2)
    const [first, second] = [exits[used], exits[1 - used]]
    if (first) first.fault = 'broken'
    await expect.poll(() => answer(gateway, username), PATIENCE).toMatchObject({ status: 200 })
    if (first) first.fault = undefined
    const count = second?.usernames.length ?? 0
    await spread(gateway, exits, username, 3)
    expect(second?.usernames.length).toBe(count + 3)
  })

  test('and is the only one is told to the client', async () => {
    const { gateway, exits } = await withExits(['http'], { probes: NEVER })
    await exits[0]?.close()
    for (let index = 0; index < 3; index += 1)
      expect(await answer(gateway)).toEqual({ status: 502, reason: 'exit_failed' })
    // After three failures it is not even tried.
    expect(await answer(gateway)).toEqual({ status: 503, reason: 'no_exit' })
  })

  test('comes back when a probe succeeds', async () => {
    const { gateway, exits, shop } = await withExits(['http'])
    const [exit] = exits
    if (exit) exit.fault = 'broken'
    await expect.poll(() => answer(gateway), PATIENCE).toEqual({ status: 503, reason: 'no_exit' })
    await expect.poll(() => lastReport(shop, 1)?.healthy, PATIENCE).toBe(false)
    if (exit) exit.fault = undefined
    await expect.poll(() => answer(gateway), PATIENCE).toEqual({ status: 200, reason: undefined })
    await expect.poll(() => lastReport(shop, 1)?.healthy, PATIENCE).toBe(true)
  })

  test.each(['http', 'socks5'] as const)(
    'with our credentials by %s never asks the client for credentials',
    async (protocol) => {
      const { gateway, exits, shop } = await withExits([protocol], { probes: NEVER })
      const [exit] = exits
      if (exit) exit.fault = 'credentials'
      expect(await answer(gateway)).toEqual({ status: 502, reason: 'exit_failed' })
      // Once is enough.
      expect(await answer(gateway)).toEqual({ status: 503, reason: 'no_exit' })
      await expect.poll(() => lastReport(shop, 1)?.healthy, PATIENCE).toBe(false)
      const log = gateway.lines.join('')
      expect(log).toContain('an exit refuses us')
      expect(log).not.toContain('pass@')
      expect(JSON.stringify(shop.counted)).not.toContain('pass')
    },
  )

  test('by being silent costs 504', async () => {
    const { gateway, exits } = await withExits(['http'], { probes: NEVER, proxies: IMPATIENT })
    const [exit] = exits
    if (exit) exit.fault = 'silent'
    expect(await answer(gateway)).toEqual({ status: 504, reason: 'exit_timeout' })
  })

  test('is found by its probe when nobody can tell whose fault it is', async () => {
    const { gateway, exits } = await withExits(['http'], { proxies: IMPATIENT })
    const [exit] = exits
    if (exit) exit.fault = 'silent'
    await expect.poll(() => answer(gateway), PATIENCE).toEqual({ status: 503, reason: 'no_exit' })
  })

  test('has an address where nobody is', async () => {
    const { gateway, shop } = await withExits(['http'], { probes: NEVER })
    shop.setExits([{ url: `http://user:pass@127.0.0.1:${await freePort()}` }])
    await expect.poll(() => answer(gateway), PATIENCE).toEqual({ status: 502, reason: 'exit_failed' })
  })
})

describe('a target that is dead', () => {
  test.each(['http', 'socks5'] as const)('takes no exit away from others, by %s', async (protocol) => {
    const { gateway, shop } = await withExits([protocol])
    for (let index = 0; index < 10; index += 1)
      expect(await answer(gateway, 'alice', DEAD)).toEqual({ status: 502, reason: 'target_unreachable' })
    expect(await answer(gateway)).toEqual({ status: 200, reason: undefined })
    await expect.poll(() => lastReport(shop, 1), PATIENCE).toMatchObject({ healthy: true })
  })

  test.each(['localhost', 'intranet', 'printer.local', 'db.internal', '127.0.0.1', '0x7f.1', '[::1]'])(
    'because it is %s is never asked for',
    async (host) => {
      const { gateway, exits } = await withExits(['http'])
      expect(await answer(gateway, 'alice', host)).toEqual({ status: 403, reason: 'target_refused' })
      expect(exits[0]?.usernames).toHaveLength(1)
    },
  )
})
