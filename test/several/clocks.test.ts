import { describe, expect, it, vi } from 'vitest'
import { HANG_MS } from '../support/patience.ts'
import type { ProductProcess } from '../support/process.ts'
import { TETHER } from '../support/tethered.ts'
import { openSeveralShop, withoutPostgres } from './several-shop.ts'

/** Seldom, as looking counts. */
const MEASURED = { timeout: HANG_MS, interval: 500 }
const METRICS_TOKEN = 'metrics-token-of-the-tests'
const OTHER_CLOCK = new URL('../support/other-clock.mjs', import.meta.url).href
const WARNING = 'the clock of this machine differs from that of the database'

describe.skipIf(withoutPostgres)('a server whose machine has the wrong time', () => {
  it('warns once, and says so in its metrics and its health', { timeout: 120_000 }, async () => {
    const shop = await openSeveralShop(0, { METRICS_TOKEN })
    const right = await shop.start()
    const behind = await shop.start({
      CLOCK_OFFSET_MS: '-60000',
      NODE_OPTIONS: `${TETHER} --import ${OTHER_CLOCK}`,
    })
    const measured = new Set<number>()
    await vi.waitUntil(async () => measured.add(await offsetOf(behind)).size > 3, MEASURED)
    expect(Math.min(...measured)).toBeLessThan(-50)
    expect(behind.output().split(WARNING)).toHaveLength(2)
    expect(await healthOf(behind)).toMatchObject({ status: 'degraded', checks: { clock: 'degraded' } })

    expect(Math.abs(await offsetOf(right))).toBeLessThan(50)
    expect(right.output()).not.toContain(WARNING)
    expect(await healthOf(right)).toMatchObject({ checks: { clock: 'ok' } })
  })
})

/** By how many seconds the clock of a server is ahead. */
async function offsetOf({ address }: ProductProcess): Promise<number> {
  const response = await fetch(`${address}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  return Number(/^clock_offset_seconds (\S+)$/m.exec(await response.text())?.[1])
}

async function healthOf({ address }: ProductProcess): Promise<unknown> {
  const response = await fetch(`${address}/readyz`)
  expect(response.status).toBe(200)
  return response.json()
}
