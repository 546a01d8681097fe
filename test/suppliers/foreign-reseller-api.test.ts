import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { OpenRequest, RenewRequest } from '../../src/core/supply/driver.ts'
import { resellerApi } from '../../src/suppliers/reseller-api/driver.ts'
import { atTheEnd } from '../support/clean-up.ts'

const signal = new AbortController().signal

type Json = Readonly<Record<string, unknown>>
/** What the service says to a request: data, or a whole answer. */
type Routes = Readonly<Record<string, (body: Json, url: URL) => unknown>>

/** Another implementation of the API; it knows only what a test gives it, and ends with the test. */
async function foreignService(routes: Routes) {
  const requests: string[] = []
  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const url = new URL(request.url ?? '/', 'http://service')
    const path = url.pathname.replace(/^\/api/, '')
    requests.push(`${request.method} ${path}`)
    const route = path === '/auth/login' ? () => LOGIN : routes[`${request.method} ${path}`]
    const data = route?.(body, url)
    if (typeof data === 'string') reply.end(data)
    else if (data === undefined) reply.writeHead(404).end('<html>not found</html>')
    else reply.end(JSON.stringify({ code: 0, message: 'ok', data }))
  }
  const server = createServer((request, reply) => void answer(request, reply))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(() => server.close())
  const { port } = server.address() as AddressInfo
  const access = { url: `http://127.0.0.1:${port}/api/`, key: 'reseller', secret: 'password' }
  return { requests, driver: resellerApi.connect(access) }
}

const LOGIN = { token: 'token', user: { id: 7, username: 'reseller', balance: 1, status: 'active' } }
const LIST = 'GET /open/app/static/order/list/v2'
const RENEW = 'POST /open/app/static/order/renew'

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : (JSON.parse(text) as Json)
}

const OPEN: OpenRequest = {
  kind: 'open',
  callNo: 'S20260301120000000A1B2C3D4',
  offerNo: 'x',
  data: { productNo: 'ISP', countryCode: 'US' },
  count: 1,
  periods: 1,
  periodUnit: 3,
  periodLength: 1,
  proxyType: 103,
  countryCode: 'US',
  cityCode: '',
  projectId: null,
  cidrBlocks: [],
  ceiling: '5',
}
const RENEWAL: RenewRequest = {
  kind: 'renew',
  callNo: 'R20260301120000000A1B2C3D4',
  providerOrderNo: 'N-1',
  instances: [{ providerInstanceNo: '17', expireTime: '2026-04-01T12:00:00.000Z' }],
  periods: 1,
  periodUnit: 3,
  periodLength: 1,
  ceiling: '5',
}

const instance = (expire_time: string, change: object = {}) => ({
  instance_no: 17,
  ip: '192.0.2.17',
  port: '8000',
  username: 'u',
  password: 'p',
  status: 'active',
  expire_time,
  ...change,
})
/** An order as a service shows it that knows neither our numbers nor the filters. */
const order = (orderNo: string, change: object = {}) => ({ orderNo, status: 'completed', ...change })

test('An order is found by its remark where the service ignores our number and the filters', async () => {
  const others = [order('N-3'), order('N-2', { remark: 'by hand' })]
  const ours = order('N-1', {
    remark: OPEN.callNo,
    appOrderNo: 'made by the service',
    total_amount: '4.50',
    created_at: '2026-03-01 12:00:00',
    instances: [instance('2026-04-01 12:00:00')],
  })
  const { driver } = await foreignService({ [LIST]: () => ({ list: [...others, ours] }) })
  const found = await driver.find(OPEN, null, signal)
  expect(found).toEqual({
    status: 'ended',
    providerOrderNo: 'N-1',
    amount: '4.50',
    instances: [
      {
        providerInstanceNo: '17',
        providerOrderNo: 'N-1',
        ip: '192.0.2.17',
        port: 8000,
        username: 'u',
        password: 'p',
        expireTime: '2026-04-01T12:00:00.000Z',
        status: 'running',
      },
    ],
  })
  expect(await driver.find(OPEN, 'N-1', signal)).toEqual(found)
  const unknown = { ...OPEN, callNo: 'S20260301120000000ZZZZZZZZ' }
  expect(await driver.find(unknown, null, signal)).toEqual({ status: 'absent' })
  const [, , listed] = await driver.orders(new Date(0), signal)
  expect(listed).toMatchObject({ callNo: OPEN.callNo, providerOrderNo: 'N-1', amount: '4.50' })
})

test('An order in a state that nobody has described is open until it has proxies', async () => {
  const { driver } = await foreignService({
    [LIST]: () => ({ items: [order('N-1', { status: 'brewing', remark: OPEN.callNo })] }),
  })
  expect(await driver.find(OPEN, null, signal)).toEqual({ status: 'open', providerOrderNo: 'N-1' })
})

