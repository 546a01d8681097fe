import { describe, expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import {
  BALANCE,
  CREATE,
  expectRefusal,
  openApi,
  orderBody,
  outcomes,
  PRODUCTS,
  QUOTE,
} from '../support/api.ts'
import { shared } from '../support/clean-up.ts'

const BUY = '/open/app/order/create/v2'

/** A shop with a dynamic product of each pool at 2 a GB, an agent with a customer, and what they call. */
async function shop() {
  const api = await openApi()
  for (const number of [1, 2, 3] as const) {
    await api.product(`dyn-${number}`, {
      proxyType: number === 3 ? 105 : 104,
      pool: `dynamic_${number}`,
      names: { en: `Dynamic ${number}`, zh: `动态 ${number}` },
      price: 2,
    })
  }
  const seller = await api.agent({ name: 'seller', balance: 100, level: 1 })
  const user = await api.customer(seller, { name: 'user', balance: 100 })
  const body = (change: object = {}) => ({
    orderType: 'dynamic_proxy',
    poolId: 'dyn-2',
    trafficAmount: 1,
    ...change,
  })
  return { ...api, seller, user, agentClient: await api.as(seller), userClient: await api.as(user), body }
}

/** For cases that change nothing. */
const standing = shared(shop)

describe('buying traffic', () => {
  test.each(['/a/api', '/b/api'] as const)(
    '%s answers the whole order and the balance left',
    async (base) => {
      const { userClient, user, seller, body, audited } = await shop()
      const {
        status,
        headers,
        body: answer,
      } = await userClient.post(
        BUY,
        body({ trafficAmount: 2.5, unitPrice: 0, totalAmount: 0, remark: 'first', appOrderNo: 'app-1' }),
        { base, headers: { 'accept-language': 'en' } },
      )
      expect(status).toBe(200)
      expect(headers['idempotency-replayed']).toBeUndefined()
      const { order_no: orderNo } = answer.data as unknown as { order_no: string }
      expect(orderNo).toMatch(/^D\d{17}\w{8}$/)
      expect(answer.data).toEqual({
        id: 1,
        order_no: orderNo,
        orderNo,
        app_order_no: 'app-1',
        appOrderNo: 'app-1',
        user_id: user.id,
        username: 'user',
        agent_id: seller.id,
        order_type: 'dynamic_proxy',
        pool_id: 'dyn-2',
        pool_type: 'dynamic_2',
        product_name: 'Dynamic 2',
        proxy_type: 104,
        traffic_amount: 2.5,
        used_traffic: 0,
        remaining_traffic: 2.5,
        unit_price: 2,
        discount: 0,
        promo_code: null,
        total_amount: 5,
        currency: 'USD',
        status: 'active',
        remark: 'first',
        created_at: '2026-03-01T12:00:00.000Z',
        updated_at: '2026-03-01T12:00:00.000Z',
        balance: 95,
      })
      const read = await userClient.get(`/dynamic/order-info/${orderNo}`, { base })
      const { balance: _, ...record } = answer.data as unknown as Record<string, unknown>
      expect(read.body.data).toEqual({
        ...record,
        product_name: base === '/a/api' ? 'Dynamic 2' : '动态 2',
      })
      await audited()
    },
  )

  test('The server makes the price: the client’s are ignored, tiers and levels count', async () => {
    const { userClient, user, seller, body, core, customer, agent, as, audited } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 1.5, minQuantity: 10 })
    await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 1.8, level: 1 })
    await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 1.25, level: 1, minQuantity: 10 })
    const stranger = await customer(await agent({ level: 2 }), { balance: 100 })
    const favourite = await customer(seller, { name: 'favourite', balance: 100 })
    await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 0.1, username: 'favourite' })
    const paid = async (client: typeof userClient, trafficAmount: number) => {
      const { body: answer } = await client.post(
        BUY,
        body({ trafficAmount, unitPrice: 0.000001, totalAmount: 0.000001 }),
      )
      return answer.data as unknown as { unit_price: number; total_amount: number }
    }
    expect(await paid(userClient, 0.5)).toMatchObject({ unit_price: 1.8, total_amount: 0.9 })
    expect(await paid(userClient, 9.999)).toMatchObject({ unit_price: 1.8, total_amount: 17.9982 })
    expect(await paid(userClient, 10)).toMatchObject({ unit_price: 1.25, total_amount: 12.5 })
    const strangerClient = await as(stranger)
    expect(await paid(strangerClient, 9)).toMatchObject({ unit_price: 2, total_amount: 18 })
    expect(await paid(strangerClient, 10.001)).toMatchObject({ unit_price: 1.5, total_amount: 15.0015 })
    expect(await paid(await as(favourite), 100)).toMatchObject({ unit_price: 0.1, total_amount: 10 })
    expect(user.level).toBe(1)
    await audited()
  })

  test('What is there for compatibility is taken and changes nothing', async () => {
    const { userClient, body } = await shop()
    const compatible = { ipCount: 500, duration: 30, unit: 1, unitPrice: 99, totalAmount: 99 }
    const { body: answer } = await userClient.post(BUY, body({ trafficAmount: 3, ...compatible }))
    expect(answer.data).toMatchObject({ traffic_amount: 3, unit_price: 2, total_amount: 6, balance: 94 })
  })

  test('Little traffic is not free: fractions of the smallest unit of money are rounded up', async () => {
    const { userClient, body, core, balance, user } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 0.000001 })
    const answer = await userClient.post(BUY, body({ trafficAmount: 0.001 }))
    expect(answer.body.data).toMatchObject({ total_amount: 0.000001, balance: 99.999999 })
    expect(await balance(user)).toBe(99.999999)
  })

  test('An agent buys for its sub-user, who pays; nobody buys for a stranger', async () => {
    const { agentClient, userClient, user, seller, body, agent, customer, balance, db } = await shop()
    const answer = await agentClient.post(BUY, body({ userId: user.id }))
    expect(answer.body.data).toMatchObject({ user_id: user.id, username: 'user', balance: 98 })
    expect([await balance(seller), await balance(user)]).toEqual([100, 98])
    const stranger = await customer(await agent())
    expectRefusal(await agentClient.post(BUY, body({ userId: stranger.id })), 403, 'not_direct_sub_user')
    expectRefusal(await agentClient.post(BUY, body({ userId: 999 })), 404, 'sub_user_not_found')
    expectRefusal(await userClient.post(BUY, body({ userId: seller.id })), 403, 'agent_required')
    await db.write((tx) => tx.account.update({ where: { id: user.id }, data: { status: 'disabled' } }))
    expectRefusal(await agentClient.post(BUY, body({ userId: user.id })), 403, 'account_disabled')
  })

  test('Without the money nothing happens, and the number is not used up', async () => {
    const { userClient, user, body, entries, core, db } = await shop()
    const much = body({ trafficAmount: 50.001, appOrderNo: 'much' })
    const answer = await userClient.post(BUY, much)
    expectRefusal(answer, 402, 'insufficient_balance')
    expect(answer.body.data).toEqual({ required: 100.002, balance: 100, shortfall: 0.002 })
    expect(await entries(user)).toHaveLength(1)
    expect(await db.read.traffic.count()).toBe(0)
    await core.operator.adjustBalance(SHELL, { username: 'user', amount: 1, remark: 'a gift' })
    const again = await userClient.post(BUY, much)
    expect(again.status).toBe(200)
    expect(again.headers['idempotency-replayed']).toBeUndefined()
  })

  test.each([
    ['poolId', undefined, 'required'],
    ['poolId', 5, 'invalid_type'],
    ['trafficAmount', undefined, 'required'],
    ['trafficAmount', '5', 'invalid_type'],
    ['trafficAmount', 0, 'not_a_traffic_amount'],
    ['trafficAmount', -1, 'not_a_traffic_amount'],
    ['trafficAmount', 10_000.001, 'not_a_traffic_amount'],
    ['trafficAmount', 0.0001, 'not_a_traffic_amount'],
    ['trafficAmount', 0.1 + 0.2, 'not_a_traffic_amount'],
    ['trafficAmount', [1], 'invalid_type'],
    ['orderType', undefined, 'required'],
    ['orderType', 'static_proxy', 'invalid_value'],
    ['userId', '1', 'invalid_type'],
    ['userId', 0, 'too_small'],
    ['unitPrice', '0', 'invalid_type'],
    ['totalAmount', true, 'invalid_type'],
    ['remark', 'x'.repeat(256), 'too_big'],
    ['appOrderNo', '', 'too_small'],
    ['appOrderNo', 'x'.repeat(65), 'too_big'],
  ])('%s = %j is refused', async (field, value, rule) => {
    const { userClient, body } = standing()
    const answer = await userClient.post(BUY, body({ [field]: value }))
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors).toMatchObject([{ field, rule }])
  })

  test('Limits are reached, not exceeded; what is not there cannot be bought', async () => {
    const { userClient, body, core, product } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 0.000001 })
    expect((await userClient.post(BUY, body({ trafficAmount: 10_000 }))).status).toBe(200)
    expectRefusal(await userClient.post(BUY, body({ poolId: 'nope' })), 404, 'product_not_found')
    await product('static')
    expectRefusal(await userClient.post(BUY, body({ poolId: 'static' })), 404, 'product_not_found')
  })

  test('An account that holds as much as can be stored takes no more, and nothing is charged', async () => {
    const { userClient, user, body, core, db, balance } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 0 })
    await userClient.post(BUY, body())
    await db.write((tx) => tx.traffic.updateMany({ data: { totalBytes: 9_000_000_000_000_000n } }))
    const answer = await userClient.post(BUY, body())
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors).toMatchObject([{ field: 'trafficAmount', rule: 'too_much_traffic' }])
    expect(await balance(user)).toBe(100)
  })
})

