import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { ApiOptions } from '../../src/api/server.ts'
import type {
  CatalogueOffer,
  ConnectionAccess,
  OpenRequest,
  ReleaseRequest,
  RenewRequest,
  SupplierDriver,
  SupplierInstance,
} from '../../src/core/supply/driver.ts'
import { resellerApi } from '../../src/suppliers/reseller-api/driver.ts'
import { openApi } from '../support/api.ts'
import { faultyProxy, type NetworkFault } from '../support/faulty-proxy.ts'
import { movableClock, PASSWORD } from '../support/service.ts'

const DAY = 86_400_000
const CREATE = /^POST .*create-standard/
const RENEW = /^POST .*\/renew/
const CANCEL = /^POST .*\/cancel/
const LIST = /^GET .*\/list\/v2/

/** Nobody waits in these tests. */
const signal = new AbortController().signal

/** A whole other service with stock and an account for us, and the network between. */
async function upstream(api: Partial<ApiOptions> = {}) {
  const clock = movableClock()
  const service = await openApi({ clock, api })
  const account = await service.agent({ name: 'reseller', balance: 1000 })
  await service.product('static', {
    names: { en: 'Residential', zh: '住宅' },
    price: 2.5,
    cidrSupported: true,
  })
  await service.stock('static', 60, { country: 'US', state: 'NY', city: 'USNYC', cidr: '10.0.0.0/16' })
  await service.stock('static', 5, { country: 'DE', cidr: '10.0.0.0/16' })
  await service.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.server.server.address() as AddressInfo
  const network = await faultyProxy(port)
  const access = { url: `${network.origin}/api`, key: 'reseller', secret: PASSWORD }
  const driver = resellerApi.connect(access)
  return {
    ...service,
    clock,
    account,
    network,
    access,
    driver,
    /** Orders that the service has. */
    orderCount: () => service.db.read.staticOrder.count(),
    connect: (change: Partial<ConnectionAccess>) => resellerApi.connect({ ...access, ...change }),
  }
}
type Upstream = Awaited<ReturnType<typeof upstream>>

function openRequest(change: Partial<OpenRequest> = {}): OpenRequest {
  return {
    kind: 'open',
    callNo: 'S20260301120000000A1B2C3D4',
    offerNo: 'static:US:USNYC',
    data: { productNo: 'static', countryCode: 'US', cityCode: 'USNYC' },
    count: 2,
    periods: 1,
    periodUnit: 3,
    periodLength: 1,
    proxyType: 103,
    countryCode: 'US',
    cityCode: 'USNYC',
    projectId: null,
    cidrBlocks: [],
    ceiling: '100',
    ...change,
  }
}

/** Buys proxies there, as the loop of the core would. */
async function bought({ driver, runJobs }: Upstream, change: Partial<OpenRequest> = {}) {
  const request = openRequest(change)
  const placed = await driver.place(request, signal)
  if (placed.status !== 'accepted' || placed.providerOrderNo === undefined) throw new Error(placed.status)
  await runJobs()
  const found = await driver.find(request, placed.providerOrderNo, signal)
  if (found.status !== 'ended') throw new Error(found.status)
  return { orderNo: placed.providerOrderNo, instances: found.instances, found }
}

function renewRequest(
  orderNo: string | null,
  instances: readonly SupplierInstance[],
  change: Partial<RenewRequest> = {},
): RenewRequest {
  return {
    kind: 'renew',
    callNo: 'R20260301120000000A1B2C3D4',
    providerOrderNo: orderNo,
    instances: instances.map(({ providerInstanceNo, expireTime = null }) => ({
      providerInstanceNo,
      expireTime,
    })),
    periods: 1,
    periodUnit: 3,
    periodLength: 1,
    ceiling: '100',
    ...change,
  }
}

function releaseRequest(orderNo: string | null, instances: readonly SupplierInstance[]): ReleaseRequest {
  return { kind: 'release', callNo: 'C20260301120000000A1B2C3D4', providerOrderNo: orderNo, instances }
}

