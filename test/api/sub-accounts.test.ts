import { describe, expect, test } from 'vitest'
import { expectRefusal, openApi, outcomes } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'

const PATH = '/open/app/dynamic/sub-accounts'
const B = { base: '/b/api', headers: { 'accept-language': 'en' } } as const

interface SubAccount {
  readonly id: number
  readonly username: string
  readonly password: string | null
  readonly remaining_traffic: number
}

/** An agent's customer with 10 GB, and what both call. */
async function shop() {
  const api = await openApi()
  await api.product('dyn', { proxyType: 104, pool: 'dynamic_3' })
  const seller = await api.agent({ name: 'seller', balance: 100 })
  const user = await api.customer(seller, { name: 'user', balance: 100 })
  await api.buyTraffic(user, { poolId: 'dyn', trafficAmount: 10 })
  const client = await api.as(user)
  const agentClient = await api.as(seller)
  const create = async (change: object = {}) => {
    const { body } = await client.post(PATH, { productNo: 'dyn', ...change }, B)
    expect(body).toMatchObject({ code: 0 })
    return body.data as unknown as SubAccount
  }
  const left = async () => {
    const { remaining, allocated } = await api.core.traffic.remainingFlow(user, user.id, 'dyn')
    return [remaining / 1e9, allocated / 1e9]
  }
  return { ...api, seller, user, client, agentClient, create, left }
}

/** For cases that change nothing. */
const standing = shared(shop)

