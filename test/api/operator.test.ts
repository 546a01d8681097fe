import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createExitProber } from '../../src/checker/exit-prober.ts'
import type { Operator } from '../../src/core/people/operator.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { openApi } from '../support/api.ts'
import { atTheEnd } from '../support/clean-up.ts'

const BASE = '/operator/api'
const OLGA = 700

/** A shop with an owner, who has a link from her own chat. */
async function shop(options: Parameters<typeof openApi>[0] = {}) {
  const api = await openApi(options)
  const { core, server } = api
  const { id } = await core.operator.people.add(SHELL, { name: 'Olga', role: 'owner', telegramId: OLGA })
  const olga: Operator = {
    person: { id, name: 'Olga', role: 'owner' },
    via: 'chat',
    chat: OLGA,
    telegram: OLGA,
  }
  const link = async (by = olga) => (await core.operator.webLogIns.offer(by)).code
  const post = async (path: string, payload: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await server.inject({ method: 'POST', url: BASE + path, payload, headers })
    return { status: response.statusCode, body: response.json<{ error?: string; data: never }>() }
  }
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await server.inject({ method: 'GET', url: BASE + path, headers })
    return { status: response.statusCode, body: response.json<{ error?: string; data: never }>() }
  }
  /** Logs in a program. */
  const bearer = async (by = olga) => {
    const { body } = await post('/session', { code: await link(by) }, { 'user-agent': 'a program' })
    const { token } = body.data as { token: string }
    return { authorization: `Bearer ${token}` }
  }
  /** Logs in another person. */
  const bearerOf = async (name: string, role: 'support') => {
    const { id: other } = await core.operator.people.add(SHELL, { name, role, telegramId: 701 })
    return bearer({ person: { id: other, name, role }, via: 'chat', chat: 701, telegram: 701 })
  }
  return { ...api, olga, link, post, get, bearer, bearerOf }
}

test('A program logs in by the code of a link, works as the person, and the trail says so', async () => {
  const { core, link, post, get, service: _ } = { ...(await shop()), service: null }
  const code = await link()
  const opened = await post('/session', { code }, { 'user-agent': 'curl/8' })
  expect(opened.body.data).toMatchObject({ person: 'Olga', role: 'owner' })
  expect(await post('/session', { code })).toMatchObject({ status: 401, body: { error: 'token_invalid' } })
  const authorization = `Bearer ${(opened.body.data as { token: string }).token}`

  const added = await post('/promo/add', { code: 'spring', percent: 10 }, { authorization })
  expect(added).toMatchObject({
    status: 200,
    body: {
      data: {
        result: { code: 'SPRING', percent: 10, currency: 'USD' },
        text: 'SPRING takes 10% off\nNone of its products is on sale now',
        warnings: [],
      },
    },
  })
  expect((await get('/promo/list?page=1', { authorization })).body.data).toMatchObject({
    result: { total: 1, items: [{ code: 'SPRING' }] },
  })
  const { items } = await core.operator.trail.list({})
  expect(items.map(({ action, via, person, chatId }) => ({ action, via, person, chatId }))).toEqual([
    { action: 'promo.add', via: 'web', person: 'Olga', chatId: OLGA },
    { action: 'person.log_in', via: 'web', person: 'Olga', chatId: OLGA },
    { action: 'person.add', via: 'shell', person: null, chatId: null },
  ])
})

test('Wrong input is refused with the field, as the command line and the core refuse it', async () => {
  const { post, get, bearer } = await shop()
  const headers = await bearer()
  expect(await post('/promo/add', { percent: 101 }, headers)).toMatchObject({
    status: 422,
    body: { error: 'validation_error', data: { errors: [{ field: 'percent' }] } },
  })
  expect(await get('/promo/list?page=first', headers)).toMatchObject({
    status: 422,
    body: { data: { errors: [{ field: 'page', rule: 'not_a_number' }] } },
  })
  expect(await get('/promo/list?pages=1', headers)).toMatchObject({
    status: 422,
    body: { data: { errors: [{ field: 'pages', rule: 'unknown_parameter' }] } },
  })
  expect(await post('/stock/cost', { cost: 1 }, headers)).toMatchObject({
    status: 422,
    body: { data: { errors: [{ rule: 'usage' }] } },
  })
})

test('The role of the person says what it may do, as it is at each request', async () => {
  const { core, post, bearerOf, server } = await shop()
  const headers = await bearerOf('Max', 'support')
  expect(await post('/promo/add', { percent: 5 }, headers)).toMatchObject({
    status: 403,
    body: { error: 'not_permitted', data: { role: 'support', permission: 'catalogue' } },
  })
  const session = await server.inject({ method: 'GET', url: `${BASE}/session`, headers })
  expect(session.json()).toMatchObject({ data: { person: 'Max', role: 'support', permissions: ['help'] } })
  await core.operator.people.edit(SHELL, 'Max', { role: 'manager' })
  expect(await post('/promo/add', { percent: 5 }, headers)).toMatchObject({ status: 401 })
})