describe('the same order again', () => {
  test('gets the first answer, whatever has been used and spent since', async () => {
    const { userClient, body, core, db, audited, clock } = await shop()
    const first = await userClient.post(BUY, body({ appOrderNo: 'app-1' }))
    clock.advance(60_000)
    const { username } = await db.read.traffic.findFirstOrThrow()
    await core.traffic.recordUsage({ reportId: 'r1', account: username, bytes: 1e9 })
    await userClient.post(BUY, body())
    for (const [payload, headers] of [
      [body({ appOrderNo: 'app-1' }), {}],
      [body({ app_order_no: 'app-1' }), {}],
      [body({ unitPrice: 7 }), { 'idempotency-key': 'app-1' }],
    ] as const) {
      const again = await userClient.post(BUY, payload, { headers })
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect(again.body).toEqual(first.body)
    }
    await audited()
  })

  test('64 times at once is one order', async () => {
    const { userClient, body, user, entries, audited } = await shop()
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => userClient.post(BUY, body({ appOrderNo: 'app-1' }))),
    )
    expect(outcomes(answers)).toEqual({ ok: 64 })
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'])).toHaveLength(63)
    expect(await entries(user)).toHaveLength(2)
    await audited()
  })

  test('is a conflict when it is another one, of another kind too', async () => {
    const { userClient, agentClient, body, user, product, stock } = await shop()
    await product('static')
    await stock('static', 2)
    await userClient.post(BUY, body({ appOrderNo: 'app-1' }))
    for (const change of [{ trafficAmount: 2 }, { poolId: 'dyn-1' }, { remark: 'other' }]) {
      const answer = await userClient.post(BUY, body({ appOrderNo: 'app-1', ...change }))
      expectRefusal(answer, 409, 'idempotency_conflict')
      expect(answer.body.data).toEqual({ app_order_no: 'app-1' })
    }
    const number = (appOrderNo: string) => orderBody(user.id, { appOrderNo })
    expectRefusal(await userClient.post(CREATE, number('app-1')), 409, 'idempotency_conflict')
    expect((await userClient.post(CREATE, number('app-2'))).status).toBe(200)
    expectRefusal(await userClient.post(BUY, body({ appOrderNo: 'app-2' })), 409, 'idempotency_conflict')
    // Numbers are the caller's own.
    expect((await agentClient.post(BUY, body({ appOrderNo: 'app-1' }))).status).toBe(200)
  })
})