test('The catalogue has an offer per product and place with the price of the account, stock and ranges', async () => {
  const { driver, product, stock } = await upstream()
  await product('shared', {
    names: { en: 'Shared', zh: '共享' },
    shared: true,
    projects: [{ code: 'tiktok', name: 'TikTok' }],
    periodUnit: 1,
    periodLength: 7,
    price: 0.1,
  })
  await stock('shared', 1, { country: 'US', state: 'CA' })
  await product('traffic', { proxyType: 104, pool: 'dynamic_1' })
  const offers = await driver.catalogue(signal)
  const common = { proxyType: 103, periodUnit: 3, periodLength: 1, cost: '2.50', maxCount: 500, projects: [] }
  const expected: readonly CatalogueOffer[] = [
    {
      ...(common as unknown as CatalogueOffer),
      offerNo: 'static:DE:',
      name: 'Residential',
      countryCode: 'DE',
      state: '',
      cityCode: '',
      stock: 5,
      ranges: [{ cidr: '10.0.0.0/16', stock: 5 }],
      data: { productNo: 'static', countryCode: 'DE' },
    },
    {
      ...(common as unknown as CatalogueOffer),
      offerNo: 'static:US:USNYC',
      name: 'Residential',
      countryCode: 'US',
      state: 'NY',
      cityCode: 'USNYC',
      stock: 60,
      ranges: [{ cidr: '10.0.0.0/16', stock: 60 }],
      data: { productNo: 'static', countryCode: 'US', cityCode: 'USNYC' },
    },
    {
      offerNo: 'shared:US:CA',
      name: 'Shared',
      proxyType: 103,
      countryCode: 'US',
      state: 'CA',
      cityCode: '',
      periodUnit: 1,
      periodLength: 7,
      cost: '0.10',
      stock: 1,
      maxCount: 500,
      projects: [{ code: 'tiktok', name: 'TikTok' }],
      ranges: [],
      data: { productNo: 'shared', countryCode: 'US', regionCode: 'CA' },
    },
  ]
  const sorted = (all: readonly CatalogueOffer[]) =>
    all.toSorted((a, b) => a.offerNo.localeCompare(b.offerNo))
  expect(sorted(offers)).toEqual(sorted(expected))
  expect(await driver.balance(signal)).toEqual({ available: '1000.00', currency: 'USD' })
})

test('Places in one city, which an order cannot tell apart, are one offer', async () => {
  const { driver, product, stock } = await upstream()
  await product('home')
  await stock('home', 2, { country: 'US', state: 'NY', city: 'USNYC' })
  await stock('home', 3, { country: 'US', state: '', city: 'USNYC' })
  const offers = (await driver.catalogue(signal)).filter(({ data }) => data['productNo'] === 'home')
  expect(offers).toEqual([expect.objectContaining({ offerNo: 'home:US:USNYC', state: '', stock: 5 })])
})

test('An order is accepted, open until it is completed, and then shows its proxies and what it cost', async () => {
  const service = await upstream()
  const { driver, runJobs, balance, account } = service
  const request = openRequest({ cidrBlocks: [{ cidr: '10.0.0.0/16', count: 2 }] })
  const placed = await driver.place(request, signal)
  const providerOrderNo = expect.stringMatching(/^S\d{17}/) as string
  expect(placed).toEqual({ status: 'accepted', providerOrderNo })
  expect(await driver.find(request, null, signal)).toEqual({ status: 'open', providerOrderNo })
  await runJobs()
  const found = await driver.find(request, null, signal)
  expect(found).toEqual({
    status: 'ended',
    providerOrderNo,
    amount: '5.00',
    instances: [1, 2].map(() => ({
      providerInstanceNo: expect.stringMatching(/^I\d{17}/),
      providerOrderNo,
      ip: expect.stringMatching(/^10\.0\./),
      port: 8000,
      username: 'u0',
      password: 'secret',
      countryCode: 'US',
      cityCode: 'USNYC',
      cidr: '10.0.0.0/16',
      expireTime: '2026-04-01T12:00:00.000Z',
      status: 'running',
    })),
  })
  expect(await balance(account)).toBe(995)
})

