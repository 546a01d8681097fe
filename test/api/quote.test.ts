import { expect, test } from 'vitest'
import { BALANCE, expectRefusal, openApi, orderBody, QUOTE } from '../support/api.ts'

test('A quote says what an order would cost and what is left, and changes nothing', async () => {
  const { agent, customer, as, product, core, entries } = await openApi()
  await product('static', { price: 5 })
  await core.operator.setPrice({ productNo: 'static', price: 4.5, minQuantity: 10 })
  const seller = await agent()
  const buyer = await customer(seller, { balance: 50 })
  const client = await as(seller)
  const expected = {
    unit_price: 5,
    quantity: 3,
    periods: 2,
    total_amount: 30,
    currency: 'USD',
    balance: 50,
    balance_after: 20,
    next_tier: { min_quantity: 10, price: 4.5 },
  }
  expectRefusal(await client.post(QUOTE, orderBody(buyer.id)), 422, 'location_not_supported_for_product')
  await core.operator.importStock(
    'product_no,ip,port,username,password,country_code,state,city_code,cidr\nstatic,10.0.0.1,80,u,p,US,,,',
  )
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