test('Parallel purchases on a small balance: as many as it covers', async () => {
  const { userClient, agentClient, user, body, core, balance, audited } = await shop()
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      index % 2 === 0
        ? userClient.post(BUY, body())
        : agentClient.post(BUY, body({ userId: user.id, poolId: 'dyn-1' })),
    ),
  )
  expect(outcomes(answers)).toEqual({ ok: 50, insufficient_balance: 70 })
  expect(await balance(user)).toBe(0)
  const { items } = await core.traffic.productsFlow(user, user.id)
  expect(items.reduce((sum, { total }) => sum + total, 0)).toBe(50e9)
  await audited()
})

describe('a quote', () => {
  test('says what traffic would cost, and where the next tier begins', async () => {
    const { userClient, agentClient, user, body, core, entries } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 1.5, minQuantity: 10 })
    const { body: answer } = await userClient.post(QUOTE, body({ trafficAmount: 2.5 }))
    expect(answer.data).toEqual({
      unit_price: 2,
      quantity: 2.5,
      periods: 1,
      discount: 0,
      promo_code: null,
      total_amount: 5,
      currency: 'USD',
      balance: 100,
      balance_after: 95,
      next_tier: { min_quantity: 10, price: 1.5 },
    })
    const many = await agentClient.post(QUOTE, body({ trafficAmount: 100, userId: user.id }))
    expect(many.body.data).toMatchObject({ unit_price: 1.5, balance_after: -50, next_tier: null })
    expect(await entries(user)).toHaveLength(1)
  })

  test('refuses what the order would refuse', async () => {
    const { userClient, body, seller } = await shop()
    expectRefusal(await userClient.post(QUOTE, body({ userId: seller.id })), 403, 'agent_required')
    expectRefusal(await userClient.post(QUOTE, body({ poolId: 'nope' })), 404, 'product_not_found')
    expectRefusal(await userClient.post(QUOTE, body({ trafficAmount: 0 })), 422, 'validation_error')
    expectRefusal(await userClient.post(QUOTE, body({ orderType: 'other' })), 422, 'validation_error')
    expectRefusal(await userClient.post(QUOTE, {}), 422, 'validation_error')
  })
})

