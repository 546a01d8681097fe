import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import {
  createReseller,
  type CreateStaticOrder,
  isRefusal,
  ResellerError,
} from '../../clients/typescript/dist/index.js'
import { SHELL } from '../../src/core/people/operator.ts'
import { openApi } from '../support/api.ts'
import { atTheEnd } from '../support/clean-up.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { PASSWORD } from '../support/service.ts'

/** One proxy for a month, unless said otherwise. */
function orderBody(userId: number, change: { ipCount?: number } = {}): CreateStaticOrder {
  return {
    orderType: 'static_proxy',
    poolId: 'static',
    userId,
    ipCount: 1,
    duration: 1,
    unit: 3,
    cycleTimes: 1,
    unitPrice: 0,
    totalAmount: 0,
    ...change,
  }
}

/** The service with one product, an agent who can pay, and where it listens. */
async function openShop() {
  const api = await openApi()
  await api.product()
  await api.stock('static', 5)
  await api.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.server.server.address() as AddressInfo
  const buyer = await api.agent({ balance: 100 })
  return { ...api, buyer, port, url: `http://127.0.0.1:${port}` }
}

test('A public link to proxies is made, opened without a log-in, listed and revoked', async () => {
  const { buyer, url, order, runJobs } = await openShop()
  await order(buyer)
  await runJobs()
  const reseller = createReseller({ url, username: buyer.username, password: PASSWORD })
  const { data: link } = await reseller.createProxyLink({ body: { content: 'json' } })
  const opened = (await (await fetch(link.url)).json()) as object[]
  expect(opened).toMatchObject([{ user: buyer.username, port: 8000 }])
  const token = new URL(link.url).pathname.split('/').at(-1) ?? ''
  const text = await reseller.openProxyLink({ path: { token } })
  expect(JSON.parse(text)).toEqual(opened)
  expect((await reseller.listProxyLinks()).data).toMatchObject([{ id: link.id, content: 'json' }])
  expect((await reseller.revokeProxyLink({ path: { link_id: link.id } })).data).toEqual({ revoked: 1 })
  const gone: unknown = await reseller.openProxyLink({ path: { token } }).catch((error: unknown) => error)
  expect(isRefusal(gone, 'route_not_found')).toBe(true)
})

test('A purchase whose answer is lost is repeated, and made once', async () => {
  const { port, as, buyer, core, balance } = await openShop()
  const { token } = await as(buyer)
  const network = await faultyProxy(port)
  network.fail(/create-standard/, 'lose_answer')
  const reseller = createReseller({ url: network.origin, key: token })
  const { data } = await reseller.createStaticOrder({ body: orderBody(buyer.id) })
  expect(network.requests.filter((line) => line.includes('create-standard'))).toHaveLength(2)
  const { items } = await core.orders.listStatic(buyer, {})
  expect(items.map(({ orderNo }) => orderNo)).toEqual([data.order_no])
  expect(await balance(buyer)).toBe(99)
})

test('What the service is too busy for is repeated after the pause that it names, unless that is too long', async () => {
  const pauses = ['1', '3600']
  const server = createServer((_request, response) => {
    const pause = pauses.shift()
    response.writeHead(pause === undefined ? 200 : 429, {
      'content-type': 'application/json',
      ...(pause !== undefined && { 'retry-after': pause }),
    })
    response.end(JSON.stringify(pause === undefined ? { data: {} } : { error: 'rate_limited' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => server.close())
  const { port } = server.address() as AddressInfo
  const reseller = createReseller({ url: `http://127.0.0.1:${port}`, key: 'prk_a_b' })
  const begun = performance.now()
  const refusal = await reseller.currentBalance().catch((error: unknown) => error)
  expect(performance.now() - begun).toBeGreaterThan(990)
  expect(isRefusal(refusal, 'rate_limited')).toBe(true)
  expect(pauses).toEqual([])
})

test('A log-in is made once for many requests, and again when its token is not taken any more', async () => {
  const { url, core, buyer } = await openShop()
  const sent: string[] = []
  const counting: typeof fetch = (input, init) => {
    sent.push((input as Request).url)
    return fetch(input, init)
  }
  const reseller = createReseller({ url, username: buyer.username, password: PASSWORD, fetch: counting })
  const logIns = () => sent.filter((address) => address.endsWith('/auth/login')).length
  const oneEach = () => Promise.all([1, 2, 3].map(() => reseller.currentBalance()))
  expect((await oneEach()).map(({ data }) => data.username)).toEqual(Array(3).fill(buyer.username))
  expect(logIns()).toBe(1)
  await core.operator.customers.logOut(SHELL, { username: buyer.username, reason: 'a lost phone' })
  await oneEach()
  expect(logIns()).toBe(2)
})

test('Refusals are errors with their name, facts and request, also that of the log-in', async () => {
  const { url, buyer } = await openShop()
  const reseller = createReseller({ url: `${url}/api/`, username: buyer.username, password: PASSWORD })
  const refusal = await reseller
    .createStaticOrder({ body: orderBody(buyer.id, { ipCount: 6 }) })
    .catch((error: unknown) => error)
  if (!isRefusal(refusal, 'out_of_stock')) throw refusal
  expect(refusal.data).toEqual({ requested: 6, available: 5 })
  expect(refusal).toMatchObject({ status: 409, requestId: expect.any(String) as string })

  const stranger = createReseller({ url, username: buyer.username, password: 'wrong', language: 'zh' })
  const wrong = await stranger.currentBalance().catch((error: unknown) => error)
  expect(wrong).toBeInstanceOf(ResellerError)
  expect(wrong).toMatchObject({
    error: 'invalid_credentials',
    message: expect.stringMatching(/\p{Script=Han}/u) as string,
  })
  expect(() => createReseller({ url })).toThrow('either a key')
})

test('An order is waited for until it is delivered, and no longer than one wants', async () => {
  const { url, as, buyer, runJobs } = await openShop()
  const { token } = await as(buyer)
  const reseller = createReseller({ url, key: token })
  const { data } = await reseller.createStaticOrder({ body: orderBody(buyer.id, { ipCount: 2 }) })
  await expect(reseller.waitForStaticOrder(data.order_no, { timeout: 0.1 })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  const waiting = reseller.waitForStaticOrder(data.order_no)
  await runJobs()
  const order = await waiting
  expect(order).toMatchObject({ status: 'active', order_no: data.order_no })
  expect(order.instances).toHaveLength(2)
})