describe('a sub-account', () => {
  test('is created with a part of the traffic', async () => {
    const { client, user, left, audited } = await shop()
    const { status, body } = await client.post(
      PATH,
      { productNo: 'dyn', username: 'crawler_1', password: 'pass.word-1', amount: 2.5, remark: 'first' },
      B,
    )
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id: 1,
      user_id: user.id,
      product_no: 'dyn',
      username: 'crawler_1',
      password: 'pass.word-1',
      limit_traffic: 2.5,
      used_traffic: 0,
      remaining_traffic: 2.5,
      status: 'active',
      remark: 'first',
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
    })
    expect(await left()).toEqual([7.5, 2.5])
    expect((await client.get(`${PATH}/1`, B)).body.data).toEqual(body.data)
    await audited()
  })

  test('has a name and a password made up when none are given, and no traffic unless asked for', async () => {
    const { client, left } = await shop()
    const { body } = await client.post(PATH, { product_no: 'dyn' }, B)
    expect(body.data).toMatchObject({
      username: expect.stringMatching(/^s0[0-9a-z]{12}$/) as string,
      password: expect.stringMatching(/^[A-Za-z2-9]{20}$/) as string,
      limit_traffic: 0,
      remark: '',
    })
    expect(await left()).toEqual([10, 0])
  })

  test.each([
    [{ productNo: undefined }, 'productNo', 'required'],
    [{ productNo: 5 }, 'productNo', 'invalid_type'],
    [{ username: 'ab' }, 'username', 'letters_digits_underscore'],
    [{ username: 'with-hyphen' }, 'username', 'letters_digits_underscore'],
    [{ username: 'x'.repeat(33) }, 'username', 'letters_digits_underscore'],
    [{ username: 'u0abcdefghijkl' }, 'username', 'reserved_name'],
    [{ password: 'short' }, 'password', 'not_a_gateway_password'],
    [{ password: 'with:colon' }, 'password', 'not_a_gateway_password'],
    [{ password: 'x'.repeat(51) }, 'password', 'not_a_gateway_password'],
    [{ amount: -1 }, 'amount', 'not_a_traffic_amount'],
    [{ amount: '1' }, 'amount', 'invalid_type'],
    [{ amount: 0.0001 }, 'amount', 'not_a_traffic_amount'],
    [{ remark: 'x'.repeat(256) }, 'remark', 'too_big'],
    [{ userId: 'me' }, 'userId', 'invalid_type'],
  ])('with %j is refused', async (change, field, rule) => {
    const { client } = standing()
    const answer = await client.post(PATH, { productNo: 'dyn', ...change }, B)
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors).toMatchObject([{ field, rule }])
  })

  test('needs a name that nobody has, a product that was bought, and traffic that is there', async () => {
    const { client, agentClient, create, db, product, user } = await shop()
    await create({ username: 'crawler' })
    expectRefusal(
      await client.post(PATH, { productNo: 'dyn', username: 'crawler' }, B),
      409,
      'username_taken',
    )
    const { username: main } = await db.read.traffic.findFirstOrThrow()
    await db.write((tx) => tx.traffic.updateMany({ data: { username: 'main_name' } }))
    expect(main).not.toBe('main_name')
    expectRefusal(
      await client.post(PATH, { productNo: 'dyn', username: 'main_name' }, B),
      409,
      'username_taken',
    )
    expectRefusal(await client.post(PATH, { productNo: 'nope' }, B), 404, 'product_not_found')
    await product('static')
    expectRefusal(await client.post(PATH, { productNo: 'static' }, B), 404, 'product_not_found')
    const tooMuch = await client.post(PATH, { productNo: 'dyn', username: 'greedy', amount: 10.001 }, B)
    expectRefusal(tooMuch, 409, 'traffic_not_available')
    expect(tooMuch.body.data).toEqual({ requested: 10.001, available: 10 })
    // Nothing is left of the attempt.
    expect((await create({ username: 'greedy' })).username).toBe('greedy')
    const agentsOwn = await agentClient.post(PATH, { productNo: 'dyn' }, B)
    expectRefusal(agentsOwn, 409, 'traffic_not_available')
    const forUser = await agentClient.post(PATH, { productNo: 'dyn', userId: user.id, amount: 1 }, B)
    expect(forUser.body.data).toMatchObject({ user_id: user.id, password: null, limit_traffic: 1 })
  })

  test('gets traffic and gives it back', async () => {
    const { client, create, left, core, clock, audited } = await shop()
    const { id, username } = await create({ amount: 1 })
    clock.advance(1000)
    const move = (amount: unknown, remark?: string) =>
      client.post(`${PATH}/${id}/traffic`, { amount, ...(remark !== undefined && { remark }) }, B)
    expect((await move(2.5, 'more')).body.data).toMatchObject({
      limit_traffic: 3.5,
      remaining_traffic: 3.5,
      updated_at: '2026-03-01T12:00:01.000Z',
    })
    await core.traffic.recordUsage({ reportId: 'r', account: username, bytes: 1e9 })
    expect((await move(-2)).body.data).toMatchObject({
      limit_traffic: 1.5,
      used_traffic: 1,
      remaining_traffic: 0.5,
    })
    const tooMuchBack = await move(-0.501)
    expectRefusal(tooMuchBack, 409, 'traffic_not_available')
    expect(tooMuchBack.body.data).toEqual({ requested: 0.501, available: 0.5 })
    const tooMuch = await move(8.501)
    expectRefusal(tooMuch, 409, 'traffic_not_available')
    expect(tooMuch.body.data).toEqual({ requested: 8.501, available: 8.5 })
    expect(await left()).toEqual([8.5, 1.5])
    for (const amount of [0, -0, '1', undefined, null, 0.0001, 10_001, 1e308]) {
      expectRefusal(await move(amount), 422, 'validation_error')
    }
    await audited()
  })

  test('gets traffic once, however often the request comes under its key', async () => {
    const { client, agentClient, create, left, core, audited } = await shop()
    const { id, username } = await create({ amount: 1 })
    const { id: other } = await create()
    const move = (by: typeof client, amount: number, remark = '', to = id) =>
      by.post(
        `${PATH}/${to}/traffic`,
        { amount, remark },
        { ...B, headers: { ...B.headers, 'idempotency-key': 'k' } },
      )
    expectRefusal(await move(client, 99), 409, 'traffic_not_available')
    const answers = await Promise.all(Array.from({ length: 16 }, () => move(client, 2)))
    expect(outcomes(answers)).toEqual({ ok: 16 })
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] !== 'true')).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await left()).toEqual([7, 3])

    await core.traffic.recordUsage({ reportId: 'r', account: username, bytes: 1e9 })
    expect((await move(client, 2)).body.data).toMatchObject({ limit_traffic: 3, remaining_traffic: 3 })
    for (const conflict of [
      await move(client, 3),
      await move(client, 2, 'other'),
      await move(client, 2, '', other),
    ]) {
      expectRefusal(conflict, 409, 'idempotency_conflict')
      expect(conflict.body.data).toEqual({ idempotency_key: 'k' })
    }
    const byAgent = await move(agentClient, 2)
    expect(byAgent.headers['idempotency-replayed']).toBeUndefined()
    expect(byAgent.body.data).toMatchObject({ limit_traffic: 5 })
    await audited()
  })

  test('is disabled and enabled, and keeps its traffic', async () => {
    const { client, create, left } = await shop()
    const { id } = await create({ amount: 1 })
    const become = (status: unknown) => client.patch(`${PATH}/${id}/status`, { status }, B)
    expect((await become('disabled')).body.data).toMatchObject({ status: 'disabled', remaining_traffic: 1 })
    expect((await become('disabled')).body.data).toMatchObject({ status: 'disabled' })
    expect(await left()).toEqual([9, 1])
    expect((await become('active')).body.data).toMatchObject({ status: 'active' })
    for (const status of ['deleted', 'on', 1, undefined])
      expectRefusal(await become(status), 422, 'validation_error')
  })

  test('gets the password that is sent, or one that is made up', async () => {
    const { client, create } = await shop()
    const { id, password } = await create()
    const change = (body?: object) => client.patch(`${PATH}/${id}/password`, body, B)
    expect((await change({ password: 'chosen.one' })).body.data).toMatchObject({ password: 'chosen.one' })
    const seen = new Set([password, 'chosen.one'])
    for (const body of [{}, undefined, { password: null }]) {
      const { password: made } = (await change(body)).body.data as unknown as SubAccount
      expect(made).toMatch(/^[A-Za-z2-9]{20}$/)
      expect(seen.has(made)).toBe(false)
      seen.add(made)
    }
    expectRefusal(await change({ password: 'no spaces' }), 422, 'validation_error')
  })

  test('returns the rest when it is deleted, and is gone', async () => {
    const { client, create, left, core, audited } = await shop()
    const { id, username } = await create({ username: 'crawler', amount: 3 })
    await core.traffic.recordUsage({ reportId: 'r', account: username, bytes: 1e9 })
    const { body } = await client.delete(`${PATH}/${id}`, B)
    expect(body.data).toEqual({ id, status: 'deleted', returned_traffic: 2 })
    expect(await left()).toEqual([9, 1])
    for (const answer of [
      await client.get(`${PATH}/${id}`, B),
      await client.delete(`${PATH}/${id}`, B),
      await client.post(`${PATH}/${id}/traffic`, { amount: 1 }, B),
      await client.patch(`${PATH}/${id}/status`, { status: 'active' }, B),
      await client.patch(`${PATH}/${id}/password`, {}, B),
    ]) {
      expectRefusal(answer, 404, 'sub_account_not_found')
    }
    expect((await client.get(PATH, B)).body.data.total).toBe(0)
    expectRefusal(
      await client.post(PATH, { productNo: 'dyn', username: 'crawler' }, B),
      409,
      'username_taken',
    )
    await audited()
  })

  test('of somebody else is like none; the agent of its owner sees all but the password', async () => {
    const { agentClient, create, as, agent, customer, seller } = await shop()
    const { id } = await create({ amount: 1 })
    const strangers = [await as(await agent()), await as(await customer(seller))]
    for (const stranger of strangers) {
      for (const answer of [
        await stranger.get(`${PATH}/${id}`, B),
        await stranger.delete(`${PATH}/${id}`, B),
        await stranger.post(`${PATH}/${id}/traffic`, { amount: -1 }, B),
        await stranger.patch(`${PATH}/${id}/status`, { status: 'disabled' }, B),
        await stranger.patch(`${PATH}/${id}/password`, { password: 'stolen.1' }, B),
      ]) {
        expectRefusal(answer, 404, 'sub_account_not_found')
      }
      expect((await stranger.get(PATH, B)).body.data.total).toBe(0)
    }
    for (const wrong of ['0', 'abc', '1e0', '-1', '999'])
      expectRefusal(await agentClient.get(`${PATH}/${wrong}`, B), 404, 'sub_account_not_found')
    expect((await agentClient.get(`${PATH}/${id}`, B)).body.data).toMatchObject({ id, password: null })
    expect((await agentClient.get(PATH, B)).body.data.items).toMatchObject([{ id, password: null }])
    const { body } = await agentClient.patch(`${PATH}/${id}/status`, { status: 'disabled' }, B)
    expect(body.data).toMatchObject({ status: 'disabled', password: null })
  })
})

