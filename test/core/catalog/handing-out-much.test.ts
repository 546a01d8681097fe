import { expect, test } from 'vitest'
import { openService, otherConnection } from '../../support/service.ts'
import { fastestOf } from '../../support/times.ts'

test('A large stock is not looked through for an order', async () => {
  const { path, db, agent, product, stock, order } = await openService()
  for (const [poolId, addresses] of [
    ['small', 100],
    ['large', 1],
  ] as const) {
    await product(poolId)
    await stock(poolId, addresses)
  }
  const buyer = await agent({ balance: 100 })
  otherConnection(path)
    .exec(`WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 49999)
    INSERT INTO stock_ips (location_id, ip, port, username, password, network, created_at)
    SELECT (SELECT max(id) FROM locations), format('10.9.%d.%d', n >> 8, n & 255), 1, 'u', 'p', format('10.9.%d.', n >> 8), ''
    FROM numbers`)
  const [ofFew = 0, ofMany = 0] = await fastestOf(
    5,
    () => order(buyer, { poolId: 'small', ipCount: 10 }),
    () => order(buyer, { poolId: 'large', ipCount: 10 }),
  )
  expect(await db.read.stockIp.count({ where: { orderId: { not: null } } })).toBe(100)
  expect(ofMany).toBeLessThan(3 * ofFew)
})
