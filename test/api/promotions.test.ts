import { expect, test } from 'vitest'
import { BALANCE, CREATE, expectRefusal, LIST, openApi, orderBody, QUOTE } from '../support/api.ts'

const CODES = '/open/app/agent/promotions'

test('An agent makes a code, its sub-user orders with it, and the agent stops it', async () => {
  const api = await openApi()
  const seller = await api.agent()
  const buyer = await api.customer(seller, { balance: 100 })
  await api.product('static', { price: 5 })
  await api.product('traffic', { proxyType: 104, pool: 'dynamic_2', price: 2 })
  await api.stock('static', 5)
  await api.core.earnings.setPrice(seller, { markupPercent: 20 })
  const [agent, user] = [await api.as(seller), await api.as(buyer)]

  const terms = { code: 'spring', percent: 10, maxUses: 2, maxUsesPerUser: 2, days: 1, products: ['static'] }
  const headers = { 'idempotency-key': 'one' }
  const made = await agent.post(CODES, terms, { headers })
  const record = {
    code: 'SPRING',
    status: 'open',
    percent: 10,
    amount: null,
    products: ['static'],
    uses: 0,
    given: 0,
    balance_limit: null,
    balance_used: 0,
    max_uses: 2,
    max_uses_per_user: 2,
    stopped_at: null,
  }
  expect(made.body.data).toMatchObject({
    ...record,
    effects: [{ product_no: 'static', price: 6, discount: 0.6, least_percent: 10, most_percent: 10 }],
  })
  expect((await agent.post(CODES, terms, { headers })).headers['idempotency-replayed']).toBe('true')
  expectRefusal(await agent.post(CODES, { ...terms, percent: 5 }, { headers }), 409, 'idempotency_conflict')
  expectRefusal(await agent.post(CODES, { code: 'Spring', amount: 1 }), 409, 'promo_code_taken')
  expectRefusal(await agent.post(CODES, { code: 'a b', amount: 1 }), 422, 'validation_error')
  expectRefusal(await agent.post(CODES, { percent: 0 }), 422, 'validation_error')
  expectRefusal(await agent.post(CODES, {}), 422, 'validation_error')
  const until = new Date(api.clock.now().getTime() + 60_000).toISOString()
  for (const wrong of [{ days: 1, until }, { until: '2020-01-01T00:00:00Z' }, { until: 'soon' }])
    expectRefusal(await agent.post(CODES, { percent: 1, ...wrong }), 422, 'validation_error')
  expect((await agent.post(CODES, { code: 'brief', percent: 1, until })).body.data).toMatchObject({
    valid_until: until,
  })
  expectRefusal(await user.get(CODES), 403, 'agent_required')

  const body = orderBody(buyer.id, { ipCount: 2, promoCode: 'spring' })
  const paid = { discount: 1.2, promo_code: 'SPRING', total_amount: 10.8 }
  expect((await user.post(QUOTE, body)).body.data).toMatchObject({
    unit_price: 6,
    ...paid,
    balance_after: 89.2,
  })
  expectRefusal(await user.post(CREATE, { ...body, totalAmount: 10.7 }), 409, 'price_changed')
  // The agent may order for its sub-user with it, too.
  const { orderNo } = (await agent.post(CREATE, { ...body, totalAmount: 10.8 })).body.data
  expect((await user.get(`${LIST}?orderNo=${orderNo}`)).body.data.items).toMatchObject([
    { unit_price: 6, ...paid },
  ])
  expect((await user.get(BALANCE)).body.data).toMatchObject({ balance: 89.2 })
  expect((await agent.get(CODES)).body.data.items).toMatchObject([
    { code: 'BRIEF' },
    { ...record, uses: 1, given: 1.2 },
  ])

  const traffic = { orderType: 'dynamic_proxy', poolId: 'traffic', trafficAmount: 5, promoCode: 'spring' }
  const refused = await user.post('/open/app/order/create/v2', traffic)
  expectRefusal(refused, 409, 'promo_code_not_usable')
  expect(refused.body.data).toEqual({ reason: 'other_product' })
  await agent
    .post(CODES, { code: 'gb', amount: 0.5 })
    .then((answer) => expectRefusal(answer, 422, 'validation_error'))
  await agent.post(CODES, { code: 'giga', amount: 0.5 })
  const bought = await user.post('/open/app/order/create/v2', { ...traffic, promoCode: 'GIGA' })
  expect(bought.body.data).toMatchObject({
    unit_price: 2.4,
    discount: 0.5,
    promo_code: 'GIGA',
    total_amount: 11.5,
    balance: 77.7,
  })
  expectRefusal(await user.post(QUOTE, { ...traffic, promoCode: 'unknown' }), 404, 'promo_code_not_found')

  const rival = await api.as(await api.agent())
  expectRefusal(await rival.post(`${CODES}/SPRING/stop`), 404, 'promo_code_not_found')
  expect((await agent.post(`${CODES}/spring/stop`)).body.data).toMatchObject({ status: 'stopped' })
  expectRefusal(await user.post(QUOTE, body), 409, 'promo_code_not_usable')
  await api.audited()
})

test('An agent lets a code cost its own balance, and sees what it has cost', async () => {
  const api = await openApi()
  const seller = await api.agent({ balance: 20 })
  const buyer = await api.customer(seller, { balance: 100 })
  await api.product('static', { price: 5 })
  await api.stock('static', 5)
  const [agent, user] = [await api.as(seller), await api.as(buyer)]
  const terms = { code: 'ours', percent: 20, balanceLimit: 10 }
  for (const wrong of [0, -1, 0.0000001, '10'])
    expectRefusal(await agent.post(CODES, { ...terms, balanceLimit: wrong }), 422, 'validation_error')
  expect((await agent.post(CODES, terms)).body.data).toMatchObject({
    balance_limit: 10,
    balance_used: 0,
    effects: [{ product_no: 'static', price: 5, discount: 1, least_percent: 20, most_percent: 20 }],
  })
  const body = orderBody(buyer.id, { ipCount: 2, promoCode: 'ours' })
  expect((await user.post(QUOTE, body)).body.data).toMatchObject({ discount: 2, total_amount: 8 })
  const { orderNo } = (await user.post(CREATE, { ...body, totalAmount: 8 })).body.data
  expect((await agent.get(CODES)).body.data.items).toMatchObject([{ balance_limit: 10, balance_used: 2 }])
  const records = `/open/app/user/transactions?target_user_id=${seller.id}`
  const record = { type: 'promotion', amount: -2, balance_after: 18, order_no: orderNo, remark: 'OURS' }
  expect((await agent.get(`${records}&type=promotion`)).body.data.items).toMatchObject([record])
  expect((await agent.get(records)).body.data.items).toMatchObject([record])
  expect((await user.get('/open/app/user/transactions?type=promotion')).body.data.items).toEqual([])
  await api.runJobs()
  await user.post(`/open/app/static/order/${orderNo}/cancel`)
  expect((await agent.get(CODES)).body.data.items).toMatchObject([{ balance_used: 0 }])
  await api.audited()
})
