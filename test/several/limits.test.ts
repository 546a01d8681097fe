import { describe, expect, it, vi } from 'vitest'
import { HANG_MS, PATIENCE } from '../support/patience.ts'
import type { ProductProcess } from '../support/process.ts'
import { AGENT } from '../support/product.ts'
import { ORDER, post } from './buyer.ts'
import { openSeveralShop, withoutPostgres } from './several-shop.ts'

/** Of the wrong passwords for one username from one network. */
const GUESSES = 10
/** Requests of an account a minute. */
const READS = 40
/** Seldom, as looking counts. */
const NOTICED = { timeout: HANG_MS, interval: 500 }

describe.skipIf(withoutPostgres)('limits of several servers', () => {
  it('hold for wrong passwords, whichever server is asked', { timeout: 120_000 }, async () => {
    const shop = await openSeveralShop(1)
    const [first, second] = await Promise.all([shop.start(), shop.start()])
    const statuses = await Promise.all(
      Array.from({ length: 3 * GUESSES }, (_, index) => guess(index % 2 === 0 ? first : second)),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(GUESSES)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * GUESSES)

    // It is known, too, to a server that was not there.
    const third = await shop.start()
    expect(await guess(third)).toBe(429)
  })

  it('refuse no right password for its number', { timeout: 120_000 }, async () => {
    const shop = await openSeveralShop(1)
    const servers = await Promise.all([shop.start(), shop.start()])
    const tokens = await Promise.all(
      Array.from({ length: 3 * GUESSES }, (_, index) =>
        post<{ token: string }>(servers[index % 2] ?? servers[0], '/auth/login', AGENT),
      ),
    )
    expect(tokens).toHaveLength(3 * GUESSES)
  })

  it(
    'hold for checks of a proxy: one a minute, whichever server is asked',
    { timeout: 120_000 },
    async () => {
      const shop = await openSeveralShop(1, { CHECK_ECHO_URL: 'https://echo.example' })
      const servers = await Promise.all([shop.start(), shop.start()])
      const { token } = await post<{ token: string }>(servers[0], '/auth/login', AGENT)
      await post(servers[0], '/open/app/static/order/create-standard/v2', ORDER, { token })
      const instanceNo = await vi.waitUntil(
        async () => (await shop.db.read.instance.findFirst())?.instanceNo,
        PATIENCE,
      )
      const check = async ({ address }: ProductProcess) =>
        (
          await fetch(`${address}/api/open/app/static/instances/${instanceNo}/check`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
          })
        ).status
      const statuses = await Promise.all(servers.flatMap((server) => [check(server), check(server)]))
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 429, 429, 429])
    },
  )

  it('hold for requests: each server lets its share through', { timeout: 120_000 }, async () => {
    const shop = await openSeveralShop(1, { RATE_LIMIT_READS: String(READS) })
    const [first, second] = await Promise.all([shop.start(), shop.start()])
    const { token } = await post<{ token: string }>(first, '/auth/login', AGENT)
    const read = ({ address }: ProductProcess) =>
      fetch(`${address}/api/open/app/user/balance/current`, { headers: { authorization: `Bearer ${token}` } })
    const limitOf = async (server: ProductProcess) => (await read(server)).headers.get('ratelimit-limit')
    for (const server of [first, second])
      await vi.waitUntil(async () => (await limitOf(server)) === String(READS / 2), NOTICED)

    const answers = await Promise.all(
      Array.from({ length: 2 * READS }, (_, index) => read(index % 2 === 0 ? first : second)),
    )
    const through = answers.filter(({ ok }) => ok).length
    expect(through).toBeGreaterThan(0)
    expect(through).toBeLessThanOrEqual(READS)

    expect(await second.terminate()).toBe(0)
    await vi.waitUntil(async () => (await limitOf(first)) === String(READS), NOTICED)
  })
})

async function guess({ address }: ProductProcess): Promise<number> {
  const { status } = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...AGENT, password: 'wrong' }),
  })
  return status
}
