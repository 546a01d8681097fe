import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { BALANCE, CREATE, expectRefusal, LIST, openApi, orderBody, outcomes } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'

/** A product with stock, and a buyer with money. */
async function shop({ stock: count = 10, balance = 100, price = 1 } = {}) {
  const api = await openApi()
  await api.product('static', { names: { en: 'Residential', zh: '住宅' }, price })
  await api.stock('static', count, { country: 'US', state: 'NY', city: 'USNYC', cidr: '10.0.0.0/16' })
  const seller = await api.agent({ name: 'seller' })
  const buyer = await api.customer(seller, { name: 'buyer', balance })
  return { ...api, seller, buyer, client: await api.as(buyer) }
}

/** For cases that change nothing. */
const standing = shared(shop)

test('An order is accepted at once, and its proxies are in the list when it is completed', async () => {
  const { client, buyer, seller, runJobs, audited } = await shop()
  const accepted = await client.post(
    CREATE,
    orderBody(buyer.id, { ipCount: 2, countryCode: 'US', cityCode: 'USNYC', remark: 'r' }),
  )
  expect(accepted.status).toBe(200)
  const { orderNo, appOrderNo } = accepted.body.data
  expect(accepted.body.data).toEqual({
    orderNo: expect.stringMatching(/^S\d{17}[0-9A-Z]{8}$/),
    order_no: orderNo,
    appOrderNo: expect.any(String),
    app_order_no: appOrderNo,
    status: 'processing',
    queued: true,
    async: true,
  })
  const waiting = (await client.get(`${LIST}?orderNo=${orderNo}`)).body.data.items[0]
  expect(waiting).toMatchObject({ status: 'processing', success_count: 0, instances: [], expire_time: null })

  await runJobs()
  const { data } = (await client.get(`${LIST}?order_no=${appOrderNo}`)).body
  expect(data).toMatchObject({ total: 1, page: 1, page_size: 20, pageSize: 20 })
  expect(data.list).toEqual(data.items)
  const instance = (ip: string) => ({
    instance_no: expect.any(String),
    order_no: orderNo,
    provider_instance_no: expect.any(String),
    ip,
    port: 8000,
    username: 'u0',
    password: 'secret',
    protocols: ['http', 'socks5'],
    country_code: 'US',
    country_name: 'United States',
    city_code: 'USNYC',
    city_name: 'New York',
    cidr: '10.0.0.0/16',
    status: 'active',
    health: 'not_tested',
    auto_renew: false,
    note: '',
    opened_at: '2026-03-01T12:00:00.000Z',
    updated_at: '2026-03-01T12:00:00.000Z',
    expire_time: '2026-04-01T12:00:00.000Z',
    released_at: null,
    connection_string: `${ip}:8000:u0:secret`,
  })
  expect(data.items).toEqual([
    {
      id: expect.any(Number),
      order_no: orderNo,
      orderNo,
      app_order_no: appOrderNo,
      appOrderNo,
      provider_order_no: null,
      user_id: buyer.id,
      username: 'buyer',
      agent_id: seller.id,
      product_no: 'static',
      product_name: 'Residential',
      product_type: 1,
      project_id: null,
      proxy_type: 103,
      country_code: 'US',
      country_name: 'United States',
      city_code: 'USNYC',
      city_name: 'New York',
      static_type: null,
      ip_count: 2,
      success_count: 2,
      duration: 1,
      unit: 3,
      cycle_times: 1,
      unit_price: 1,
      discount: 0,
      promo_code: null,
      total_amount: 2,
      refunded_amount: 0,
      renewed_amount: 0,
      status: 'active',
      fail_reason: null,
      auto_renew: false,
      remark: 'r',
      expire_time: '2026-04-01T12:00:00.000Z',
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
      instances_total: 2,
      instances_dead: 0,
      instances: [instance('10.0.0.1'), instance('10.0.0.2')],
    },
  ])
  expect((await client.get(BALANCE)).body.data).toMatchObject({ balance: 98, total_consumption: 2 })
  await audited()
})

