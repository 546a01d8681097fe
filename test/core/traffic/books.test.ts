import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, refused, tally } from '../../support/service.ts'
import { trafficBooksBalance } from './books-in-any-order.ts'

describe('whatever is bought, used, allocated, taken back and deleted, in whatever order and at once', () => {
  it('the books balance', () => fc.assert(trafficBooksBalance, { numRuns: 4 }))
})

it('a credential is made once, however many first purchases come at once', async () => {
  const service = await openService()
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1' })
  const seller = await service.agent({ balance: 30 })
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => service.buyTraffic(seller)))
  expect(tally(results)).toEqual({ ok: 30, insufficient_balance: 20 })
  expect(await service.db.read.traffic.findMany()).toHaveLength(1)
  expect((await service.core.traffic.remainingFlow(seller, seller.id, 'traffic')).total).toBe(30e9)
  await service.audited()
})

it('a product that is sold by traffic has a gateway, and no other has', async () => {
  const { core } = await openService()
  const add = (change: Partial<Parameters<typeof core.operator.addProduct>[1]>) =>
    core.operator.addProduct(SHELL, { productNo: 'p', names: { en: 'P', zh: '产品' }, price: 1, ...change })
  const dynamic = { proxyType: 104, pool: 'dynamic_1' } as const
  await refused(add(dynamic), 'validation_error')
  await refused(add({ gateway: 'gw.example.com:8000' }), 'validation_error')
  for (const gateway of [
    'gw.example.com',
    'gw.example.com:0',
    'gw.example.com:65536',
    'gw.example.com:8e3',
    '-gw.example.com:80',
    'gw..example.com:80',
    'http://gw.example.com:80',
    'user@gw.example.com:80',
    '[::1:80',
    '[gw]:80',
    '2001:db8::1:80',
    ' gw:80',
    `${'x'.repeat(64)}.example:80`,
    ':80',
  ])
    await refused(add({ ...dynamic, gateway }), 'validation_error')
  for (const [index, gateway] of [
    'gw.example.com:8000',
    'localhost:1',
    '192.0.2.1:65535',
    '[2001:db8::1]:80',
  ].entries())
    await add({ ...dynamic, productNo: `p${index}`, gateway })
  const products = await core.operator.listProducts()
  expect(products.map(({ gateway }) => gateway)).toEqual([
    'gw.example.com:8000',
    'localhost:1',
    '192.0.2.1:65535',
    '[2001:db8::1]:80',
  ])
})
