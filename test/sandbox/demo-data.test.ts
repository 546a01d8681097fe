import { expect, test } from 'vitest'
import { DEMO_ACCOUNTS, plantDemoData } from '../../src/sandbox/demo-data.ts'
import { openService } from '../support/service.ts'

test('The sandbox has a dynamic product of each pool to try, and is planted once', async () => {
  const { core, audited } = await openService()
  await plantDemoData(core)
  await plantDemoData(core)
  const { token } = await core.accounts.logIn({ ...DEMO_ACCOUNTS.customer, address: 'test' })
  const customer = await core.accounts.authenticate(token)
  const items = await core.catalog.query(customer, { proxyTypes: [104, 105] })
  expect(items.map(({ productNo, pool, tiers }) => [productNo, pool, tiers.length > 1])).toEqual([
    ['DYN-1', 'dynamic_1', true],
    ['DYN-2', 'dynamic_2', true],
    ['DYN-3', 'dynamic_3', true],
  ])
  for (const { productNo } of items) {
    await core.orders.createDynamic(customer, { poolId: productNo, trafficAmount: 1 })
    const { items: credentials } = await core.traffic.extract(customer, 'any', { productNo })
    expect(credentials[0]?.host).toMatch(/^gw\d\.proxy\.example$/)
  }
  await audited()
})
