import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/core/access/actor.ts'
import { listStaticOrders } from '../../../src/core/orders/list-static-orders.ts'
import { staticOrderStatistics } from '../../../src/core/orders/static-order-statistics.ts'
import { sweepStaticOrders } from '../../../src/core/orders/sweep-static-orders.ts'
import { plantOrders } from '../../support/many-orders.ts'
import { onPostgres } from '../../support/postgres.ts'
import { plansOf } from '../../support/query-plans.ts'
import { openService } from '../../support/service.ts'
import { withTurns } from '../../support/turns.ts'

/** A service, and the way to learn how SQLite carries out the statements of a use case. */
async function planned() {
  const service = await openService()
  const agent = await service.agent()
  const user = await service.customer(agent)
  await service.product()
  return {
    ...service,
    agent,
    user,
    plansOf: (useCase: Parameters<typeof plansOf>[1]) => plansOf(service, useCase),
  }
}

/** Reading all of a table that grows with every order. */
const FULL_SCAN = /^SCAN (o|i|s|static_orders|instances|stock_ips)(?! USING)/

describe.skipIf(onPostgres)('what is asked again and again', () => {
  it('the list reads no table from end to end, whatever is asked for', async () => {
    const { plansOf, db, agent, user } = await planned()
    await plantOrders(db, 1, [user.id])
    for (const filter of [
      {},
      { page: 50 },
      { status: 'active' },
      { filter: 'active' },
      { filter: 'processing' },
      { filter: 'expiring' },
      { filter: 'expired' },
      { filter: 'recycle' },
      { orderNo: 'mine' },
      { userId: 2 },
      { search: '10.0.0.1:8000:user:pass' },
      { search: '10.0.0.1\n10.0.0.2\nS2026' },
      { search: 'part' },
      { region: 'US' },
      { updatedSince: '2026-01-01T00:00:00.000Z' },
      { createdStart: '2026-01-01', createdEnd: '2026-01-02' },
      { expireStart: '2026-01-01', expireEnd: '2026-01-02' },
    ] as const)
      for (const actor of [agent, user] satisfies Actor[])
        for (const showRecycleBin of [true, false]) {
          const plans = await plansOf((deps) => listStaticOrders(deps, actor, { ...filter, showRecycleBin }))
          const scans = plans.filter((plan) => FULL_SCAN.test(plan))
          expect({ filter, scans }).toEqual({ filter, scans: [] })
        }
  })

  it('a page is found by an index of the users, and its rows by their ids', async () => {
    const { plansOf, db, user } = await planned()
    await plantOrders(db, 1, [user.id])
    const plans = await plansOf((deps) => listStaticOrders(deps, user))
    expect(plans).toContain('SEARCH o USING COVERING INDEX static_orders_user_id_id_idx (user_id=?)')
    expect(plans).toContain('SEARCH o USING INTEGER PRIMARY KEY (rowid=?)')
  })

  it('statistics are counted in indexes alone', async () => {
    const { plansOf, agent, user } = await planned()
    for (const actor of [agent, user]) {
      const plans = await plansOf((deps) => staticOrderStatistics(deps, actor))
      expect(plans.filter((plan) => / (o|i) /.test(plan) && !plan.includes('COVERING INDEX'))).toEqual([])
    }
  })

  it('the loop looks into its own small indexes', async () => {
    const { plansOf } = await planned()
    const plans = (await plansOf(sweepStaticOrders)).filter((plan) => /^(SCAN|SEARCH) i\b/.test(plan))
    expect(plans).toEqual([
      'SEARCH i USING INDEX instances_to_renew (expire_time>? AND expire_time<?)',
      'SEARCH i USING INDEX instances_to_expire (expire_time<?)',
      'SEARCH i USING INDEX instances_in_grace (expire_time<?)',
    ])
  })
})

describe('with many orders', () => {
  it('a part is searched for in steps, between which others get their turn', async () => {
    const { core, db, user } = await planned()
    await plantOrders(db, 12_000, [user.id])
    const { result, turns } = await withTurns(() =>
      core.orders.listStatic(user, { search: 'pass119', pageSize: 5 }),
    )
    const { total, items } = result
    expect(total).toBe(1 + 10 + 98)
    expect(items.map(({ remark }) => remark)).toEqual(
      [11_999, 11_998, 11_997, 11_996, 11_995].map((n) => `remark ${n}`),
    )
    expect(turns).toBeGreaterThanOrEqual(2)
  })

  it('all that a jump of the clock leaves behind expires, batch by batch, and its orders follow', async () => {
    const { core, db, user, clock } = await planned()
    await plantOrders(db, 1_500, [user.id])
    clock.set('2025-02-15T00:00:00.000Z')
    await core.jobs.sweepStaticOrders()
    expect((await core.orders.staticStatistics(user)).instances).toEqual({
      total: 3000,
      active: 2940,
      expired: 30,
      released: 30,
    })
    clock.set('2025-03-02T12:30:00.000Z')
    await core.jobs.sweepStaticOrders()
    // One a minute: those of the first 750 minutes of 1 January, plus 60 days, but for the cancelled ones.
    expect(await db.read.instance.count({ where: { status: 'expired', order: { id: { lte: 750 } } } })).toBe(
      (750 - 8) * 2,
    )
    clock.advance(400 * 86_400_000)
    await core.jobs.sweepStaticOrders()
    expect(await core.orders.staticStatistics(user)).toMatchObject({
      active: 0,
      expired: 1485,
      cancelled: 15,
      instances: { active: 0, expired: 2970, released: 30 },
    })
    expect(await db.read.instance.count({ where: { releasedAt: null } })).toBe(0)
  })
})