test('Sub-accounts are listed newest first and found by every filter', async () => {
  const { client, agentClient, create, buyTraffic, product, seller, user } = await shop()
  await product('dyn-1', { proxyType: 104, pool: 'dynamic_1' })
  await buyTraffic(user, { poolId: 'dyn-1' })
  await buyTraffic(seller, { poolId: 'dyn-1' })
  await create({ username: 'first', remark: '100% sure' })
  await create({ username: 'second_one' })
  await create({ username: 'third', productNo: 'dyn-1' })
  await agentClient.post(PATH, { productNo: 'dyn-1', username: 'agents' }, B)
  await client.patch(`${PATH}/2/status`, { status: 'disabled' }, B)
  const list = async (caller: typeof client, query = '') => {
    const { body } = await caller.get(`${PATH}${query}`, B)
    return body.data.items.map((item) => (item as unknown as SubAccount).username)
  }
  expect(await list(client)).toEqual(['third', 'second_one', 'first'])
  const cases: Record<string, string[]> = {
    '': ['agents', 'third', 'second_one', 'first'],
    [`?user_id=${user.id}`]: ['third', 'second_one', 'first'],
    '?product_no=dyn-1': ['agents', 'third'],
    '?productNo=dyn': ['second_one', 'first'],
    '?status=disabled': ['second_one'],
    '?keyword=%25': ['first'],
    '?keyword=d_o': ['second_one'],
    '?page=2&pageSize=3': ['first'],
  }
  for (const [query, expected] of Object.entries(cases))
    expect(await list(agentClient, query), query).toEqual(expected)
  const { body } = await agentClient.get(`${PATH}?page_size=1`, B)
  expect(body.data).toMatchObject({ total: 4, page: 1, page_size: 1 })
  expect(body.data.list).toEqual(body.data.items)
  for (const query of ['?status=deleted', '?page=0', '?page_size=101', '?user_id=me'])
    expectRefusal(await agentClient.get(PATH + query, B), 422, 'validation_error')
})

