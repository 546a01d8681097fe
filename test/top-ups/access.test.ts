import { expect, test } from 'vitest'
import { expectRefusal } from '../support/api.ts'
import { PASSWORD } from '../support/service.ts'
import { openShop } from '../support/top-ups.ts'

test('case 46: the top-up of somebody else is like one that does not exist', async () => {
  const shop = await openShop()
  const agent = await shop.agent()
  const [owner, sibling] = [await shop.customer(agent), await shop.customer(agent)]
  const rival = await shop.agent()
  const topUp = await shop.open(owner)
  const next = topUp.order_no.slice(0, -1) + (topUp.order_no.endsWith('0') ? '1' : '0')
  for (const stranger of [sibling, rival]) {
    const http = await shop.as(stranger)
    for (const number of [topUp.order_no, next]) {
      expectRefusal(await http.get(`/usdt/check-status?order_no=${number}`), 404, 'order_not_found')
      expectRefusal(await http.post('/usdt/cancel-order', { order_no: number }), 404, 'order_not_found')
    }
    expect((await http.get('/usdt/orders')).body.data.total).toBe(0)
    expect((await http.get(`/usdt/orders?user_id=${owner.id}`)).body.data.total).toBe(0)
  }
  const theirs = await shop.as(agent)
  expect((await theirs.get(`/usdt/orders?user_id=${owner.id}`)).body.data.total).toBe(1)
  expect((await theirs.get(`/usdt/check-status?order_no=${topUp.order_no}`)).status).toBe(200)
})

test('case 47: whoever asks again and again shares one look at the chain every three seconds', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const http = await shop.as(user)
  const topUp = await shop.open(user)
  await shop.scan()
  shop.clock.advance(3000)
  shop.tron.clearRequests()
  const ask = () => http.get(`/usdt/check-status?order_no=${topUp.order_no}`)
  for (let i = 0; i < 3; i += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  }
  expect(shop.tron.requests('trc20')).toHaveLength(1)
  shop.clock.advance(3000)
  await ask()
  expect(shop.tron.requests('trc20')).toHaveLength(2)
})

test('case 48: a disabled user’s payment is credited, and the operator is told; a deleted user’s waits for the operator', async () => {
  const shop = await openShop({ operatorChats: [9] })
  const agent = await shop.agent()
  const [disabled, deleted] = [await shop.customer(agent), await shop.customer(agent)]
  const [first, second] = [await shop.open(disabled), await shop.open(deleted)]
  await shop.core.accounts.setSubUserStatus(agent, disabled.id, { status: 'disabled' })
  await shop.core.accounts.deleteSubUser(agent, deleted.id)
  shop.pay(first)
  shop.pay(second)
  await shop.settle()
  expect(await shop.balance(disabled)).toBe(first.credit_amount)
  expect(await shop.balance(deleted)).toBe(0)
  expect((await shop.transfers()).toSorted()).toEqual(['matched', 'user_deleted'])
  expect((await shop.alerts()).toSorted()).toEqual(['account_credited_anyway', 'transfer_unmatched'])
  await shop.audited()
})

test('case 50: pages and filters are strict, and the list has what is asked for', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const http = await shop.as(user)
  const topUps = [await shop.open(user, '10'), await shop.open(user, '20'), await shop.open(user, '30')]
  await http.post('/usdt/cancel-order', { order_no: topUps[0]?.order_no })
  for (const query of [
    'page_size=0',
    'page_size=-1',
    'page_size=1000',
    'page=abc',
    'page=0',
    'status=unknown',
    'start_date=2026-02-30',
    'start_date=2026-03-02&end_date=2026-03-01',
    'user_id=x',
  ])
    expectRefusal(await http.get(`/usdt/orders?${query}`), 422, 'validation_error')
  const amounts = async (query: string) =>
    (await http.get(`/usdt/orders?${query}`)).body.data.items.map(
      (item) => (item as unknown as { amount: string }).amount,
    )
  expect(await amounts('')).toEqual(['30.00', '20.00', '10.00'])
  expect(await amounts('page=2&page_size=2')).toEqual(['10.00'])
  expect(await amounts('page=9')).toEqual([])
  expect(await amounts('status=cancelled')).toEqual(['10.00'])
  expect(await amounts('start_date=2026-03-01&end_date=2026-03-01')).toHaveLength(3)
  expect(await amounts('end_date=9999-12-31')).toHaveLength(3)
  expect(await amounts('start_date=2026-03-02')).toEqual([])
  expect(await amounts(`order_no=${topUps[1]?.order_no}`)).toEqual(['20.00'])
})

