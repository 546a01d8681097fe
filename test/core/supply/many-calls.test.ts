import { expect, it } from 'vitest'
import { dueCalls, supplierLanes } from '../../../src/core/supply/due-calls.ts'
import { plantRows } from '../../support/plant-rows.ts'
import { onPostgres } from '../../support/postgres.ts'
import { plansOf } from '../../support/query-plans.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'

const OPEN =
  'SEARCH supplier_calls USING INDEX supplier_calls_open (connection_id=? AND next_at>? AND next_at<?)'

it.skipIf(onPostgres)(
  'what the lanes ask again and again reads an index of open calls, however many there are',
  async () => {
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
  },
)

it('10,000 open calls are polled by age, and releases come last', async () => {
  const { order, buyer, core, db, connectionId, clock, step, supplier } = await suppliedShop()
  supplier.behaviour.immediate = false
  const { orderNo } = await order(buyer)
  await step()
  const later = clock.now().getTime() + 60_000
  const call = await db.read.supplierCall.findUniqueOrThrow({ where: { callNo: orderNo } })
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    callNo: `many-${index}`,
    connectionId,
    kind: index % 2 === 0 ? ('release' as const) : ('open' as const),
    state: call.state,
    subject: `many-${index}`,
    orderId: call.orderId,
    request: call.request,
    count: 1,
    nextAt: new Date(later + index).toISOString(),
    createdAt: call.createdAt.toISOString(),
    updatedAt: call.updatedAt.toISOString(),
  }))
  await db.write((tx) => plantRows(tx, 'supplierCalls', many))
  clock.set(new Date(later + 9_999).toISOString())
  const due = await core.supply.due({ connectionId, limit: 3 })
  expect(due.map(({ callNo }) => callNo)).toEqual([orderNo, 'many-1', 'many-3'])
  const all = await core.supply.due({ connectionId, limit: 5_003 })
  expect(all.slice(-3).map(({ callNo }) => callNo)).toEqual(['many-9999', 'many-0', 'many-2'])
})