test('Many periods are a term of the service', async () => {
  const service = await upstream()
  const { instances } = await bought(service, { periods: 48, count: 1, ceiling: '120' })
  expect(instances[0]?.expireTime).toBe('2030-03-01T12:00:00.000Z')
  const tooLong = await service.driver.place(openRequest({ callNo: 'LONG', periods: 3651 }), signal)
  expect(tooLong).toMatchObject({ status: 'refused', reason: 'not_supported' })
})

test('More proxies than a list of several orders shows are all there', async () => {
  const service = await upstream()
  const { instances } = await bought(service, { count: 60, ceiling: '150' })
  expect(new Set(instances.map(({ ip }) => ip)).size).toBe(60)
  const running = await service.driver.running(signal)
  expect(running.length).toBe(60)
  const wanted = instances.slice(-2)
  const numbers = wanted.map(({ providerInstanceNo }) => providerInstanceNo)
  expect(await service.driver.instances([...numbers, 'I-unknown'], signal)).toEqual(wanted)
})

test('What the service refuses is refused for good', async () => {
  const { driver, orderCount, balance, account } = await upstream()
  const refusals: [string, Partial<OpenRequest>, string][] = [
    ['out_of_stock', { count: 61, ceiling: '1000' }, 'out_of_stock'],
    ['price_changed', { ceiling: '4.999999' }, 'price_changed'],
    ['insufficient_balance', { count: 60, periods: 36, ceiling: '100000' }, 'insufficient_balance'],
    ['product_not_found', { data: { productNo: 'gone' } }, 'unknown_offer'],
    ['location_not_supported', { data: { productNo: 'static', countryCode: 'FR' } }, 'unknown_offer'],
    ['duration_not_supported', { periodUnit: 1, periodLength: 7 }, 'unknown_offer'],
    ['validation_error', { count: 501, ceiling: '1000' }, 'other'],
    ['project_not_allowed', { projectId: 'tiktok' }, 'other'],
  ]
  for (const [code, change, reason] of refusals) {
    const placed = await driver.place(openRequest(change), signal)
    expect(placed, code).toMatchObject({ status: 'refused', reason })
    expect(await driver.find(openRequest(), null, signal), code).toEqual({ status: 'absent' })
    expect(await orderCount(), code).toBe(0)
    expect(await balance(account), code).toBe(1000)
  }
})

test('A ceiling of 0, which would be none, is not sent', async () => {
  const service = await upstream()
  const { driver, network } = service
  const { orderNo, instances } = await bought(service)
  const sent = network.requests.length
  const refused = { status: 'refused', reason: 'price_changed' }
  expect(await driver.place(openRequest({ ceiling: '0' }), signal)).toMatchObject(refused)
  expect(await driver.place(renewRequest(orderNo, instances, { ceiling: '0.0' }), signal)).toMatchObject(
    refused,
  )
  expect(network.requests.length).toBe(sent)
})

test('What fails in the end is ended without proxies, and cost nothing', async () => {
  const service = await upstream()
  const { driver, runJobs, db } = service
  const request = openRequest()
  await driver.place(request, signal)
  await db.write((tx) => tx.stockIp.updateMany({ data: { orderId: null } }))
  await runJobs()
  expect(await driver.find(request, null, signal)).toMatchObject({
    status: 'ended',
    amount: '0.00',
    instances: [],
    reason: expect.any(String),
  })
})

test.for<NetworkFault>(['lose_answer', 'truncate', 'bad_gateway'])(
  'An order whose answer is lost (%s) is found under our number, and made once however often it is placed',
  async (fault) => {
    const service = await upstream()
    const { driver, network, orderCount, runJobs, balance, account } = service
    const request = openRequest()
    network.fail(CREATE, fault)
    await expect(driver.place(request, signal)).rejects.toMatchObject({ kind: 'unknown' })
    expect(await orderCount()).toBe(1)
    const found = await driver.find(request, null, signal)
    expect(found).toMatchObject({ status: 'open' })
    expect(await driver.place(request, signal)).toEqual({ ...found, status: 'accepted' })
    await runJobs()
    expect(await driver.find(request, null, signal)).toMatchObject({ status: 'ended', amount: '5.00' })
    expect(await orderCount()).toBe(1)
    expect(await balance(account)).toBe(995)
  },
)

