import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { CREATE, expectRefusal, openApi, orderBody, PRODUCTS, QUOTE, RENEW } from '../support/api.ts'

const AGENT = '/open/app/agent'
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const HOUR = 3_600_000

/** The agent pays 7.654321 for a proxy, and 2 for a GB. */
async function shop() {
  const api = await openApi({ operatorChats: [900] })
  const seller = await api.agent({ name: 'boss', balance: 100 })
  const buyer = await api.customer(seller, { name: 'ann', balance: 1000 })
  await api.product('static', { price: 7.654321 })
  await api.stock('static', 9)
  await api.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 2 })
  return { api, buyer, agent: await api.as(seller), user: await api.as(buyer) }
}

test('an agent sets prices, and sees what it earns by them by day, product and sub-user, to the last cent', async () => {
  const { api, buyer, agent } = await shop()
  const set = (price: object) => agent.put(`${AGENT}/prices`, price)
  const markup = { user_id: null, username: null, product_no: null, markup_percent: 50, price: null }
  expect((await set({ markup_percent: 50 })).body.data).toEqual({ ...markup, min_quantity: 1 })
  const fixed = { user_id: buyer.id, product_no: 'static', min_quantity: 2, price: 8.25 }
  expect((await set(fixed)).body.data).toEqual({ ...fixed, username: 'ann', markup_percent: null })
  expect((await agent.get(`${AGENT}/prices`)).body.data.items).toHaveLength(2)
  for (const [price, rule] of [
    [{ markup_percent: 1, price: 1, product_no: 'static' }, 'either_markup_or_price'],
    [{ markup_percent: 1, min_quantity: 2 }, 'markup_of_any_quantity'],
    [{ price: 1 }, 'required'],
    [{}, 'required'],
  ] as const)
    expect((await set(price)).body.data.errors).toMatchObject([{ rule }])
  expectRefusal(await set({ price: 1, product_no: 'none' }), 404, 'product_not_found')

  const { orderNo } = await api.order(buyer, { ipCount: 2 })
  await api.runJobs()
  api.clock.advance(20 * HOUR)
  await api.buyTraffic(buyer, { trafficAmount: 3 })
  const [first] = (await api.core.orders.getStatic(buyer, { orderNo })).instances
  await api.core.orders.cancelStatic(buyer, { orderNo, instances: [first?.instanceNo ?? ''] })
  const report = (await agent.get(`${AGENT}/earnings?start_date=2026-03-01`)).body.data
  const [statics, traffic] = [
    { earned: 1.191358, sales: 1 },
    { earned: 3, taken_back: 0, sales: 1 },
  ]
  expect(report).toMatchObject({
    payout_min: 10,
    start_date: '2026-03-01',
    end_date: '2026-03-02',
    balance: { available: 3, owed: 0 },
    total: { earned: 4.191358, sales: 2 },
    days: [
      { date: '2026-03-01', ...statics, taken_back: 0 },
      { date: '2026-03-02', earned: 3 },
    ],
    products: [
      { product_no: 'traffic', ...traffic },
      { product_no: 'static', ...statics },
    ],
    users: [{ user_id: buyer.id, username: 'ann', earned: 4.191358, sales: 2 }],
  })
  const { pending } = (report as unknown as { balance: { pending: number } }).balance
  const { taken_back } = (report as unknown as { total: { taken_back: number } }).total
  expect(pending + taken_back).toBeCloseTo(1.191358, 9)

  const entries = async (query: string) => (await agent.get(`${AGENT}/earnings/entries?${query}`)).body.data
  const kinds = (await entries('')).items as unknown as { kind: string }[]
  expect(kinds.map(({ kind }) => kind)).toEqual(['reversed', 'matured', 'earned', 'earned'])
  expect(await entries('kind=earned&end_date=2026-03-01&page_size=1')).toMatchObject({
    total: 1,
    items: [{ order_no: orderNo, username: 'ann', product_no: 'static', pending: 1.191358, available: 0 }],
  })
  expect((await entries(`user_id=${buyer.id + 1}`)).total).toBe(0)
  expect((await entries('start_date=2026-03-02&end_date=2026-03-01')).errors).toHaveLength(1)

  const narrow = `${AGENT}/prices?user_id=${buyer.id}&product_no=static&min_quantity=2`
  expect((await agent.delete(narrow)).body.data.items).toMatchObject([{ markup_percent: 50 }])
  expect((await agent.delete(narrow)).body.data.errors).toMatchObject([{ rule: 'no_such_price' }])
})