test('A product is added, changed and listed, with a name in each language', async () => {
  const { post, get, bearer, core } = await shop()
  const headers = await bearer()
  const names = { nameEn: 'US', nameZh: '美国' }
  const period = { periodUnit: 1, periodLength: 30 }
  const added = await post('/product/add', { productNo: 'us', ...names, price: 2, period }, headers)
  expect(added).toMatchObject({ status: 200, body: { data: { result: { product_no: 'us' } } } })
  const change = { productNo: 'us', nameEn: 'USA', descriptionZh: '好', disable: true }
  expect((await post('/product/edit', change, headers)).body.data).toMatchObject({
    text: 'Changed product us',
  })
  expect((await get('/product/list', headers)).body.data).toMatchObject({
    result: {
      items: [{ name_en: 'USA', name_zh: '美国', description_zh: '好', duration: 30, enabled: false }],
    },
  })
  const { items } = await core.operator.trail.list({ action: 'product.edit' })
  expect(items).toMatchObject([
    { subject: 'us', details: { nameEn: 'USA', descriptionZh: '好', enabled: false } },
  ])
  expect(Object.keys(items[0]?.details ?? {})).toHaveLength(3)

  const other = { productNo: 'other', ...names }
  for (const [body, refused] of [
    [
      { ...other, nameEn: 'x'.repeat(81), price: 1 },
      { field: 'nameEn', rule: 'too_big' },
    ],
    [
      { ...other, price: 1, offers: ['1'] },
      { rule: 'usage', message: '--offer is for products with --supplier' },
    ],
    [
      { ...other, supplier: 'x', offers: ['1'], price: 1, shared: true },
      { field: 'supplier', rule: 'conflicting' },
    ],
    [other, { message: 'Add the price with --price' }],
  ] as const)
    expect(await post('/product/add', body, headers)).toMatchObject({
      status: 422,
      body: { data: { errors: [refused] } },
    })
  expect(
    await post('/product/edit', { productNo: 'us', enable: true, disable: true }, headers),
  ).toMatchObject({ status: 422, body: { data: { errors: [{ field: 'enable', rule: 'conflicting' }] } } })
})

test('A proxy that is replaced twice with the same key is replaced once', async () => {
  const { post, bearer, core, clock, product, stock, order, agent, runJobs } = await shop()
  await product('static', { proxyType: 103 })
  await stock('static', 4)
  const buyer = await agent({ balance: 10 })
  const { orderNo } = await order(buyer)
  await runJobs()
  const instances = async () => (await core.orders.getStatic(buyer, { orderNo })).instances
  const [{ instanceNo } = { instanceNo: '' }] = await instances()
  const headers = { ...(await bearer()), 'idempotency-key': 'k-1' }
  const replace = (change: object = {}) =>
    post('/order/replace', { instanceNo, reason: 'dead', refund: true, ...change }, headers)

  const first = await replace()
  expect(first).toMatchObject({ status: 200, body: { data: { result: { status: 'done' } } } })
  const [replaced] = await instances()
  clock.advance(120_000)
  expect(await replace()).toEqual(first)
  expect(await instances()).toEqual([replaced])
  expect(await replace({ reason: 'slow' })).toMatchObject({
    status: 409,
    body: { error: 'idempotency_conflict', data: { idempotency_key: 'k-1' } },
  })
  expect((await core.operator.trail.list({ action: 'proxy.replace' })).items).toMatchObject([
    { subject: instanceNo, details: { reason: 'dead', refund: true, status: 'done' } },
  ])
  headers['idempotency-key'] = 'k-2'
  expect((await replace()).body.data).not.toEqual(first.body.data)
  expect(await instances()).not.toEqual([replaced])
})

test('Another target of the test of an exit needs the permission for exits, as it tries ports from the server', async () => {
  const target = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(target, 'listening')
  atTheEnd(() => target.close())
  const { port } = target.address() as AddressInfo
  const probeTarget = { host: '127.0.0.1', port }
  const { post, get, bearer, bearerOf } = await shop({
    exitProber: (echo) => createExitProber({ echo, echoUrl: undefined, probeTarget }),
  })
  const [owner, support] = [await bearer(), await bearerOf('Max', 'support')]
  expect(await post('/exit/add', { pool: 'dynamic_1', direct: true }, owner)).toMatchObject({
    body: { data: { result: { id: 1 } } },
  })
  const other = `/exit/test?exit=1&target=127.0.0.1:${port}`
  expect((await get('/exit/test?exit=1', support)).status).toBe(200)
  expect(await get(other, support)).toMatchObject({
    status: 403,
    body: { error: 'not_permitted', data: { role: 'support', permission: 'exits' } },
  })
  expect(await get(other, owner)).toMatchObject({ status: 200, body: { data: { result: { id: 1 } } } })
  expect(await get('/exit/test?exit=1&target=127.0.0.1', owner)).toMatchObject({
    status: 422,
    body: { data: { errors: [{ field: 'target' }] } },
  })
})

