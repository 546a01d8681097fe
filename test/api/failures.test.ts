import { expect, test } from 'vitest'
import { BALANCE, CREATE, expectRefusal, LIST, openApi, orderBody } from '../support/api.ts'
import { beside } from '../support/beside.ts'
import { PASSWORD } from '../support/service.ts'

test('A failure of ours is logged whole and answered without any detail', async () => {
  const api = await openApi()
  const { agent, as, log } = api
  const client = await as(await agent())
  await (await beside(api)).run('ALTER TABLE traffic RENAME TO gone')
  const answer = await client.get(BALANCE)
  expectRefusal(answer, 500, 'internal_error')
  expect(answer.body).toMatchObject({ message: 'Internal error', data: null })
  const failure = log.find(({ level }) => level === 50)
  expect(failure).toMatchObject({
    id: answer.body.request_id,
    route: `/api${BALANCE}`,
    error: 'internal_error',
  })
  expect(failure?.err).toMatchObject({ message: expect.any(String), stack: expect.stringContaining(' at ') })
})

test('A database that stays locked is a reason to come back later', async () => {
  const api = await openApi()
  const { agent, as, product, stock } = api
  await product('static')
  await stock('static', 1)
  const buyer = await agent({ balance: 1 })
  const client = await as(buyer)
  const { lock, run } = await beside(api)
  await lock()
  const refused = await client.post(CREATE, orderBody(buyer.id))
  expectRefusal(refused, 503, 'unavailable')
  expect(refused.headers['retry-after']).toBe('1')
  expect((await client.get(BALANCE)).body.data.balance).toBe(1)
  await run('ROLLBACK')
  expect((await client.post(CREATE, orderBody(buyer.id))).status).toBe(200)
})

test('An answer that does not fit its schema fails its test', async () => {
  const api = await openApi()
  const { agent, as, product, stock, order, log } = api
  await product('static')
  await stock('static', 1)
  const buyer = await agent({ balance: 1 })
  await order(buyer)
  await (await beside(api)).run("UPDATE static_orders SET created_at = 'yesterday'")
  expectRefusal(await (await as(buyer)).get(LIST), 500, 'internal_error')
  expect(JSON.stringify(log)).toContain('the answer does not fit its schema')
})

test('Each request is one log line with its id, and without what it said', async () => {
  const { agent, as, call, log } = await openApi()
  const actor = await agent({ name: 'visible' })
  const { token, get } = await as(actor)
  const login = { username: 'visible', password: PASSWORD }
  await call('POST', '/auth/login', { payload: login, headers: { 'user-agent': 'evil\nagent' } })
  await call('POST', '/auth/login', { payload: { ...login, password: 'wrong-secret' } })
  const list = await get(`${LIST}?orderNo=hidden-in-query`)
  await call('GET', '/nope%0A/hidden-in-path')
  expect(log).toHaveLength(4)
  expect(log[2]).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: expect.any(Number),
    hostname: expect.any(String),
    id: list.headers['x-request-id'],
    method: 'GET',
    route: `/api${LIST}`,
    status: 200,
    ms: expect.any(Number),
    user: actor.id,
    msg: 'request',
  })
  expect(log[1]).toMatchObject({ status: 401, error: 'invalid_credentials' })
  expect(log[3]).toMatchObject({ route: null, status: 404, error: 'route_not_found' })
  const text = JSON.stringify(log)
  for (const secret of [token, PASSWORD, 'wrong-secret', 'hidden', 'evil']) expect(text).not.toContain(secret)
})

test('The id of a request is ours, not what the client says it is', async () => {
  const { server } = await openApi()
  const { headers } = await server.inject({
    url: '/healthz',
    headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
  })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})