test('available earnings are moved to the balance or paid out, once for each key', async () => {
  const { api, buyer, agent } = await shop()
  await agent.put(`${AGENT}/prices`, { markup_percent: 150 })
  await api.buyTraffic(buyer, { trafficAmount: 10 })
  const key = (name: string) => ({ headers: { 'idempotency-key': name } })
  const move = (amount: number) => agent.post(`${AGENT}/earnings/move`, { amount }, key('m'))
  const moved = await move(0.000001)
  const left = { pending: 0, available: 29.999999, payable: 29.999999, owed: 0 }
  expect(moved.body.data).toMatchObject({ balance: 100.000001, earnings: left })
  expect((await move(0.000001)).headers['idempotency-replayed']).toBe('true')
  expectRefusal(await move(1), 409, 'idempotency_conflict')

  const ask = (body: object, name: string) => agent.post(`${AGENT}/payouts`, body, key(name))
  const first = await ask({ amount: 12.5, address: ADDRESS }, 'p')
  const { payout_no } = first.body.data as unknown as { payout_no: string }
  const payout = { amount: 12.5, usdt: '6.25', exchange_rate: 2, address: ADDRESS, tx_hash: null, reason: '' }
  expect(first.body.data).toMatchObject({ ...payout, status: 'requested', ended_at: null })
  expect((await ask({ amount: 12.5, address: ADDRESS }, 'p')).body.data).toEqual(first.body.data)
  expect((await ask({ amount: 5, address: ADDRESS }, 'q')).body.data.errors).toMatchObject([
    { field: 'amount', rule: 'less_than_payout_min' },
  ])
  expect((await ask({ amount: 15, address: 'T' }, 'q')).body.data.errors).toMatchObject([
    { field: 'address', rule: 'not_a_tron_address' },
  ])
  expectRefusal(await ask({ amount: 20, address: ADDRESS }, 'q'), 402, 'insufficient_balance')
  expect((await agent.get(`${AGENT}/payouts?status=requested`)).body.data).toMatchObject({ total: 1 })
  const cancel = () => agent.post(`${AGENT}/payouts/${payout_no}/cancel`)
  expect((await cancel()).body.data).toMatchObject({ ...payout, status: 'cancelled' })
  expect((await cancel()).body.data).toMatchObject({ status: 'cancelled' })
  expectRefusal(await agent.post(`${AGENT}/payouts/P1/cancel`), 404, 'payout_not_found')
  expect((await agent.get(`${AGENT}/earnings`)).body.data.balance).toEqual(left)
  await api.audited()
})

test('money that nobody paid in earns for the balance only, however often it goes round', async () => {
  const api = await openApi({ operatorChats: [900] })
  await api.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 2 })
  const balanceOf = async (door: Awaited<ReturnType<typeof api.as>>) =>
    (await door.get(`${AGENT}/earnings`)).body.data.balance
  for (const funding of ['mint', 'transfer'] as const) {
    const seller = await api.agent({ name: funding, balance: 200, funding, paid: false })
    const buyer = await api.customer(seller)
    const agent = await api.as(seller)
    const ask = (amount: number) => agent.post(`${AGENT}/payouts`, { amount, address: ADDRESS })
    await agent.put(`${AGENT}/prices`, { markup_percent: 900 })
    // Round and round: given, spent at ten times the price, earned, moved to the balance, given again.
    for (const amount of [200, 160]) {
      await api.core.accounts.adjustSubUserBalance(seller, buyer.id, { amount, remark: 'a gift' })
      await api.buyTraffic(buyer, { trafficAmount: 9 })
      expect(await balanceOf(agent)).toEqual({ pending: 0, available: 162, payable: 0, owed: 0 })
      const refusal = await ask(10)
      expectRefusal(refusal, 402, 'insufficient_balance')
      expect(refusal.body.data).toMatchObject({ required: 10, balance: 0 })
      expect((await agent.post(`${AGENT}/earnings/move`, { amount: 162 })).body.code).toBe(0)
    }
    // Of 25 that came in, 20 are the price of 10 GB: the shop's part is paid first.
    const change = { username: buyer.username, remark: 'test' }
    await api.core.operator.adjustBalance(SHELL, { ...change, amount: 175 })
    await api.core.operator.adjustBalance(SHELL, { ...change, amount: 25, paid: true })
    const { order } = await api.buyTraffic(buyer, { trafficAmount: 10 })
    expect(await balanceOf(agent)).toEqual({ pending: 0, available: 180, payable: 5, owed: 0 })
    // A half comes back, of all three.
    await api.core.operator.orders.refund(SHELL, { orderNo: order.orderNo, amount: 100, reason: 'slow' })
    expect(await balanceOf(agent)).toEqual({ pending: 0, available: 90, payable: 2.5, owed: 0 })
    const { balance, paidIn } = await api.db.read.account.findUniqueOrThrow({ where: { id: buyer.id } })
    expect([balance, paidIn]).toEqual([100_000_000n, 12_500_000n])
    await api.audited()
  }
})

test('no answer tells a sub-user what its agent pays or earns', async () => {
  const { api, buyer, agent, user } = await shop()
  await agent.put(`${AGENT}/prices`, { product_no: 'static', price: 12.123456 })
  await agent.put(`${AGENT}/prices`, { product_no: 'static', price: 11.123456, min_quantity: 3 })
  const order = orderBody(buyer.id, { poolId: 'static' })
  const answers = [
    await user.post(PRODUCTS, {}),
    await user.post(QUOTE, order),
    await user.post(CREATE, { ...order, unitPrice: 0.01 }),
    await user.post(CREATE, { ...order, ipCount: 99 }),
    await user.post(CREATE, order),
  ]
  await api.runJobs()
  const orderNo = answers.at(-1)?.body.data.orderNo ?? ''
  answers.push(await user.post(RENEW, { order_no: orderNo }))
  for (const { path } of ENDPOINTS.filter(({ method }) => method === 'GET'))
    if (!path.includes(':') && !path.startsWith('/gateway') && path !== '/auth/activate')
      answers.push(await user.get(path))
  const instanceNo = (await api.core.orders.getStatic(buyer, { orderNo })).instances[0]?.instanceNo ?? ''
  answers.push(await user.post(`/open/app/static/order/${orderNo}/cancel`, { instances: [instanceNo] }))
  expect(answers.map(({ body }) => JSON.stringify(body)).join('\n')).toContain('12.123456')
  // What the agent pays for one and two, and what it earns by them.
  for (const secret of ['7.654321', '15.308642', '4.469135', '8.93827', '3.469135'])
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(secret)
})
