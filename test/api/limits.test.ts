import { afterEach, expect, test, vi } from 'vitest'
import {
  BALANCE,
  CREATE,
  expectRefusal,
  LIST,
  openApi,
  orderBody,
  outcomes,
  PRODUCTS,
  QUOTE,
} from '../support/api.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { PASSWORD } from '../support/service.ts'

const LIMITS = { reads: 5, writes: 3, strangers: 4 }
const LOGIN = '/auth/login'

afterEach(() => void vi.useRealTimers())

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

test('An account has its reads a minute, with all its tokens and under all base addresses', async () => {
  const { agent, as } = await openApi({ api: { limits: LIMITS } })
  const actor = await agent()
  const [one, two] = [await as(actor), await as(actor)]
  const first = await one.get(BALANCE)
  expect(first.headers).toMatchObject({
    'ratelimit-limit': '5',
    'ratelimit-remaining': '4',
    'ratelimit-reset': '60',
  })
  for (const client of [one, two])
    for (const base of ['/a/api', '/b/api'] as const)
      expect((await client.get(LIST, { base })).status).toBe(200)
  const refused = await two.get(BALANCE)
  expectRefusal(refused, 429, 'rate_limited')
  expect(refused.body.message).toBe('Too many requests')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect(refused.headers).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-limit': '5' })

  const other = await as(await agent())
  expect((await other.get(BALANCE)).status).toBe(200)
})

test('Reads and writes are counted apart; a question by POST is a read', async () => {
  const { agent, as, product, stock } = await openApi({ api: { limits: LIMITS } })
  await product()
  await stock('static', 9)
  const buyer = await agent({ balance: 9 })
  const client = await as(buyer)
  const order = () => client.post(CREATE, orderBody(buyer.id))
  expect(outcomes(await times(5, order))).toEqual({ ok: 3, rate_limited: 2 })
  expect(outcomes(await times(3, () => client.post(PRODUCTS, {})))).toEqual({ ok: 3 })
  expect(outcomes(await times(3, () => client.post(QUOTE, orderBody(buyer.id))))).toEqual({
    ok: 2,
    rate_limited: 1,
  })
})

test('What was refused costs nothing, and after a minute everything is as before', async () => {
  const { agent, as, product, stock, balance } = await openApi({ api: { limits: LIMITS } })
  await product()
  await stock('static', 9)
  const buyer = await agent({ balance: 9 })
  const client = await as(buyer)
  const order = () => client.post(CREATE, orderBody(buyer.id))
  vi.useFakeTimers({ toFake: ['Date'] })
  await times(8, order)
  expect(await balance(buyer)).toBe(6)
  vi.setSystemTime(Date.now() + 59_000)
  expectRefusal(await order(), 429, 'rate_limited')
  vi.setSystemTime(Date.now() + 2_000)
  expect((await order()).status).toBe(200)
})

test('Log-ins and refused tokens are counted by address', async () => {
  const { agent, call, as, server } = await openApi({ api: { limits: LIMITS } })
  const actor = await agent({ name: 'ann' })
  const { get } = await as(actor)
  const logIn = () => call('POST', LOGIN, { payload: { username: 'ann', password: PASSWORD } })
  expect(outcomes(await times(3, logIn))).toEqual({ ok: 3 })
  const forged = () => call('GET', BALANCE, { headers: { authorization: 'Bearer a.b.c' } })
  expectRefusal(await forged(), 401, 'token_invalid')
  expectRefusal(await forged(), 429, 'rate_limited')
  expectRefusal(await logIn(), 429, 'rate_limited')
  expectRefusal(await call('GET', BALANCE), 429, 'rate_limited')
  // Who has a token is somebody else.
  expect((await get(BALANCE)).status).toBe(200)
  const elsewhere = await server.inject({
    method: 'POST',
    url: `/api${LOGIN}`,
    payload: { username: 'ann', password: PASSWORD },
    remoteAddress: '192.0.2.9',
  })
  expect(elsewhere.statusCode).toBe(200)
})

test('The address is that of the connection, and only a trusted proxy may name another one', async () => {
  const attempt = (
    server: Awaited<ReturnType<typeof openApi>>['server'],
    forwarded: string,
    remoteAddress: string,
  ) =>
    server.inject({
      method: 'POST',
      url: `/api${LOGIN}`,
      payload: { username: 'nobody', password: 'wrong-password' },
      headers: { 'x-forwarded-for': forwarded },
      remoteAddress,
    })
  const limits = { ...LIMITS, strangers: 1 }
  const open = await openApi({ api: { limits } })
  expect((await attempt(open.server, '198.51.100.1', '192.0.2.1')).statusCode).toBe(401)
  expect((await attempt(open.server, '198.51.100.2', '192.0.2.1')).statusCode).toBe(429)

  const { server } = await openApi({ api: { limits, trustedProxies: ['192.0.2.0/24'] } })
  expect((await attempt(server, '198.51.100.1', '192.0.2.1')).statusCode).toBe(401)
  expect((await attempt(server, '198.51.100.2', '192.0.2.1')).statusCode).toBe(401)
  // What the client itself wrote in front of the proxy's entry is nobody's address.
  expect((await attempt(server, '203.0.113.7, 198.51.100.2', '192.0.2.1')).statusCode).toBe(429)
  expect((await attempt(server, '198.51.100.3', '203.0.113.1')).statusCode).toBe(401)
  expect((await attempt(server, '198.51.100.4', '203.0.113.1')).statusCode).toBe(429)
})