test('An order may have every field that there is', async () => {
  const { client, buyer, product, stock, runJobs } = await shop()
  await product('shared', {
    shared: true,
    projects: [{ code: 'shop', name: 'A shop' }],
    assignIpSupported: true,
    cidrSupported: true,
  })
  const ips = ['10.9.0.1', '10.9.0.2', '10.9.1.1', '10.9.1.2']
  await stock('shared', 4, { country: 'US', state: 'NY', city: 'USNYC', cidr: '10.9.0.0/16', ips })
  const everything = {
    poolId: 'shared',
    ipCount: 2,
    unitPrice: 1,
    totalAmount: 2,
    regionCode: 'NY',
    // In any case, as the product query takes it.
    countryCode: 'us',
    cityCode: 'USNYC',
    staticType: 'residential',
    projectId: 'shop',
    trafficAmount: null,
    remark: 'everything',
  }
  const proxies = {
    assigned: { assignedIp: '10.9.1.1', assignedIpList: ['10.9.0.2'] },
    ranges: { cidrBlocks: [{ cidr: '10.9.0.0/16', count: 2 }] },
  }
  for (const [choice, ordered] of [
    [proxies.assigned, ['10.9.0.2', '10.9.1.1']],
    [proxies.ranges, ['10.9.0.1', '10.9.1.2']],
  ] as const) {
    const { body } = await client.post(CREATE, orderBody(buyer.id, { ...everything, ...choice }))
    expect(body).toMatchObject({ code: 0, data: { status: 'processing' } })
    await runJobs()
    const [order] = (await client.get(`${LIST}?orderNo=${body.data.orderNo}`)).body.data.items
    expect(order).toMatchObject({
      status: 'active',
      product_type: 2,
      project_id: 'shop',
      country_code: 'US',
      static_type: 'residential',
      remark: 'everything',
      instances: ordered.map((ip) => ({ ip, cidr: '10.9.0.0/16' })),
    })
  }
})

test('Names in the list follow the language of the texts', async () => {
  const { client, buyer, runJobs } = await shop()
  await client.post(CREATE, orderBody(buyer.id, { countryCode: 'US', cityCode: 'USNYC' }))
  await runJobs()
  const [order] = (await client.get(LIST, { base: '/b/api' })).body.data.items
  expect(order).toMatchObject({ product_name: '住宅', country_name: '美国', city_name: '纽约' })
  expect(order?.instances[0]).toMatchObject({ country_name: '美国', city_name: '纽约' })
})

test('An order for anywhere tells where its proxies are, as far as they are in one place', async () => {
  const { client, buyer, runJobs, product, stock } = await shop()
  await product('one-city')
  await stock('one-city', 2, { country: 'DE', city: 'DEBER' })
  await product('two-cities')
  await stock('two-cities', 1, { country: 'DE', city: 'DEBER' })
  await stock('two-cities', 1, { country: 'DE', city: 'DEFRA' })
  await product('two-countries')
  await stock('two-countries', 1, { country: 'DE', city: 'DEBER' })
  await stock('two-countries', 1, { country: 'US', city: 'USNYC' })
  const placeOf = async (poolId: string) => {
    const { body } = await client.post(CREATE, orderBody(buyer.id, { poolId, ipCount: 2 }))
    const found = async () =>
      (await client.get(`${LIST}?orderNo=${body.data.orderNo}`)).body.data.items[0] as unknown as Record<
        string,
        unknown
      >
    expect(await found()).toMatchObject({ country_code: null, city_code: null })
    await runJobs()
    const { country_code, country_name, city_code } = await found()
    return [country_code, country_name, city_code]
  }
  expect(await placeOf('one-city')).toEqual(['DE', 'Germany', 'DEBER'])
  expect(await placeOf('two-cities')).toEqual(['DE', 'Germany', null])
  expect(await placeOf('two-countries')).toEqual([null, null, null])
})