test('the same number is the same top-up, another amount under it is a conflict, and a fourth one is too many', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const http = await shop.as(user)
  const open = (amount: string, key: string) =>
    http.post('/usdt/create-order', { amount, client_order_no: key })
  const answers = await Promise.all(Array.from({ length: 5 }, () => open('10', 'one')))
  expect(new Set(answers.map(({ body }) => body.data.orderNo)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(4)
  expectRefusal(await open('11', 'one'), 409, 'idempotency_conflict')
  const header = await http.post(
    '/usdt/create-order',
    { amount: '10' },
    { headers: { 'idempotency-key': 'one' } },
  )
  expect(header.body.data.orderNo).toBe(answers[0]?.body.data.orderNo)
  expect((await http.get('/usdt/orders?order_no=one')).body.data).toMatchObject({
    items: [{ order_no: answers[0]?.body.data.orderNo }],
    total: 1,
  })
  const stranger = await shop.as(await shop.customer(null))
  expect((await stranger.get('/usdt/orders?order_no=one')).body.data.total).toBe(0)
  await open('10', 'two')
  await open('10', 'three')
  const fourth = await open('10', 'four')
  expectRefusal(fourth, 429, 'too_many_pending_orders')
  expect(fourth.headers['retry-after']).toBe('1800')
  const cancelled = await http.post('/usdt/cancel-order', { orderNo: answers[0]?.body.data.orderNo })
  expect(cancelled.body.data).toMatchObject({ status: 'cancelled' })
  expect(
    (await http.post('/usdt/cancel-order', { orderNo: answers[0]?.body.data.orderNo })).body.data,
  ).toEqual(cancelled.body.data)
  expect((await open('10', 'four')).status).toBe(200)
})

test('without a wallet there is no top-up: the info says so, and nothing else breaks', async () => {
  const { openApi } = await import('../support/api.ts')
  const api = await openApi()
  const http = await api.as(await api.customer(null))
  expect((await http.get('/usdt/wallet-info')).body.data).toMatchObject({ enabled: false, address: null })
  const off = await http.post('/usdt/create-order', { amount: '10' })
  expectRefusal(off, 409, 'top_up_disabled')
  expect(off.body.message).toBe('Top-ups by USDT are switched off')
  expect((await http.get('/usdt/orders')).body.data.total).toBe(0)
})

test('a paid top-up stands in the records as a recharge, of the user and of its agent', async () => {
  const shop = await openShop()
  const agent = await shop.agent()
  const user = await shop.customer(agent, { name: 'payer-of-this' })
  const topUp = await shop.open(user)
  shop.pay(topUp)
  await shop.settle()
  const records = (await (await shop.as(agent)).get('/transaction/agent/transactions')).body.data
  expect(records.items).toMatchObject([
    { type: 'recharge', order_no: topUp.order_no, amount: topUp.credit_amount, username: 'payer-of-this' },
  ])
  const own = await shop.as(user)
  expect((await own.get('/open/app/user/transactions?type=recharge')).body.data.total).toBe(1)
  expect((await own.get('/open/app/user/balance/current')).body.data).toMatchObject({
    total_recharge: topUp.credit_amount,
  })
  const { token } = await shop.core.accounts.logIn({
    username: user.username,
    password: PASSWORD,
    address: 'x',
  })
  expect(JSON.stringify(shop.log)).not.toContain(token)
})