test.each([
  [
    'x-forwarded-for',
    ['203.0.113.7:20000', '203.0.113.7:20001', '203.0.113.7', '"203.0.113.7:7"', '::ffff:203.0.113.7'],
  ],
  [
    'x-forwarded-for',
    ['[2001:db8::1]:443', '[2001:db8::1]', '2001:db8::1', '"[2001:db8::1]:80"', '[2001:db8::2]:_x1'],
  ],
  ['x-forwarded-for', ['unknown', '_hidden', '', 'gibberish, :20000', '1', '203.0.113.7:port, 0x7f.1']],
  [
    'forwarded',
    [
      'for=203.0.113.7',
      'for="203.0.113.7:4711";proto=http;by=192.0.2.1',
      'for=198.51.100.9, proto=https;For="203.0.113.7:_secret"',
    ],
  ],
  [
    'forwarded',
    ['for="[2001:db8::1]:4711"', 'host="a,for=198.51.100.1;for=198.51.100.2";for="[2001:db8::1]"'],
  ],
  ['forwarded', ['for=unknown', 'for=_mdn', 'for="', 'proto=http', 'for=198.51.100.1, proto=http']],
])('A client of a trusted proxy is one client however %s writes it: %j', async (header, spellings) => {
  const { server } = await openApi({
    api: { limits: { ...LIMITS, strangers: 1 }, trustedProxies: ['192.0.2.1'] },
  })
  const statuses: number[] = []
  for (const spelling of spellings) {
    const { statusCode } = await server.inject({
      method: 'POST',
      url: `/api${LOGIN}`,
      payload: { username: 'nobody', password: 'wrong-password' },
      headers: { [header]: spelling },
      remoteAddress: '192.0.2.1',
    })
    statuses.push(statusCode)
  }
  expect(statuses).toEqual([401, ...spellings.slice(1).map(() => 429)])
})

test('From the address of an exit that resolves names itself nobody names another one, trusted or not', async () => {
  const { server, core } = await openApi({
    api: { limits: { ...LIMITS, strangers: 1 }, trustedProxies: ['192.0.2.0/24', '127.0.0.1'] },
  })
  const exit = { pool: 'dynamic_1', resolve: 'remote-only' } as const
  await core.operator.exits.add(SHELL, { ...exit, url: 'socks5://192.0.2.7:1080' })
  await core.operator.exits.add(SHELL, { ...exit, url: 'socks5://127.0.0.2:9050' })
  await core.operator.exits.add(SHELL, { pool: 'dynamic_1', url: 'socks5://192.0.2.8:1080' })
  const statusOf = async (forwarded: string, remoteAddress: string) => {
    const payload = { username: 'nobody', password: 'wrong-password' }
    const headers = { 'x-forwarded-for': forwarded }
    return (await server.inject({ method: 'POST', url: `/api${LOGIN}`, payload, headers, remoteAddress }))
      .statusCode
  }
  const statuses = async (remoteAddress: string, network: string) => [
    await statusOf(`${network}.1`, remoteAddress),
    await statusOf(`${network}.2`, remoteAddress),
  ]
  expect(await statuses('192.0.2.7', '198.51.100')).toEqual([401, 429])
  // An exit on this machine, and whatever comes from it.
  expect(await statuses('127.0.0.1', '198.51.101')).toEqual([401, 429])
  expect(await statuses('192.0.2.8', '198.51.102')).toEqual([401, 401])
})

test('Neighbours in an IPv6 network are one address, to the limit of requests and to that of failed log-ins', async () => {
  const attempt = async (
    { server }: Awaited<ReturnType<typeof openApi>>,
    remoteAddress: string,
    name = 'a',
  ) => {
    const payload = { username: name, password: 'b' }
    const response = await server.inject({ method: 'POST', url: `/api${LOGIN}`, payload, remoteAddress })
    return response.json<{ error: string }>().error
  }
  const limited = await openApi({ api: { limits: { ...LIMITS, strangers: 1 } } })
  expect(await attempt(limited, '2001:db8::1')).toBe('invalid_credentials')
  expect(await attempt(limited, '2001:db8:0:ffff::1')).toBe('rate_limited')
  expect(await attempt(limited, '2001:db8:1::1')).toBe('invalid_credentials')
  expect(await attempt(limited, '::ffff:192.0.2.1')).toBe('invalid_credentials')
  expect(await attempt(limited, '192.0.2.1')).toBe('rate_limited')

  const api = await openApi()
  for (let guess = 1; guess <= 30; guess += 1)
    expect(await attempt(api, `2001:db8::${guess}`, `user${guess}`)).toBe('invalid_credentials')
  expect(await attempt(api, '2001:db8:0:9::1', 'user')).toBe('too_many_attempts')
  expect(await attempt(api, '2001:db8:1::1', 'user')).toBe('invalid_credentials')
})

test('The documentation is counted by address, too', async () => {
  const { server } = await openApi({ api: { limits: LIMITS } })
  const status = async (url: string) => (await server.inject(url)).statusCode
  for (const url of ['/api/docs', '/b/api', '/api/docs/static/page.js'])
    expect(await status(url)).toBeLessThan(400)
  expect(await status('/a/api/openapi.json')).toBe(200)
  for (const url of [
    '/api',
    '/api/docs/',
    '/api/docs/static/page.js',
    '/api/openapi.json',
    '/b/api/openapi.json',
  ])
    expect(await status(url)).toBe(429)
})

test('Health checks are never limited, and 0 means no limit', async () => {
  const { server, agent, as } = await openApi({ api: { limits: { reads: 0, writes: 0, strangers: 1 } } })
  for (const url of ['/healthz', '/readyz']) {
    const answers = await times(20, () => server.inject(url))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect(answers[0]?.headers).not.toHaveProperty('ratelimit-limit')
  }
  const client = await as(await agent())
  expect(outcomes(await times(50, () => client.get(BALANCE)))).toEqual({ ok: 50 })
})