test('The list is newest first, page by page, and filtered by status', async () => {
  const { client, buyer, product, stock, runJobs } = await shop()
  await product('other', { price: 2 })
  await stock('other', 5)
  const numbers: string[] = []
  for (const poolId of ['static', 'other', 'static', 'other', 'static']) {
    numbers.unshift((await client.post(CREATE, orderBody(buyer.id, { poolId }))).body.data.orderNo)
  }
  const page = async (query: string) => {
    const { items, total } = (await client.get(`${LIST}?${query}`)).body.data
    return { total, numbers: items.map(({ orderNo }) => orderNo) }
  }
  expect(await page('page=1&page_size=2')).toEqual({ total: 5, numbers: numbers.slice(0, 2) })
  expect(await page('page=3&pageSize=2')).toEqual({ total: 5, numbers: numbers.slice(4) })
  expect(await page('page=9')).toEqual({ total: 5, numbers: [] })
  expect(await page('status=active')).toEqual({ total: 0, numbers: [] })
  await runJobs()
  expect(await page('status=active')).toEqual({ total: 5, numbers })
  expectRefusal(await client.get(`${LIST}?status=lost`), 422, 'validation_error')
})

test('Everybody sees own orders, an agent those of its direct sub-users too, and nobody any others', async () => {
  const { client, buyer, seller, agent, as } = await shop()
  const { orderNo } = (await client.post(CREATE, orderBody(buyer.id))).body.data
  const count = async (caller: typeof client, query = '') =>
    (await caller.get(`${LIST}?${query}`)).body.data.total
  const agentClient = await as(seller)
  const stranger = await as(await agent())
  expect(await count(agentClient)).toBe(1)
  expect(await count(agentClient, `user_id=${buyer.id}`)).toBe(1)
  expect(await count(agentClient, `user_id=${seller.id}`)).toBe(0)
  expect(await count(stranger)).toBe(0)
  expect(await count(stranger, `user_id=${buyer.id}`)).toBe(0)
  expect(await count(stranger, `orderNo=${orderNo}`)).toBe(0)
})

test('An agent orders for itself and its sub-users, who pay; nobody orders for others', async () => {
  const { buyer, seller, agent, customer, as, client, balance, core } = await shop()
  await core.operator.adjustBalance(SHELL, { username: 'seller', amount: 10, remark: 'test' })
  const agentClient = await as(seller)
  expect((await agentClient.post(CREATE, orderBody(buyer.id))).status).toBe(200)
  expect((await agentClient.post(CREATE, orderBody(seller.id))).status).toBe(200)
  expect([await balance(buyer), await balance(seller)]).toEqual([99, 9])
  const stranger = await customer(await agent())
  expectRefusal(await agentClient.post(CREATE, orderBody(stranger.id)), 403, 'not_direct_sub_user')
  expectRefusal(await agentClient.post(CREATE, orderBody(999_999)), 404, 'sub_user_not_found')
  expectRefusal(await client.post(CREATE, orderBody(seller.id)), 403, 'agent_required')
})

test.each([
  'orderType',
  'poolId',
  'userId',
  'unitPrice',
  'totalAmount',
  'ipCount',
  'cycleTimes',
  'duration',
  'unit',
])('An order without %s is refused', async (field) => {
  const { client, buyer } = standing()
  const answer = await client.post(CREATE, orderBody(buyer.id, { [field]: undefined }))
  expectRefusal(answer, 422, 'validation_error')
  expect(answer.body.data.errors).toEqual([{ field, rule: 'required', message: 'is required' }])
})

test('Amounts are taken exactly or not at all', async () => {
  const { client, buyer } = await shop()
  const raw = (amount: string) =>
    orderBody(buyer.id, { totalAmount: 0, unitPrice: JSON.parse(amount) as number })
  for (const amount of [
    '1e-7',
    '0.30000000000000004',
    '9007199254740993',
    '1e21',
    '"1"',
    'null',
    '[1]',
    '-1',
    'true',
  ]) {
    const answer = await client.post(CREATE, raw(amount))
    expect({ amount, error: answer.body.error }).toEqual({ amount, error: 'validation_error' })
  }
  for (const amount of ['-0', '1.5', '1000000000', '1.000000'])
    expect((await client.post(CREATE, raw(amount))).status).toBe(200)
})

test('A number too large for JSON is refused, not charged', async () => {
  const { call, client, buyer } = await shop()
  const payload = JSON.stringify(orderBody(buyer.id)).replace('"unitPrice":0', '"unitPrice":1e309')
  const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' }
  expectRefusal(await call('POST', CREATE, { payload, headers }), 422, 'validation_error')
})