test('An order that never arrives is absent', async () => {
  const { driver, network, orderCount } = await upstream()
  network.fail(CREATE, 'drop')
  await expect(driver.place(openRequest(), signal)).rejects.toMatchObject({ kind: 'unknown' })
  expect(await driver.find(openRequest(), null, signal)).toEqual({ status: 'absent' })
  expect(await orderCount()).toBe(0)
})

test('An order that is not answered in time may have been made', async () => {
  const { driver, network } = await upstream()
  const waiting = new AbortController()
  network.fail(CREATE, 'hang')
  const kept = network.answerKept()
  const placed = driver.place(openRequest(), waiting.signal)
  const refused = expect(placed).rejects.toMatchObject({
    kind: 'unknown',
    message: expect.stringContaining('no answer in time'),
  })
  await kept
  waiting.abort()
  await refused
  expect(await driver.find(openRequest(), null, signal)).toMatchObject({ status: 'open' })
})

test('Where nothing listens, or the log-in fails, nothing was sent', async () => {
  const { driver, network, orderCount, connect, access } = await upstream()
  network.fail(/auth\/login/, 'lose_answer')
  await expect(driver.place(openRequest(), signal)).rejects.toMatchObject({ kind: 'not_sent' })
  network.fail(/auth\/login/, 'bad_gateway')
  await expect(driver.place(openRequest(), signal)).rejects.toMatchObject({ kind: 'not_sent' })
  await driver.balance(signal)
  const withTls = connect({ url: access.url.replace('http:', 'https:') })
  await expect(withTls.place(openRequest(), signal)).rejects.toThrow(/No connection to 127/)
  await network.close()
  await expect(driver.place(openRequest(), signal)).rejects.toMatchObject({ kind: 'not_sent' })
  const nowhere = connect({ url: 'http://no-such-host.internal/api' })
  await expect(nowhere.place(openRequest(), signal)).rejects.toThrow(/No connection to no-such-host/)
  expect(await orderCount()).toBe(0)
})

test('An order that the service has shown before is never absent', async () => {
  const { driver } = await upstream()
  await expect(driver.find(openRequest(), 'S-gone', signal)).rejects.toMatchObject({ kind: 'unknown' })
})

test('A token that has expired is replaced by one log-in, however many requests notice it', async () => {
  const { driver, network, clock } = await upstream()
  const logins = () => network.requests.filter((line) => line.includes('auth/login')).length
  const many = () => Promise.all(Array.from({ length: 8 }, () => driver.balance(signal)))
  await many()
  expect(logins()).toBe(1)
  clock.advance(2 * DAY)
  expect(await many()).toEqual(Array.from({ length: 8 }, () => ({ available: '1000.00', currency: 'USD' })))
  expect(logins()).toBe(2)
})

test('An address is the service with or without the path of its API', async () => {
  const { connect, network } = await upstream()
  for (const url of [network.origin, `${network.origin}/`, `${network.origin}/b/api`])
    expect(await connect({ url }).balance(signal)).toEqual({ available: '1000.00', currency: 'USD' })
  const driver = connect({ url: network.origin })
  expect(await driver.catalogue(signal)).not.toEqual([])
})

test('Wrong credentials and addresses are for the operator, and no message shows the password', async () => {
  const { connect, access, driver, db, network } = await upstream()
  const faultOf = (other: SupplierDriver) => other.balance(signal).catch((fault: unknown) => fault)
  const secret = 'not the right password'
  const wrong = (await faultOf(connect({ secret }))) as Error
  expect(wrong).toMatchObject({
    kind: 'misconfigured',
    message: expect.stringContaining('invalid_credentials'),
  })
  expect(wrong.message).not.toContain(secret)
  expect(await faultOf(connect({ url: `${access.url}/elsewhere` }))).toMatchObject({ kind: 'misconfigured' })
  expect(() => connect({ url: 'http://shop.example.com/api' })).toThrow(/https/)
  expect(() => connect({ key: '' })).toThrow(/username/)
  await driver.balance(signal)
  await db.write((tx) => tx.account.updateMany({ data: { status: 'disabled' } }))
  await expect(driver.place(openRequest(), signal)).rejects.toMatchObject({ kind: 'misconfigured' })
  expect(network.heads.join('')).not.toContain('x-reseller-via')
})