test.for([
  ['text', 'fine'],
  ['an error with status 200', '{"code":1001,"message":"no"}'],
  ['an error with status 200 and a familiar name', '{"code":1001,"error":"out_of_stock"}'],
])('What answers an order with %s may have made it', async ([, answer]) => {
  const { driver } = await foreignService({ 'POST /open/app/static/order/create-standard/v2': () => answer })
  await expect(driver.place(OPEN, signal)).rejects.toMatchObject({ kind: 'unknown' })
})

test('An endpoint that is not there tells nothing, and a service without an id is none of ours', async () => {
  const { driver } = await foreignService({})
  await expect(driver.balance(signal)).rejects.toMatchObject({ kind: 'unknown' })
  expect(await driver.self?.(signal)).toBeUndefined()
})

test('The catalogue leaves out what cannot be ordered, and gives numbers to strange codes', async () => {
  const item = { countryCode: 'US', duration: 1, unit: 4, price: 30.0000001, proxyType: 103 }
  const items = [
    { ...item, productId: '住宅', name: 'Home', cityCode: 'New York', projectList: ['tiktok'] },
    { ...item, productId: 'far', countryCode: 'USA' },
    { ...item, productId: 'dynamic', proxyType: 104 },
    { ...item, productId: 'priceless', price: null },
  ]
  const { driver } = await foreignService({ 'POST /open/app/product/query-standard/v2': () => ({ items }) })
  expect(await driver.catalogue(signal)).toEqual([
    {
      offerNo: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: 'Home',
      proxyType: 103,
      countryCode: 'US',
      state: '',
      cityCode: '',
      periodUnit: 3,
      periodLength: 12,
      cost: '30.000001',
      stock: 1_000_000,
      maxCount: 500,
      projects: [{ code: 'tiktok', name: 'tiktok' }],
      ranges: [],
      data: { productNo: '住宅', countryCode: 'US', cityCode: 'New York' },
    },
  ])
})

test('A renewal that goes on in the background is open until the service, or the expiry, tells', async () => {
  const state = { status: 'processing', expiry: '2026-04-01T12:00:00Z' }
  const { driver } = await foreignService({
    [LIST]: () => ({ items: [order('N-1', { instances: [instance(state.expiry)] })] }),
    [RENEW]: () => ({ renew_order_no: 'R-1', status: 'processing', amount: 4.5 }),
    'GET /open/app/static/renewals/R-1': () => ({ renew_order_no: 'R-1', amount: 4.5, status: state.status }),
  })
  expect(await driver.place(RENEWAL, signal)).toEqual({ status: 'accepted', providerOrderNo: 'R-1' })
  expect(await driver.find(RENEWAL, 'R-1', signal)).toEqual({ status: 'open', providerOrderNo: 'R-1' })
  state.status = 'success'
  state.expiry = '2026-05-01T12:00:00Z'
  expect(await driver.find(RENEWAL, 'R-1', signal)).toEqual({
    status: 'ended',
    providerOrderNo: 'R-1',
    amount: '4.50',
    instances: [
      expect.objectContaining({ providerInstanceNo: '17', expireTime: '2026-05-01T12:00:00.000Z' }),
    ],
  })
})

test('A renewal that failed in the background has no proxies, and cost what was not given back', async () => {
  const failed = { status: 'failed', amount: 4.5, refunded_amount: 4.5, fail_reason: 'the line is gone' }
  const { driver } = await foreignService({
    [LIST]: () => ({ items: [order('N-1', { instances: [instance('2026-04-01T12:00:00Z')] })] }),
    'GET /open/app/static/renewals/R-1': () => failed,
  })
  expect(await driver.find(RENEWAL, 'R-1', signal)).toEqual({
    status: 'ended',
    amount: '0.00',
    instances: [],
    reason: 'the line is gone',
  })
})

test('Where the service answers a renewal with nothing, the expiry tells', async () => {
  const state = { expiry: '2026-04-01T12:00:00Z' }
  const { driver, requests } = await foreignService({
    [LIST]: () => ({ items: [order('N-1', { instances: [instance(state.expiry)] })] }),
    [RENEW]: () => ({}),
  })
  expect(await driver.place(RENEWAL, signal)).toEqual({ status: 'accepted' })
  state.expiry = '2026-05-01T12:00:00Z'
  const renewed = { status: 'ended', instances: [expect.objectContaining({ providerInstanceNo: '17' })] }
  expect(await driver.find(RENEWAL, null, signal)).toEqual(renewed)
  expect(await driver.place(RENEWAL, signal)).toEqual(renewed)
  expect(requests.filter((line) => line === RENEW).length).toBe(1)
})

test('Proxies that are not all shown are not taken for all', async () => {
  const { driver } = await foreignService({
    [LIST]: () => ({
      items: [
        order('N-1', {
          remark: OPEN.callNo,
          instances_total: 2,
          instances: [instance('2026-04-01T12:00:00Z')],
        }),
      ],
    }),
  })
  await expect(driver.find(OPEN, null, signal)).rejects.toMatchObject({ kind: 'unknown' })
})
