import { describe, expect, it, vi } from 'vitest'
import { HANG_MS } from '../support/patience.ts'
import { createPhone } from '../support/phone.ts'
import type { ProductProcess } from '../support/process.ts'
import { ANN } from '../support/product.ts'
import { TETHER } from '../support/tethered.ts'
import { leads, metricOf, openSeveralShop, withoutPostgres } from './several-shop.ts'

/** Seldom, as looking counts. */
const MEASURED = { timeout: HANG_MS, interval: 500 }
const OTHER_CLOCK = new URL('../support/other-clock.mjs', import.meta.url).href
/** By how many seconds the clock of a server is ahead. */
const OFFSET = 'reseller_clock_offset_seconds'
const WARNING = 'the clock of this machine differs from that of the database'

describe.skipIf(withoutPostgres)('a server whose machine has the wrong time', () => {
  it('warns once, and the operator is told, whichever server leads', { timeout: 120_000 }, async () => {
    const shop = await openSeveralShop(0, { OPERATOR_CHAT_IDS: String(ANN.id) })
    const right = await shop.start()
    await vi.waitUntil(() => leads(right), MEASURED)
    const behind = await shop.start({
      CLOCK_OFFSET_MS: '-60000',
      NODE_OPTIONS: `${TETHER} --import ${OTHER_CLOCK}`,
    })
    const measured = new Set<number>()
    await vi.waitUntil(async () => measured.add(await metricOf(behind, OFFSET)).size > 3, MEASURED)
    expect(Math.min(...measured)).toBeLessThan(-50)
    expect(behind.output().split(WARNING)).toHaveLength(2)
    expect(await healthOf(behind)).toMatchObject({ status: 'degraded', checks: { clock: 'degraded' } })

    expect(Math.abs(await metricOf(right, OFFSET))).toBeLessThan(50)
    expect(right.output()).not.toContain(WARNING)
    expect(await healthOf(right)).toMatchObject({ checks: { clock: 'ok' } })

    for (const [server, isLeader] of [
      [right, 1],
      [behind, 0],
    ] as const) {
      expect(await metricOf(server, 'server_leads')).toBe(isLeader)
      await vi.waitUntil(async () => (await metricOf(server, 'reseller_servers_alive')) === 2, MEASURED)
    }
    const phone = createPhone(shop.telegram, ANN)
    phone.send('/operator')
    await phone.waitFor('Operator')
    await phone.press('⚙️ Set-up')
    await phone.press('🩺 Health')
    await phone.waitFor('⚠️ Servers: 2 running, the clock of 1 is wrong')
  })
})

async function healthOf({ address }: ProductProcess): Promise<unknown> {
  const response = await fetch(`${address}/readyz`)
  expect(response.status).toBe(200)
  return response.json()
}