test('A service that wants to be left alone has done nothing, and says for how long', async () => {
  const { driver } = await upstream({ limits: { reads: 0, writes: 1, strangers: 0 } })
  await driver.place(openRequest(), signal)
  const again = driver.place(openRequest({ callNo: 'ANOTHER' }), signal)
  await expect(again).rejects.toMatchObject({ kind: 'not_sent', retryAfterMs: expect.any(Number) })
  await again.catch(({ retryAfterMs }: { retryAfterMs: number }) => {
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })
})

test('A renewal is ended at once with the new expiry and its price', async () => {
  const service = await upstream()
  const { driver, balance, account } = service
  const { orderNo, instances } = await bought(service)
  const [first] = instances.slice(0, 1)
  const request = renewRequest(orderNo, instances.slice(0, 1), { periods: 2 })
  expect(await driver.find(request, null, signal)).toEqual({ status: 'absent' })
  const renewed = { ...first, expireTime: '2026-06-01T12:00:00.000Z' }
  const providerOrderNo = expect.stringMatching(/^R/) as string
  const placed = await driver.place(request, signal)
  expect(placed).toEqual({ status: 'ended', providerOrderNo, amount: '5.00', instances: [renewed] })
  expect(await driver.find(request, null, signal)).toEqual({ status: 'ended', instances: [renewed] })
  expect(await balance(account)).toBe(990)
})

test('A renewal whose answer is lost is known by the expiry, and not made again', async () => {
  const service = await upstream()
  const { driver, network, balance, account } = service
  const { orderNo, instances } = await bought(service)
  const request = renewRequest(orderNo, instances)
  network.fail(RENEW, 'lose_answer')
  await expect(driver.place(request, signal)).rejects.toMatchObject({ kind: 'unknown' })
  const renewed = instances.map((instance) => ({ ...instance, expireTime: '2026-05-01T12:00:00.000Z' }))
  const found = { status: 'ended', instances: renewed }
  expect(await driver.find(request, null, signal)).toEqual(found)
  expect(await driver.place(request, signal)).toEqual(found)
  expect(network.requests.filter((line) => RENEW.test(line)).length).toBe(1)
  expect(await balance(account)).toBe(990)
  // Without the order's number it is found by its proxies.
  expect(await driver.find({ ...request, providerOrderNo: null }, null, signal)).toEqual(found)
})

test('A renewal is not sent when the order cannot be read first, and refused when it is not there', async () => {
  const service = await upstream()
  const { driver, network } = service
  const { orderNo, instances } = await bought(service)
  network.fail(LIST, 'bad_gateway')
  await expect(driver.place(renewRequest(orderNo, instances), signal)).rejects.toMatchObject({
    kind: 'not_sent',
  })
  expect(await driver.place(renewRequest('S-gone', instances), signal)).toMatchObject({ status: 'refused' })
  const dear = renewRequest(orderNo, instances, { ceiling: '4.99' })
  expect(await driver.place(dear, signal)).toMatchObject({ status: 'refused', reason: 'price_changed' })
  expect(await driver.find(dear, null, signal)).toEqual({ status: 'absent' })
})

test('A release gives back what the service refunds, once', async () => {
  const service = await upstream()
  const { driver, network, balance, account } = service
  const { orderNo, instances } = await bought(service)
  const some = instances.slice(0, 1)
  const request = releaseRequest(orderNo, some)
  expect(await driver.find(request, null, signal)).toEqual({ status: 'absent' })
  const released = some.map((instance) => ({ ...instance, status: 'released' }))
  expect(await driver.place(request, signal)).toEqual({
    status: 'ended',
    amount: '2.50',
    instances: released,
  })
  expect(await driver.running(signal)).toEqual(instances.slice(1))

  const rest = { ...releaseRequest(orderNo, instances.slice(1)), callNo: 'C2' }
  network.fail(CANCEL, 'lose_answer')
  await expect(driver.place(rest, signal)).rejects.toMatchObject({ kind: 'unknown' })
  expect(await driver.find(rest, null, signal)).toMatchObject({ status: 'ended' })
  expect(await driver.place(rest, signal)).toMatchObject({ status: 'ended' })
  expect(network.requests.filter((line) => CANCEL.test(line)).length).toBe(2)
  expect(await driver.running(signal)).toEqual([])
  expect(await balance(account)).toBe(1000)
})

