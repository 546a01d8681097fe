import { expect, it } from 'vitest'
import { dueCalls, supplierLanes } from '../../../src/core/supply/due-calls.ts'
import { plansOf } from '../../support/query-plans.ts'
import { otherConnection } from '../../support/service.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'

const OPEN =
  'SEARCH supplier_calls USING INDEX supplier_calls_open (connection_id=? AND next_at>? AND next_at<?)'

it('what the lanes ask again and again reads an index of open calls, however many there are', async () => {
  const shop = await suppliedShop()
  const { connectionId } = shop
  const plans = await plansOf(shop, (deps) => supplierLanes(deps))
  expect(plans.filter((plan) => /\bc\b/.test(plan))).toEqual([
    'SEARCH c USING COVERING INDEX supplier_calls_open (connection_id=? AND next_at>?)',
  ])
  for (const paused of [false, true])
    expect(await plansOf(shop, (deps) => dueCalls(deps, { connectionId, paused, limit: 8 }))).toEqual([
      OPEN,
      OPEN,
    ])
})

it('10,000 open calls are polled by age, and releases come last', async () => {
  const { order, buyer, core, path, connectionId, clock, step, supplier } = await suppliedShop()
  supplier.behaviour.immediate = false
  const { orderNo } = await order(buyer)
  await step()
  const later = clock.now().getTime() + 60_000
  otherConnection(path).exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
    INSERT INTO supplier_calls (call_no, connection_id, kind, state, subject, order_id, request, count, next_at,
      created_at, updated_at)
    SELECT 'many-' || i, c.connection_id, iif(i % 2 = 0, 'release', 'open'), c.state, 'many-' || i, c.order_id, c.request, 1,
      strftime('%Y-%m-%dT%H:%M:%fZ', ${later} / 1000.0 + i / 1000.0, 'unixepoch'), c.created_at, c.updated_at
    FROM n CROSS JOIN supplier_calls AS c WHERE c.call_no = '${orderNo}'`)
  clock.set(new Date(later + 9_999).toISOString())
  const due = await core.supply.due({ connectionId, limit: 3 })
  expect(due.map(({ callNo }) => callNo)).toEqual([orderNo, 'many-1', 'many-3'])
  const all = await core.supply.due({ connectionId, limit: 5_003 })
  expect(all.slice(-3).map(({ callNo }) => callNo)).toEqual(['many-9999', 'many-0', 'many-2'])
})