test('Prices of the client are never charged, but a lower one than ours refuses the order', async () => {
  const { client, buyer, balance } = await shop({ price: 5 })
  expect((await client.post(CREATE, orderBody(buyer.id, { unitPrice: 9, totalAmount: 9 }))).status).toBe(200)
  expect(await balance(buyer)).toBe(95)
  const dearer = await client.post(CREATE, orderBody(buyer.id, { totalAmount: 4.99 }))
  expectRefusal(dearer, 409, 'price_changed')
  expect(dearer.body.data).toEqual({ unit_price: 5, total_amount: 5 })
})

test.each([
  { ipCount: 0 },
  { ipCount: -1 },
  { ipCount: 501 },
  { ipCount: 1e9 },
  { duration: -1 },
  { cycleTimes: 0 },
  { unit: 2 },
])('Nonsense such as %j is never priced', async (change) => {
  const { client, buyer, balance } = standing()
  expectRefusal(await client.post(CREATE, orderBody(buyer.id, change)), 422, 'validation_error')
  expect(await balance(buyer)).toBe(100)
})

test('A refusal for money or stock says what is missing', async () => {
  const { client, buyer, product, stock } = await shop({ balance: 3.5 })
  await product('scarce')
  await stock('scarce', 1)
  const poor = await client.post(CREATE, orderBody(buyer.id, { ipCount: 4 }))
  expectRefusal(poor, 402, 'insufficient_balance')
  expect(poor.body.data).toEqual({ required: 4, balance: 3.5, shortfall: 0.5 })
  const scarce = await client.post(CREATE, orderBody(buyer.id, { ipCount: 3, poolId: 'scarce' }))
  expectRefusal(scarce, 409, 'out_of_stock')
  expect(scarce.body.data).toEqual({ requested: 3, available: 1 })
})

test('A place that the product does not have is refused with those that it has, by name', async () => {
  const { client, buyer } = await shop()
  const body = orderBody(buyer.id, { countryCode: 'DE' })
  const region = { countryCode: 'US', cityCode: 'USNYC', stock: 10 }
  const en = await client.post(CREATE, body)
  expectRefusal(en, 422, 'location_not_supported_for_product')
  expect(en.body.data).toEqual({
    product_no: 'static',
    requested: { countryCode: 'DE', cityCode: null, regionCode: null },
    supported_regions: [{ ...region, countryName: 'United States', cityName: 'New York' }],
  })
  const zh = await client.post(CREATE, body, { base: '/b/api' })
  expect(zh.body.data.supported_regions).toEqual([{ ...region, countryName: '美国', cityName: '纽约' }])
})

test('The same number with the same order is the same order, by body or by header', async () => {
  const { client, buyer, balance, runJobs } = await shop()
  const first = await client.post(CREATE, orderBody(buyer.id, { appOrderNo: 'mine-1' }))
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  await runJobs()
  for (const again of [
    await client.post(CREATE, orderBody(buyer.id, { appOrderNo: 'mine-1' })),
    await client.post(CREATE, orderBody(buyer.id, { app_order_no: 'mine-1' })),
    await client.post(CREATE, orderBody(buyer.id), { headers: { 'idempotency-key': 'mine-1' } }),
    await client.post(CREATE, orderBody(buyer.id, { appOrderNo: 'mine-1' }), {
      headers: { 'idempotency-key': 'other' },
    }),
  ]) {
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotency-replayed']).toBe('true')
  }
  const other = await client.post(CREATE, orderBody(buyer.id, { ipCount: 2, appOrderNo: 'mine-1' }))
  expectRefusal(other, 409, 'idempotency_conflict')
  expect(other.body.data).toEqual({ app_order_no: 'mine-1' })
  expect(await balance(buyer)).toBe(99)
})

test('The same number of somebody else is another order', async () => {
  const { client, buyer, seller, as } = await shop()
  const mine = await client.post(CREATE, orderBody(buyer.id, { appOrderNo: 'n' }))
  const theirs = await (await as(seller)).post(CREATE, orderBody(buyer.id, { appOrderNo: 'n' }))
  expect(theirs.status).toBe(200)
  expect(theirs.body.data.orderNo).not.toBe(mine.body.data.orderNo)
})

