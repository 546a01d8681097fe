import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { openApi } from '../support/api.ts'

const PRICES = '/open/app/agent/prices'
const PRODUCTS = '/open/app/product/query-standard/v2'

async function shop() {
  const api = await openApi()
  const seller = await api.agent({ level: 1 })
  const buyer = await api.customer(seller, { name: 'buyer', balance: 100 })
  await api.product('static', { price: 4.53 })
  await api.stock('static', 9)
  const [agent, user] = [await api.as(seller), await api.as(buyer)]
  const tiers = async () => {
    const [item] = (await user.post(PRODUCTS, { productNo: 'static' })).body.data.items
    const sold = item?.tiers as { min_count: number; price: number }[]
    return sold.map((tier) => [tier.min_count, tier.price])
  }
  return { ...api, seller, buyer, agent, user, tiers }
}

test('An agent asks no more than the operator allows: a higher price is refused, and one that was set is lowered', async () => {
  const { core, agent, tiers, audited } = await shop()
  const refusal = async (price: object) => {
    const { status, body } = await agent.put(PRICES, price)
    return [status, body.data.errors]
  }
  const above = (field: string, most: string) => [
    422,
    [
      {
        field,
        rule: 'above_price_limit',
        message: `is above what the shop allows agents: at most ${most}`,
      },
    ],
  ]
  expect(await refusal({ markup_percent: 900.01 })).toEqual(above('markup_percent', '900'))
  expect(await refusal({ product_no: 'static', price: 45.31 })).toEqual(above('price', '45.3'))
  for (const most of [{ markup_percent: 900 }, { product_no: 'static', price: 45.3 }])
    expect((await agent.put(PRICES, most)).status).toBe(200)
  expect(await tiers()).toEqual([[1, 45.3]])
  await core.operator.setAgentPriceTerms(SHELL, { limit: 2 })
  expect(await tiers()).toEqual([[1, 9.06]])
  expect(await refusal({ product_no: 'static', markup_percent: 100.01 })).toEqual(
    above('markup_percent', '100'),
  )
  await audited()
})

test('A price by a markup is rounded up to cents, or as the operator says; none makes nothing dearer', async () => {
  const { core, agent, tiers } = await shop()
  const priceWith = async (markup: number) => {
    await agent.put(PRICES, { markup_percent: markup })
    return tiers()
  }
  expect(await priceWith(12.5)).toEqual([[1, 5.1]])
  await core.operator.setAgentPriceTerms(SHELL, { step: 0.000001 })
  expect(await tiers()).toEqual([[1, 5.09625]])
  await core.operator.setAgentPriceTerms(SHELL, { step: 0.5 })
  expect([await tiers(), await priceWith(0)]).toEqual([[[1, 5.5]], [[1, 4.53]]])
  // Rounded up to 0.50 it would be twenty times as much.
  await core.operator.setPrice(SHELL, { productNo: 'static', price: 0.025 })
  expect(await priceWith(10)).toEqual([[1, 0.0275]])
})

test("The operator's price for one customer is the shop's: its agent earns what its markup adds to it, and else nothing", async () => {
  const { core, agent, seller, buyer, order, tiers, balance, audited } = await shop()
  await core.operator.setPrice(SHELL, { productNo: 'static', price: 3, username: 'buyer' })
  await order(buyer)
  expect(await core.earnings.ofAgent(seller)).toMatchObject({ pending: 0 })
  await agent.put(PRICES, { markup_percent: 20 })
  expect(await tiers()).toEqual([[1, 3.6]])
  await order(buyer)
  expect([await balance(buyer), (await core.earnings.ofAgent(seller)).pending]).toEqual([
    100 - 3 - 3.6,
    600_000,
  ])
  await agent.put(PRICES, { product_no: 'static', price: 2 })
  expect(await tiers()).toEqual([[1, 3]])
  await audited()
})
