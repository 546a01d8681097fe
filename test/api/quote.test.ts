import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import { BALANCE, CREATE, expectRefusal, openApi, orderBody, QUOTE } from '../support/api.ts'

test('A quote says what an order would cost and what is left, and changes nothing', async () => {
  const { agent, customer, as, product, stock, core, entries } = await openApi()
  await product('static', { price: 5 })
  await core.operator.setPrice(SHELL, { productNo: 'static', price: 4.5, minQuantity: 10 })
  const seller = await agent()
  const buyer = await customer(seller, { balance: 50 })
  const client = await as(seller)
  const expected = {
    unit_price: 5,
    quantity: 3,
    periods: 2,
    discount: 0,
    promo_code: null,
    total_amount: 30,
    currency: 'USD',
    balance: 50,
    balance_after: 20,
    next_tier: { min_quantity: 10, price: 4.5 },
  }
  expectRefusal(await client.post(QUOTE, orderBody(buyer.id)), 422, 'location_not_supported_for_product')
  await stock('static', 20)
  const { body } = await client.post(QUOTE, orderBody(buyer.id, { ipCount: 3, duration: 60, unit: 1 }))
  expect(body.data).toEqual(expected)
  const many = await client.post(QUOTE, orderBody(buyer.id, { ipCount: 20 }))
  expect(many.body.data).toMatchObject({
    unit_price: 4.5,
    total_amount: 90,
    balance_after: -40,
    next_tier: null,
  })
  expect(await entries(buyer)).toHaveLength(1)
  expect((await (await as(buyer)).get(BALANCE)).body.data.balance).toBe(50)
})

test('A quote needs no prices, and refuses what the order would refuse', async () => {
  const { agent, as, product, stock } = await openApi()
  await product('static')
  await stock('static', 1)
  const buyer = await agent()
  const other = await agent()
  const client = await as(buyer)
  const { unitPrice: _, totalAmount: __, cycleTimes: ___, ...body } = orderBody(buyer.id)
  expect((await client.post(QUOTE, body)).status).toBe(200)
  expectRefusal(await client.post(QUOTE, { ...body, userId: other.id }), 403, 'not_direct_sub_user')
  expectRefusal(await client.post(QUOTE, { ...body, poolId: 'nope' }), 404, 'product_not_found')
  expectRefusal(await client.post(QUOTE, { ...body, duration: 7, unit: 1 }), 422, 'duration_not_supported')
  expectRefusal(await client.post(QUOTE, { ...body, orderType: 'other' }), 422, 'validation_error')
})

test('A quote refuses what the order refuses for want of proxies, as the order does; but not for want of money', async () => {
  const { agent, as, product, stock, core } = await openApi()
  await product('static', { cidrSupported: true, assignIpSupported: true, price: 5 })
  await stock('static', 3, { cidr: '10.1.0.0/24', ips: ['10.1.0.1', '10.1.0.2', '10.1.0.3'] })
  await stock('static', 2, { ips: ['10.2.0.1', '10.2.0.2'] })
  const rich = await agent({ balance: 1_000 })
  const poor = await agent()
  const clients = [await as(rich), await as(poor)] as const
  const blocks = (...counts: number[]) => counts.map((count) => ({ cidr: '10.1.0.0/24', count }))
  const cases: [object, number, ErrorCode, object?][] = [
    [{ ipCount: 6 }, 409, 'out_of_stock', { requested: 6, available: 5 }],
    [
      { ipCount: 4, cidrBlocks: blocks(4) },
      409,
      'out_of_stock',
      { cidr: '10.1.0.0/24', requested: 4, available: 3 },
    ],
    [
      { ipCount: 4, cidrBlocks: blocks(2, 2) },
      409,
      'out_of_stock',
      { cidr: '10.1.0.0/24', requested: 2, available: 1 },
    ],
    [{ ipCount: 2, assignedIp: '10.9.9.9' }, 422, 'assigned_ip_unavailable'],
    [
      { ipCount: 6, assignedIpList: ['10.1.0.1', '10.2.0.1'] },
      409,
      'out_of_stock',
      { requested: 6, available: 5 },
    ],
    [{ totalAmount: 0.01 }, 409, 'price_changed', { unit_price: 5, total_amount: 5 }],
    [{ unitPrice: 4 }, 409, 'price_changed'],
    [{ ipCount: 4, cidrBlocks: blocks(3) }, 422, 'invalid_cidr_blocks'],
    [{ projectId: 'x' }, 422, 'project_not_allowed'],
    [{ cityCode: 'USLAX' }, 422, 'location_not_supported_for_product'],
  ]
  for (const [change, status, error, data] of cases) {
    for (const [index, actor] of [rich, poor].entries()) {
      const answer = await clients[index]?.post(QUOTE, orderBody(actor.id, change))
      expect(answer?.body).toMatchObject({ code: status, error, ...(data && { data }) })
    }
    const ordered = await clients[0].post(CREATE, orderBody(rich.id, change))
    expect(ordered.body).toMatchObject({ code: status, error, ...(data && { data }) })
  }
  const all = orderBody(poor.id, { ipCount: 5, assignedIpList: ['10.1.0.1', '10.2.0.1'] })
  expect((await clients[1].post(QUOTE, all)).body.data).toMatchObject({
    total_amount: 25,
    balance_after: -25,
  })
  expect((await core.catalog.query(rich))[0]?.stock).toBe(5)
})