test.each(['', 'x'.repeat(65)])('An Idempotency-Key of %j is refused', async (key) => {
  const { client, buyer } = standing()
  const answer = await client.post(CREATE, orderBody(buyer.id), { headers: { 'idempotency-key': key } })
  expectRefusal(answer, 422, 'validation_error')
  expect(answer.body.data.errors[0]?.field).toBe('Idempotency-Key')
})

test('Sixty-four copies of one order at once make one order', async () => {
  const { client, buyer, balance, audited } = await shop()
  const body = orderBody(buyer.id, { appOrderNo: 'once' })
  const answers = await Promise.all(Array.from({ length: 64 }, () => client.post(CREATE, body)))
  expect(outcomes(answers)).toEqual({ ok: 64 })
  expect(new Set(answers.map((answer) => answer.body.data.orderNo)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  expect(await balance(buyer)).toBe(99)
  await audited()
})

test('A number whose first use was refused for money can be used again', async () => {
  const { client, buyer, core } = await shop({ balance: 0.5 })
  const body = orderBody(buyer.id, { appOrderNo: 'later' })
  expectRefusal(await client.post(CREATE, body), 402, 'insufficient_balance')
  expectRefusal(await client.post(CREATE, body), 402, 'insufficient_balance')
  await core.operator.adjustBalance(SHELL, { username: 'buyer', amount: 1, remark: 'top-up' })
  const paid = await client.post(CREATE, body)
  expect(paid.status).toBe(200)
  expect(paid.headers['idempotency-replayed']).toBeUndefined()
})

test('Of two hundred orders at once on money for fifty, fifty are accepted', async () => {
  const { client, buyer, balance, audited, runJobs } = await shop({ balance: 50, stock: 200 })
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => client.post(CREATE, orderBody(buyer.id))),
  )
  expect(outcomes(answers)).toEqual({ ok: 50, insufficient_balance: 150 })
  expect(await balance(buyer)).toBe(0)
  await runJobs()
  await audited()
})

test('The last proxies are sold once, however many want them', async () => {
  const { client, buyer, balance, audited } = await shop({ stock: 3 })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post(CREATE, orderBody(buyer.id))),
  )
  expect(outcomes(answers)).toEqual({ ok: 3, out_of_stock: 17 })
  expect(await balance(buyer)).toBe(97)
  await audited()
})

test('One address that is wanted twice at once is sold once', async () => {
  const { client, buyer, product, stock } = await shop()
  await product('picked', { assignIpSupported: true })
  const [ip] = await stock('picked', 2)
  const answers = await Promise.all(
    Array.from({ length: 2 }, () =>
      client.post(CREATE, orderBody(buyer.id, { poolId: 'picked', assignedIp: ip })),
    ),
  )
  expect(outcomes(answers)).toEqual({ ok: 1, assigned_ip_unavailable: 1 })
})

test('What nobody asked about is not taken from a body', async () => {
  const { client, buyer, balance } = await shop()
  await client.post(
    CREATE,
    orderBody(buyer.id, { status: 'active', success_count: 9, refunded_amount: 9, agent_id: 9, id: 9 }),
  )
  const [order] = (await client.get(LIST)).body.data.items
  expect(order).toMatchObject({ status: 'processing', success_count: 0, refunded_amount: 0 })
  expect(await balance(buyer)).toBe(99)
})

test('An order that comes from the service itself is refused', async () => {
  const { client, buyer, core } = await shop()
  const via = (ids: string) => ({ headers: { 'x-reseller-via': ids } })
  const looped = await client.post(CREATE, orderBody(buyer.id), via(`OTHER, ${await core.instance.id()}`))
  expectRefusal(looped, 409, 'resale_loop')
  expect((await client.get(BALANCE)).body.data.balance).toBe(100)
  const chain = (length: number) => Array.from({ length }, (_, index) => `SHOP-${index}`).join(',')
  for (const tooLong of [chain(9), 'X'.repeat(65)])
    expectRefusal(await client.post(CREATE, orderBody(buyer.id), via(tooLong)), 409, 'resale_loop')
  expect((await client.get(BALANCE)).body.data.balance).toBe(100)
  expect((await client.post(CREATE, orderBody(buyer.id), via(chain(8)))).status).toBe(200)
})
