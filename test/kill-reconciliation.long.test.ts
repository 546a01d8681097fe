import { expect, test, vi } from 'vitest'
import { systemClock } from '../src/core/clock.ts'
import { createTronEmulator } from '../src/emulators/tron/tron-emulator.ts'
import { type KillPoint, killPoints } from './support/kill-points.ts'
import { PATIENCE } from './support/patience.ts'
import { openShopToKill } from './support/shop-to-kill.ts'
import { openSuppliedShopToKill } from './support/supplied-shop-to-kill.ts'
import { API_KEY, serve, WALLET } from './support/top-ups.ts'

const OPERATORS = { OPERATOR_CHAT_IDS: '700' }
const HOUR_MS = 60 * 60_000
/** Where a comparison ends. */
const points = (recorded: string): readonly KillPoint[] => [
  { statement: '^insert into "notices"', count: 1, moment: 'before' },
  { statement: '^insert into "notices"', count: 1, moment: 'committed' },
  { statement: recorded, count: 1, moment: 'before' },
  { statement: recorded, count: 1, moment: 'committed' },
]

test('a kill in the middle of a comparison with the chain tells of a difference once', async () => {
  const tron = createTronEmulator({ clock: systemClock, wallet: WALLET })
  const watch = await killPoints()
  const {
    beside: { rows },
    start,
  } = await openShopToKill([], {
    ...OPERATORS,
    ...watch.settings,
    USDT_WALLET: WALLET,
    TRON_API_URL: await serve(tron),
    TRON_API_KEY: API_KEY,
  })
  const scans = async () => (await rows<{ scans: number }>('SELECT scans FROM chain_scans'))[0]?.scans ?? 0
  const ago = (ms: number) => `'${new Date(Date.now() - ms).toISOString()}'`
  const makeDue = () => rows(`UPDATE chain_scans SET last_sweep_at = ${ago(HOUR_MS)} RETURNING id`)
  /** Starts the shop, which compares. */
  const startAndCompare = async () => {
    const before = await scans()
    const shop = await start()
    await vi.waitUntil(async () => (await scans()) > before, PATIENCE)
    return shop
  }

  let shop = await startAndCompare()
  for (const [index, point] of points('^update "chain_scans" set "balance_units"').entries()) {
    await shop.kill()
    await rows(
      `UPDATE chain_scans SET balance_units = '${index + 1}', reconciled_at = ${ago(3 * HOUR_MS)} RETURNING id`,
    )
    await makeDue()
    watch.set(point)
    // It may end before it is ready.
    const [started] = await Promise.allSettled([start()])
    await vi.waitUntil(() => !watch.isSet(), PATIENCE)
    if (started.status === 'fulfilled') await started.value.kill()
    await makeDue()
    shop = await startAndCompare()
    const told = await rows("SELECT 1 FROM notices WHERE kind = 'reconciliation_mismatch'")
    expect([point, told.length]).toEqual([point, index + 1])
  }
})

test('a kill in the middle of a comparison with a supplier tells of a difference once', async () => {
  const shop = await openSuppliedShopToKill(OPERATORS)
  const { supplier, rows, killAt, restart } = shop
  for (const [index, point] of points('^update "supplier_connections" set "reconciled_at"').entries()) {
    await shop.kill()
    supplier.openElsewhere('us_la_30', 1)
    await rows('UPDATE supplier_connections SET reconciled_at = NULL RETURNING id')
    const killed = killAt(point)
    // It may end before it is ready.
    await Promise.allSettled([restart()])
    await killed()
    await restart()
    await vi.waitUntil(
      async () => (await rows('SELECT 1 FROM supplier_connections WHERE reconciled_at IS NULL')).length === 0,
      PATIENCE,
    )
    const told = await rows("SELECT 1 FROM notices WHERE kind = 'supplier_differences'")
    expect([point, told.length]).toEqual([point, index + 1])
  }
})