describe('dynamic orders', () => {
  async function withOrders() {
    const all = await shop()
    const { seller, user, clock, core, db } = all
    const buy = async (buyer: typeof user, change: Parameters<typeof all.buyTraffic>[1]) => {
      const { order } = await all.buyTraffic(buyer, { poolId: 'dyn-2', ...change })
      clock.advance(24 * 3_600_000)
      return order.orderNo
    }
    const orders = {
      own: await buy(seller, { poolId: 'dyn-1', appOrderNo: 'shared', remark: '100% mine' }),
      first: await buy(user, { appOrderNo: 'shared' }),
      second: await buy(user, { remark: 'with_underscore', trafficAmount: 2 }),
      third: await buy(user, { poolId: 'dyn-3', remark: 'without' }),
    }
    const { username } = await db.read.traffic.findFirstOrThrow({
      where: { product: { productNo: 'dyn-2' } },
    })
    await core.traffic.recordUsage({ reportId: 'r1', account: username, bytes: 1.5e9 })
    // Those of the shop are older than a token lives.
    const clients = { agentClient: await all.as(seller), userClient: await all.as(user) }
    const list = async (client: typeof all.userClient, query = '') => {
      const { body } = await client.get(`/dynamic${query}`)
      return body.data.items.map(
        ({ orderNo }) => Object.entries(orders).find(([, no]) => no === orderNo)?.[0],
      )
    }
    return { ...all, ...clients, orders, list }
  }

  test('are listed newest first, own ones and an agent’s sub-users’', async () => {
    const { list, userClient, agentClient, as, agent } = await withOrders()
    expect(await list(userClient)).toEqual(['third', 'second', 'first'])
    expect(await list(agentClient)).toEqual(['third', 'second', 'first', 'own'])
    expect(await list(await as(await agent()))).toEqual([])
  })

  test('are found by every filter', async () => {
    const { list, agentClient, user, seller, orders } = await withOrders()
    const cases: Record<string, string[]> = {
      [`user_id=${user.id}`]: ['third', 'second', 'first'],
      [`user_id=${seller.id}`]: ['own'],
      'user_id=999': [],
      'username=USE': ['third', 'second', 'first'],
      'username=sel': ['own'],
      [`order_no=${orders.second}`]: ['second'],
      [`orderNo=${orders.second}`]: ['second'],
      'order_no=shared': ['first', 'own'],
      'order_no=share': [],
      'pool_type=dynamic_1': ['own'],
      'pool_type=dynamic_2': ['second', 'first'],
      'status=exhausted': ['first'],
      'status=active': ['third', 'second', 'own'],
      'status=failed': [],
      'start_date=2026-03-03': ['third', 'second'],
      'end_date=2026-03-02': ['first', 'own'],
      'start_date=2026-03-03&end_date=9999-12-31': ['third', 'second'],
      'start_date=2026-03-02&end_date=2026-03-02': ['first'],
      'keyword=100%25': ['own'],
      'keyword=%25': ['own'],
      'keyword=h_u': ['second'],
      'keyword=dyn-3': ['third'],
      [`keyword=${orders.first}`]: ['first'],
      'keyword=seller': ['own'],
      'keyword=%E5%8A%A8%E6%80%81%203': ['third'],
      'page=2&page_size=3': ['own'],
      'page=2&pageSize=2': ['first', 'own'],
    }
    for (const [query, expected] of Object.entries(cases)) {
      expect(await list(agentClient, `?${query}`), query).toEqual(expected)
    }
    const { body } = await agentClient.get('/dynamic?page=2&page_size=3')
    expect(body.data).toMatchObject({ total: 4, page: 2, page_size: 3, pageSize: 3 })
    expect(body.data.list).toEqual(body.data.items)
  })

  test.each([
    ['page=0', 'page'],
    ['page_size=101', 'page_size'],
    ['user_id=x', 'user_id'],
    ['pool_type=dynamic_4', 'pool_type'],
    ['status=open', 'status'],
    ['start_date=2026-02-30', 'start_date'],
    ['end_date=yesterday', 'end_date'],
    ['start_date=2026-03-02&end_date=2026-03-01', 'end_date'],
  ])('refuse the filter %s', async (query, field) => {
    const { userClient } = standing()
    const answer = await userClient.get(`/dynamic?${query}`)
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors).toMatchObject([{ field }])
  })

  test('are read by id, by number, and by the application’s number', async () => {
    const { userClient, agentClient, orders, as, agent } = await withOrders()
    const read = async (client: typeof userClient, path: string) => (await client.get(path)).body.data
    const first = await read(userClient, `/dynamic/order-info/${orders.first}`)
    expect(first).toMatchObject({
      order_no: orders.first,
      status: 'exhausted',
      traffic_amount: 1,
      used_traffic: 1,
      remaining_traffic: 0,
    })
    expect(await read(userClient, `/dynamic/order-info/${orders.second}`)).toMatchObject({
      status: 'active',
      used_traffic: 0.5,
      remaining_traffic: 1.5,
    })
    const { id } = first as unknown as { id: number }
    expect(await read(userClient, `/dynamic/${id}`)).toEqual(first)
    expect(await read(agentClient, `/dynamic/${id}`)).toEqual(first)
    expect(await read(userClient, '/dynamic/order-info/shared')).toEqual(first)
    // The agent gave this number to an order of its own.
    expect(await read(agentClient, '/dynamic/order-info/shared')).toMatchObject({ order_no: orders.own })

    const stranger = await as(await agent())
    for (const path of [
      `/dynamic/${id}`,
      `/dynamic/order-info/${orders.first}`,
      '/dynamic/order-info/shared',
      '/dynamic/999',
      '/dynamic/0',
      '/dynamic/-1',
      '/dynamic/1e0',
      '/dynamic/abc',
      '/dynamic/order-info/nope',
    ]) {
      expectRefusal(await stranger.get(path), 404, 'order_not_found')
    }
    expectRefusal(await userClient.get('/dynamic/1'), 404, 'order_not_found')
  })
})

