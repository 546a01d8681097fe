import { expect, it } from 'vitest'
import { createCore } from '../../../src/core/core.ts'
import type { Database, ReadClient } from '../../../src/core/database/database.ts'
import { plantOrders } from '../../support/many-orders.ts'
import { JWT_SECRET, openService } from '../../support/service.ts'
import { withTurns } from '../../support/turns.ts'
import { rowsOf } from '../../support/raw-rows.ts'

/** What the warnings cost when all of a user's orders renew themselves within the same days, which nothing pays for. */
async function warningsOf(orders: number) {
  const { db, clock, customer, product } = await openService()
  const user = await customer(null)
  await product()
  await plantOrders(db, orders, [user.id])
  const expireTime = new Date(clock.now().getTime() + 71 * 3_600_000).toISOString()
  await db.write(async (tx) => {
    await rowsOf(tx)`UPDATE static_orders SET status = 'active'`
    await rowsOf(
      tx,
    )`UPDATE instances SET status = 'active', released_at = NULL, auto_renew = true, expire_time = ${expireTime}`
    await rowsOf(tx)`INSERT INTO chats (id, language, account_id, created_at, updated_at)
                         VALUES (7, 'en', ${user.id}, ${clock.now()}, ${clock.now()})`
    await rowsOf(tx)`INSERT INTO log_ins (chat_id, account_id, account_version, created_at, used_at)
                         VALUES (7, ${user.id}, 1, ${clock.now()}, ${clock.now()})`
  })
  let statements = 0
  const read = {
    ...db.read,
    $run: (...query: Parameters<ReadClient['$run']>) => {
      statements += 1
      return db.read.$run(...query)
    },
  } as unknown as Database['read']
  const options = { clock, suppliers: {}, currency: 'USD', jwtSecret: JWT_SECRET, jwtTtl: 60 }
  const core = createCore({ db: { ...db, read }, ...options })
  const { turns } = await withTurns(async () => {
    for (const sweep of core.jobs.noticeSweeps) await sweep()
  })
  const told = await db.read.notice.findMany({ select: { kind: true, data: true } })
  return { statements, turns, told }
}

it('looks at each order of a user once, however many renew themselves, and others get their turn meanwhile', async () => {
  const few = await warningsOf(20)
  const many = await warningsOf(80)
  expect(many.statements).toBeLessThan(5 * few.statements)
  expect(many.turns).toBeGreaterThanOrEqual(80)
  expect(many.told.filter(({ kind }) => kind === 'low_balance')).toHaveLength(1)
  const warnings = many.told.filter(({ kind }) => kind === 'expiring_72h')
  expect(warnings).toHaveLength(80)
  // All of them fall due at once: each lacks the price of all, two months for each of two proxies.
  for (const { data } of warnings)
    expect(JSON.parse(data)).toMatchObject({ count: 2, shortfall: 80 * 4_000_000 })
})