test('What is still processed can be released later', async () => {
  const { driver } = await upstream()
  const placed = await driver.place(openRequest(), signal)
  const orderNo = 'providerOrderNo' in placed ? (placed.providerOrderNo ?? null) : null
  const instance = { providerInstanceNo: 'I-unknown' } as SupplierInstance
  await expect(driver.place(releaseRequest(orderNo, [instance]), signal)).rejects.toMatchObject({
    kind: 'not_sent',
  })
})

test('The account’s own list has our numbers', async () => {
  const service = await upstream()
  const { driver, clock } = service
  await bought(service)
  clock.advance(DAY)
  const since = clock.now()
  clock.advance(1)
  const { orderNo } = await bought(service, { callNo: 'S20260302120000000A1B2C3D4', count: 1 })
  expect(await driver.orders(since, signal)).toEqual([
    {
      callNo: 'S20260302120000000A1B2C3D4',
      providerOrderNo: orderNo,
      count: 1,
      amount: '2.50',
      createdAt: '2026-03-02T12:00:00.001Z',
      status: 'done',
    },
  ])
  expect((await driver.orders(new Date('2026-03-01'), signal)).length).toBe(2)
})

test('Proxies of more orders than a page has are all found', async () => {
  const service = await upstream()
  const { driver, stock, account, order, runJobs } = service
  await stock('static', 70, { country: 'FR' })
  for (let number = 0; number < 130; number += 1) await order(account)
  await runJobs()
  const running = await driver.running(signal)
  expect(new Set(running.map(({ providerInstanceNo }) => providerInstanceNo)).size).toBe(130)
})

test('A service recognizes itself as a supplier, and refuses orders that it placed', async () => {
  const { driver, core, connect, network } = await upstream()
  const own = await core.instance.id()
  expect(await driver.self?.(signal)).toBe(own)
  expect(await core.instance.isBehind(driver, signal)).toBe(true)
  const elsewhere = await upstream()
  expect(await core.instance.isBehind(elsewhere.driver, signal)).toBe(false)
  const looped = await connect({ instanceId: own }).place(openRequest(), signal)
  expect(looped).toMatchObject({ status: 'refused', message: expect.stringContaining('resale_loop') })
  expect(network.heads.at(-1)).toMatch(new RegExp(`^x-reseller-via: ${own}\r?$`, 'im'))
  const other = await elsewhere.connect({ instanceId: own }).place(openRequest(), signal)
  expect(other).toMatchObject({ status: 'accepted' })
})

test('No other credentials are asked for', async () => {
  const { driver } = await upstream()
  expect(driver.capabilities.resets).toBe(false)
  const reset = { ...releaseRequest(null, []), kind: 'reset' as const }
  expect(await driver.place(reset, signal)).toMatchObject({ status: 'refused', reason: 'not_supported' })
})

test.for<[string, boolean]>([
  ['https://shop.example.com/api', true],
  ['http://shop.example.com/api', false],
  ['http://localhost:3000/api', true],
  ['http://127.0.0.1:3000/api', true],
  ['http://[::1]:3000/api', true],
  ['http://10.1.2.3/api', true],
  ['http://192.168.1.2/api', true],
  ['http://[fd00::1]/api', true],
  ['http://8.8.8.8/api', false],
  ['http://[2001:4860:4860::8888]/api', false],
  ['http://upstream:3000/api', true],
  ['http://upstream.internal/api', true],
  ['http://127.0.0.1.example.com/api', false],
  ['https://user:pass@shop.example.com/api', false],
  ['ftp://localhost/api', false],
  ['https://shop.example.com/?key=1', false],
  ['shop.example.com', false],
])('The address %s of a supplier is allowed: %s', ([url, allowed]) => {
  const connect = () => resellerApi.connect({ url, key: 'name', secret: 'word' })
  if (allowed) connect()
  else expect(connect).toThrow(expect.objectContaining({ kind: 'misconfigured' }))
})