test('A session ends after 12 hours, when it is logged out, and by the chat; a link after 5 minutes', async () => {
  const { core, clock, olga, link, post, get, bearer, server } = await shop()
  const late = await link()
  clock.advance(5 * 60_000)
  expect(await post('/session', { code: late })).toMatchObject({ status: 401 })

  const headers = await bearer()
  clock.advance(12 * 3_600_000 - 1)
  expect((await get('/session', headers)).status).toBe(200)
  clock.advance(1)
  expect((await get('/session', headers)).status).toBe(401)

  const other = await bearer()
  await server.inject({ method: 'DELETE', url: `${BASE}/session`, headers: other })
  expect((await get('/session', other)).status).toBe(401)

  const third = await bearer()
  expect(await core.operator.webLogIns.list(OLGA)).toMatchObject([{ program: 'a program' }])
  await core.operator.webLogIns.end(olga)
  expect((await get('/session', third)).status).toBe(401)
  expect(await core.operator.webLogIns.list(OLGA)).toEqual([])
})

test('A session makes no link for another one, and a command line names its person', async () => {
  const { core, bearer } = await shop()
  const { authorization } = await bearer()
  const { operator } = await core.people.operatorOfToken(authorization.slice('Bearer '.length))
  await expect(core.operator.webLogIns.offer(operator)).rejects.toMatchObject({ code: 'not_permitted' })
  await expect(core.operator.webLogIns.offer(SHELL)).rejects.toMatchObject({ code: 'validation_error' })
})

test('A browser logs in by the page behind the link, and only pages of this service change something', async () => {
  const { link, server, get } = await shop({ api: { publicUrl: 'https://shop.example.com' } })
  const url = `${BASE}/log-in?code=${await link()}`
  const page = await server.inject({ method: 'GET', url })
  expect(page.body).toContain('<button>Log in</button>')
  expect(page.headers['content-security-policy']).toContain("form-action 'self'")
  const pressed = await server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Firefox' },
  })
  expect(pressed.statusCode).toBe(303)
  expect(pressed.headers.location).toBe(`https://shop.example.com${BASE}/docs/`)
  const set = String(pressed.headers['set-cookie'])
  expect(set).toMatch(
    /^operator_session=prs_[\w-]{43}; Path=\/operator; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict; Secure$/,
  )
  const cookie = set.split(';')[0] ?? ''
  expect((await get('/session', { cookie })).status).toBe(200)

  const add = (origin: object) =>
    server.inject({
      method: 'POST',
      url: `${BASE}/promo/add`,
      payload: { percent: 5 },
      headers: { cookie, host: 'shop.example.com', ...origin },
    })
  expect((await add({})).statusCode).toBe(401)
  expect((await add({ origin: 'https://evil.example.com' })).statusCode).toBe(401)
  expect((await add({ origin: 'https://shop.example.com' })).statusCode).toBe(200)

  const again = await server.inject({ method: 'POST', url })
  expect([again.statusCode, again.body.includes('This link is not valid')]).toEqual([410, true])
})

test('While nobody is named, an operator of the chat logs in; the first person ends that', async () => {
  const { core, server } = await openApi()
  const anybody: Operator = { person: null, via: 'chat', chat: 5, telegram: 5 }
  const { code } = await core.operator.webLogIns.offer(anybody)
  const { token } = await core.people.openLogIn(code, '')
  const session = () =>
    server.inject({ method: 'GET', url: `${BASE}/session`, headers: { authorization: `Bearer ${token}` } })
  expect((await session()).json()).toMatchObject({ data: { person: null, role: 'owner' } })
  await core.operator.people.add(SHELL, { name: 'Olga', role: 'owner' })
  expect((await session()).statusCode).toBe(401)
})

test('No token of a customer opens it, and no session opens the interface of customers', async () => {
  const { as, customer: register, server, bearer } = await shop()
  const { token } = await as(await register(null))
  const customer = await server.inject({
    method: 'GET',
    url: `${BASE}/promo/list`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect(customer.statusCode).toBe(401)
  const session = await server.inject({
    method: 'GET',
    url: '/api/open/app/user/balance/current',
    headers: await bearer(),
  })
  expect(session.statusCode).toBe(401)
  const stranger = await server.inject({ method: 'GET', url: `${BASE}/promo/list` })
  expect(stranger.statusCode).toBe(401)
})

test('The document describes every action with its input, and has none of the customers’ operations', async () => {
  const { server } = await openApi()
  const response = await server.inject({ method: 'GET', url: `${BASE}/openapi.json` })
  const document = response.json<{ info: { title: string }; paths: Record<string, Record<string, object>> }>()
  expect(document.info.title).toBe('Proxy reseller service, for those who run the shop')
  expect(document.paths['/promo/add']?.['post']).toMatchObject({
    operationId: 'promoAdd',
    summary: 'Make a code that takes a percentage or an amount off purchases, paid by the shop',
  })
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/open/'))).toEqual([])
})
