import { expect, test } from 'vitest'
import { plantRows } from '../../support/plant-rows.ts'
import { openService } from '../../support/service.ts'
import { fastestOf } from '../../support/times.ts'

test('A large stock is not looked through for an order', async () => {
  const { db, agent, product, stock, order } = await openService()
  for (const [poolId, addresses] of [
    ['small', 100],
    ['large', 1],
  ] as const) {
    await product(poolId)
    await stock(poolId, addresses)
  }
  const buyer = await agent({ balance: 100 })
  const { id } = await db.read.location.findFirstOrThrow({ orderBy: { id: 'desc' } })
  const addresses = Array.from({ length: 50_000 }, (_, n) => ({
    locationId: id,
    ip: `10.9.${n >> 8}.${n & 255}`,
    port: 1,
    username: 'u',
    password: 'p',
    network: `10.9.${n >> 8}.`,
    createdAt: '',
  }))
  await db.write((tx) => plantRows(tx, 'stockIps', addresses))
  const [ofFew = 0, ofMany = 0] = await fastestOf(
    5,
    () => order(buyer, { poolId: 'small', ipCount: 10 }),
    () => order(buyer, { poolId: 'large', ipCount: 10 }),
  )
  expect(await db.read.stockIp.count({ where: { orderId: { not: null } } })).toBe(100)
  expect(ofMany).toBeLessThan(3 * ofFew)
})