describe('remaining traffic', () => {
  test('of all products, of one, and of none', async () => {
    const { userClient, agentClient, user, seller, body, core, db, clock } = await shop()
    await userClient.post(BUY, body({ trafficAmount: 2 }))
    await userClient.post(BUY, body({ trafficAmount: 1 }))
    await userClient.post(BUY, body({ poolId: 'dyn-3', trafficAmount: 1 }))
    clock.advance(1000)
    for (const [productNo, bytes] of [
      ['dyn-2', 500_000_000],
      ['dyn-3', 5e9],
    ] as const) {
      const { username } = await db.read.traffic.findFirstOrThrow({ where: { product: { productNo } } })
      await core.traffic.recordUsage({ reportId: productNo, account: username, bytes })
    }
    const two = {
      product_no: 'dyn-2',
      product_name: 'Dynamic 2',
      pool_type: 'dynamic_2',
      proxy_type: 104,
      total: 3,
      used: 0.5,
      allocated: 0,
      remaining: 2.5,
      unit: 'GB',
      status: 'active',
      updated_at: '2026-03-01T12:00:01.000Z',
    }
    const three = { used: 1, remaining: 0, total: 1, status: 'exhausted', proxy_type: 105 }
    for (const client of [userClient, agentClient]) {
      const all = await client.get(`/user/${user.id}/products-flow`)
      expect(all.body.data).toMatchObject({ user_id: user.id, items: [two, three] })
      expect((await client.get(`/user/${user.id}/remaining-flow/dyn-2`)).body.data).toEqual(two)
      expect((await client.get(`/user/${user.id}/remaining-flow/dyn-1`)).body.data).toEqual({
        ...two,
        product_no: 'dyn-1',
        product_name: 'Dynamic 1',
        pool_type: 'dynamic_1',
        total: 0,
        used: 0,
        remaining: 0,
        status: 'none',
        updated_at: null,
      })
    }
    const none = await agentClient.get(`/user/${seller.id}/products-flow`)
    expect(none.body.data).toEqual({ user_id: seller.id, items: [] })
  })

  test('is nobody else’s business, and of no unknown product', async () => {
    const { userClient, agentClient, user, seller, agent, customer, product, db } = await shop()
    const stranger = await customer(await agent())
    await product('static')
    for (const rest of ['products-flow', 'remaining-flow/dyn-2']) {
      expectRefusal(await userClient.get(`/user/${seller.id}/${rest}`), 403, 'agent_required')
      expectRefusal(await agentClient.get(`/user/${stranger.id}/${rest}`), 403, 'not_direct_sub_user')
      expectRefusal(await agentClient.get(`/user/999/${rest}`), 404, 'sub_user_not_found')
      expectRefusal(await agentClient.get(`/user/abc/${rest}`), 404, 'sub_user_not_found')
    }
    for (const productNo of ['nope', 'static']) {
      const answer = await userClient.get(`/user/${user.id}/remaining-flow/${productNo}`)
      expectRefusal(answer, 404, 'product_not_found')
    }
    // A disabled sub-user still has what it bought.
    await db.write((tx) => tx.account.update({ where: { id: user.id }, data: { status: 'disabled' } }))
    expect((await agentClient.get(`/user/${user.id}/products-flow`)).status).toBe(200)
  })

  test('is what the balance shows as lumi_balance and dyn3_balance', async () => {
    const { userClient, body } = await shop()
    for (const poolId of ['dyn-1', 'dyn-2', 'dyn-3'])
      await userClient.post(BUY, body({ poolId, trafficAmount: Number(poolId.slice(-1)) }))
    const a = await userClient.get(BALANCE, { base: '/a/api' })
    expect(a.body.data).toMatchObject({ lumi_balance: 1 })
    expect(a.body.data).not.toHaveProperty('dyn3_balance')
    const b = await userClient.get(BALANCE, { base: '/b/api' })
    expect(b.body.data).toMatchObject({ lumi_balance: 1, dyn3_balance: 3 })
  })
})

test('The catalogue shows dynamic products per GB, with tiers in GB', async () => {
  const { userClient, core } = await shop()
  await core.operator.setPrice(SHELL, { productNo: 'dyn-2', price: 1.5, minQuantity: 10 })
  const { body } = await userClient.post(PRODUCTS, { proxyType: [104, 105] })
  expect(body.data.items.map(({ productId }) => productId)).toEqual(['dyn-1', 'dyn-2', 'dyn-3'])
  expect(body.data.items[1]).toMatchObject({
    productId: 'dyn-2',
    proxyType: 104,
    pool_type: 'dynamic_2',
    unit: 0,
    duration: 0,
    stock: 0,
    countryCode: '',
    price: 2,
    tiers: [
      { min_gb: 1, price: 2 },
      { min_gb: 10, price: 1.5 },
    ],
  })
  const one = await userClient.post(PRODUCTS, { proxyType: 105 })
  expect(one.body.data.items).toMatchObject([{ productId: 'dyn-3', proxyType: 105 }])
})