test.each([
  ['GET', PATH],
  ['POST', PATH],
  ['GET', `${PATH}/1`],
  ['DELETE', `${PATH}/1`],
  ['POST', `${PATH}/1/traffic`],
  ['PATCH', `${PATH}/1/status`],
  ['PATCH', `${PATH}/1/password`],
] as const)('%s %s is no endpoint of variant A, and wants a token in B', async (method, path) => {
  const { call, user, core, create } = standing()
  await create()
  const payload = method === 'GET' || method === 'DELETE' ? {} : { payload: {} }
  const { token } = await core.accounts.logIn({
    username: user.username,
    password: 'correct horse',
    address: 'test',
  })
  const headers = { authorization: `Bearer ${token}` }
  for (const base of ['/a/api', '/api'] as const) {
    expectRefusal(await call(method, path, { base, headers, ...payload }), 404, 'route_not_found')
    expectRefusal(await call(method, path, { base, ...payload }), 404, 'route_not_found')
  }
  expectRefusal(await call(method, path, { base: '/b/api', ...payload }), 401, 'token_missing')
})

test('The docs of variant A know nothing of sub-accounts', async () => {
  const { server } = await openApi()
  expect((await server.inject('/a/api/openapi.json')).body).not.toContain(PATH)
  expect((await server.inject('/b/api/openapi.json')).body).toContain(PATH)
})

test('What many take from the main account at once is never more than it has', async () => {
  const { client, create, left, audited } = await shop()
  const { id } = await create()
  const moves = await Promise.all(
    Array.from({ length: 80 }, () => client.post(`${PATH}/${id}/traffic`, { amount: 0.25 }, B)),
  )
  expect(outcomes(moves)).toEqual({ ok: 40, traffic_not_available: 40 })
  expect(await left()).toEqual([0, 10])
  await Promise.all([
    client.delete(`${PATH}/${id}`, B),
    ...Array.from({ length: 20 }, () => client.post(`${PATH}/${id}/traffic`, { amount: -1 }, B)),
  ])
  expect(await left()).toEqual([10, 0])
  await audited()
})
