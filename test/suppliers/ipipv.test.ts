import { createServer, type AddressInfo } from 'node:net'
import { onTestFinished, expect, describe, it } from 'vitest'
import {
  type OpenRequest,
  type ReleaseRequest,
  type RenewRequest,
  type ResetRequest,
  SupplierFault,
} from '../../src/core/supply/driver.ts'
import type { FaultKind } from '../../src/emulators/supplier/types.ts'
import { ipipv } from '../../src/suppliers/ipipv/driver.ts'
import { DRIVERS } from '../../src/suppliers/drivers.ts'
import { countryCodeOf } from '../../src/suppliers/ipipv/countries.ts'
import { isCountryCode } from '../../src/core/catalog/country-code.ts'
import { HANG_MS } from '../support/patience.ts'
import { PATIENCE } from '../support/patience.ts'
import { startSupplier } from '../support/supplier.ts'

const DAY_MS = 86_400_000
const LA = 'us_la_30'

const inTime = () => AbortSignal.timeout(HANG_MS)

async function startWithDriver(options: Parameters<typeof startSupplier>[0] = {}) {
  const running = await startSupplier(options)
  running.supplier.setProduct({ productNo: LA })
  return { ...running, driver: ipipv.connect(running.access) }
}

const opening = (callNo: string, others: Partial<OpenRequest> = {}): OpenRequest => ({
  kind: 'open',
  callNo,
  offerNo: LA,
  data: {},
  count: 2,
  periods: 1,
  periodUnit: 1,
  periodLength: 30,
  proxyType: 103,
  countryCode: 'US',
  cityCode: 'USLAX',
  projectId: null,
  cidrBlocks: [],
  ceiling: '100',
  ...others,
})

/** A running supplier with proxies that were bought there. */
async function startWithProxies(count = 2) {
  const running = await startWithDriver()
  const request = opening('S1', { count })
  await running.driver.place(request, inTime())
  const found = await running.driver.find(request, null, inTime())
  if (found.status !== 'ended') throw new Error(`the order is ${found.status}`)
  return { ...running, proxies: found.instances, opened: found }
}

const renewal = (
  callNo: string,
  proxies: readonly { providerInstanceNo: string; expireTime?: string }[],
  others: Partial<RenewRequest> = {},
): RenewRequest => ({
  kind: 'renew',
  callNo,
  providerOrderNo: null,
  instances: proxies.map(({ providerInstanceNo, expireTime = null }) => ({ providerInstanceNo, expireTime })),
  periods: 1,
  periodUnit: 1,
  periodLength: 30,
  ceiling: '100',
  ...others,
})

const release = (callNo: string, proxies: readonly { providerInstanceNo: string }[]): ReleaseRequest => ({
  kind: 'release',
  callNo,
  providerOrderNo: null,
  instances: proxies.map(({ providerInstanceNo }) => ({ providerInstanceNo })),
})

const reset = (callNo: string, proxies: readonly { providerInstanceNo: string }[]): ResetRequest => ({
  ...release(callNo, proxies),
  kind: 'reset',
})

const faultOf = async (attempt: Promise<unknown>): Promise<SupplierFault> =>
  attempt.then(
    () => expect.unreachable('there was an answer'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(SupplierFault)
      return error as SupplierFault
    },
  )

it('is one of the drivers', () => {
  expect(DRIVERS.ipipv).toBe(ipipv)
})

describe('a connection', () => {
  it.each([
    'ftp://192.0.2.1',
    'http://api.example.com',
    'http://192.0.2.1/',
    'https://me:word@api.example.com',
    'https://api.example.com/?key=1',
    'nothing',
  ])('is refused at %s', (url) => {
    const access = { url, key: 'k', secret: 'x'.repeat(32) }
    expect(() => ipipv.connect(access)).toThrow(expect.objectContaining({ kind: 'misconfigured' }))
  })

  it.each([
    'https://api.example.com/',
    'http://localhost:1',
    'http://10.1.2.3',
    'http://[::1]:1',
    'http://supplier',
  ])('may be at %s', (url) => {
    expect(() => ipipv.connect({ url, key: 'k', secret: 'x'.repeat(32) })).not.toThrow()
  })

  it('needs a secret of 32 bytes, and a key', () => {
    const access = { url: 'https://api.example.com', key: 'k', secret: 'too short' }
    expect(() => ipipv.connect(access)).toThrow('9 bytes instead of 32')
    expect(() => ipipv.connect(access)).not.toThrow('too short')
    expect(() => ipipv.connect({ ...access, key: '', secret: 'x'.repeat(32) })).toThrow('key is empty')
  })
})

describe('the balance', () => {
  it('is money and credit', async () => {
    const { driver } = await startWithDriver({ account: { coin: '12.5', credit: '100.255' } })
    expect(await driver.balance(inTime())).toEqual({ available: '112.755' })
  })

  it('may be below zero', async () => {
    const { driver } = await startWithDriver({ account: { coin: '-30.5', credit: '30' } })
    expect(await driver.balance(inTime())).toEqual({ available: '-0.5' })
  })

  it('tells an account that is disabled, unknown, or has another secret', async () => {
    const { access, supplier, driver } = await startWithDriver()
    supplier.account.enabled = false
    expect(await faultOf(driver.balance(inTime()))).toMatchObject({
      kind: 'misconfigured',
      message: 'info: the account is disabled',
    })
    const unknown = ipipv.connect({ ...access, key: 'nobody' })
    expect((await faultOf(unknown.balance(inTime()))).kind).toBe('misconfigured')
    const wrong = ipipv.connect({ ...access, secret: 'x'.repeat(32) })
    expect((await faultOf(wrong.balance(inTime()))).message).toMatch(/code 400/)
    const elsewhere = ipipv.connect({ ...access, url: `${access.url}/elsewhere` })
    expect(await faultOf(elsewhere.balance(inTime()))).toMatchObject({
      kind: 'misconfigured',
      message: 'info: HTTP 404',
    })
  })
})

describe('the catalogue', () => {
  it('has the static products in our terms', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.setProduct({
      productNo: 'jp_tyo_month',
      productName: 'Tokyo',
      proxyType: 101,
      countryCode: 'JPN',
      stateCode: 'JPN000',
      cityCode: 'JPNTYO',
      cityName: 'Tokyo',
      costPrice: '4.123456',
      inventory: 7,
      unit: 3,
      ranges: [
        { cidr: '192.0.2.0/24', count: 5 },
        { cidr: '198.51.100.0/24', count: 0 },
      ],
      projects: [{ code: 'p1', name: 'Shopping' }],
      duration: 1,
    })
    const [la, tokyo] = await driver.catalogue(inTime())
    expect(la).toEqual({
      offerNo: LA,
      name: LA,
      proxyType: 103,
      countryCode: 'US',
      state: 'USA001',
      cityCode: 'USLAX',
      periodUnit: 1,
      periodLength: 30,
      cost: '2.5',
      stock: 1000,
      maxCount: 2000,
      projects: [],
      ranges: [],
      data: { refundSeconds: '86400' },
    })
    expect(tokyo).toMatchObject({
      offerNo: 'jp_tyo_month',
      name: 'Tokyo',
      proxyType: 101,
      countryCode: 'JP',
      state: '',
      periodUnit: 3,
      periodLength: 1,
      cost: '4.123456',
      stock: 7,
      projects: [{ code: 'p1', name: 'Shopping' }],
      ranges: [{ cidr: '192.0.2.0/24', stock: 5 }],
    })
  })

  it('sells weeks as days, and years as months', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.setProduct({ productNo: 'weeks', unit: 2, duration: 2 })
    supplier.setProduct({ productNo: 'year', unit: 4, duration: 1 })
    const offers = await driver.catalogue(inTime())
    expect(offers.slice(1).map((offer) => [offer.offerNo, offer.periodUnit, offer.periodLength])).toEqual([
      ['weeks', 1, 14],
      ['year', 3, 12],
    ])
  })

  it('leaves out what cannot be sold, and keeps the rest', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.setProduct({ productNo: 'dynamic', proxyType: 104 })
    supplier.setProduct({ productNo: 'off', enabled: false })
    supplier.setProduct({ productNo: 'unlimited', unit: 10 })
    supplier.setProduct({ productNo: 'endless', duration: 0 })
    supplier.setProduct({ productNo: 'nowhere', countryCode: 'XXX' })
    supplier.setProduct({ productNo: 'white-listed', useType: '2' })
    supplier.setProduct({ productNo: 'dear', costPrice: 'much' })
    supplier.setProduct({ productNo: 'a number with spaces' })
    expect((await driver.catalogue(inTime())).map(({ offerNo }) => offerNo)).toEqual([LA])
  })

  it('uses our city codes only', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.setProduct({ productNo: LA, cityCode: 'USNYC', cityName: '' })
    supplier.setProduct({ productNo: 'b', cityCode: 'USA009009', cityName: 'Nowhere Springs' })
    supplier.setProduct({
      productNo: 'c',
      cityCode: 'DEU001001',
      cityName: 'los angeles',
      countryCode: 'DEU',
    })
    supplier.setProduct({ productNo: 'd', cityCode: 'GBR001001', cityName: ' LONDON ', countryCode: 'GB' })
    const cities = (await driver.catalogue(inTime())).map(({ cityCode }) => cityCode)
    expect(cities).toEqual(['USNYC', '', '', 'GBLON'])
  })

  it('knows all countries by three letters', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const pairs = letters.flatMap((first) => letters.map((second) => first + second))
    const found = new Set(
      pairs.flatMap((pair) =>
        letters.map((third) => countryCodeOf(pair + third)).filter((code) => code !== undefined),
      ),
    )
    expect([...found].toSorted()).toEqual(pairs.filter(isCountryCode))
    expect(['USA', 'DEU', 'CHE', 'usa', 'XXX', 'UK'].map(countryCodeOf)).toEqual([
      'US',
      'DE',
      'CH',
      'US',
      undefined,
      undefined,
    ])
  })
})

describe('an opening', () => {
  it('is accepted, open, and ended with its proxies', async () => {
    const { driver, supplier, clock } = await startWithDriver()
    supplier.behaviour.delayMs = 60_000
    const request = opening('S1', { periods: 2 })
    const placed = await driver.place(request, inTime())
    const { orderNo } = supplier.orders()[0]!
    expect(placed).toEqual({ status: 'accepted', providerOrderNo: orderNo })
    expect(await driver.find(request, null, inTime())).toEqual({ status: 'open', providerOrderNo: orderNo })
    clock.advance(59_999)
    expect(await driver.find(request, orderNo, inTime())).toMatchObject({ status: 'open' })
    clock.advance(1)
    const [first, second] = supplier.instances()
    const found = await driver.find(request, orderNo, inTime())
    expect(found).toEqual({
      status: 'ended',
      providerOrderNo: orderNo,
      amount: '10.00',
      instances: [first, second].map((instance, index) => ({
        providerInstanceNo: instance!.instanceNo,
        providerOrderNo: orderNo,
        ip: `192.0.2.${index + 1}`,
        port: 10_000,
        username: instance!.username,
        password: instance!.password,
        countryCode: 'US',
        expireTime: '2026-04-30T12:00:00.000Z',
        status: 'running',
      })),
    })
    expect(supplier.uses('S1')).toEqual({ seen: 1, processed: 1 })
  })

  it('of 500 is one order, and all its pages are read', async () => {
    const { driver, supplier } = await startWithDriver()
    const request = opening('S500', { count: 500 })
    await driver.place(request, inTime())
    const found = await driver.find(request, null, inTime())
    expect(found).toMatchObject({ status: 'ended', amount: '1250.00' })
    const instances = found.status === 'ended' ? found.instances : []
    expect(new Set(instances.map(({ providerInstanceNo }) => providerInstanceNo)).size).toBe(500)
    expect(new Set(instances.map(({ ip }) => ip)).size).toBe(500)
    expect(supplier.orders().map(({ count }) => count)).toEqual([500])
    expect(supplier.requests('order')).toHaveLength(5)
  })

  it('takes its proxies from the chosen ranges', async () => {
    const { driver, supplier } = await startWithDriver()
    const [A, B] = ['203.0.113.0/25', '203.0.113.128/25'] as const
    supplier.setProduct({
      productNo: LA,
      ranges: [
        { cidr: A, count: 30 },
        { cidr: B, count: 30 },
      ],
      projects: [{ code: 'p1', name: 'Shopping' }],
    })
    const request = opening('S1', {
      count: 45,
      projectId: 'p1',
      cidrBlocks: [
        { cidr: A, count: 27 },
        { cidr: B, count: 18 },
      ],
    })
    await driver.place(request, inTime())
    const found = await driver.find(request, null, inTime())
    const ips = found.status === 'ended' ? found.instances.map(({ ip }) => ip) : []
    expect(ips).toHaveLength(45)
    expect(ips.filter((ip) => Number(ip.split('.')[3]) < 128)).toHaveLength(27)
    expect(supplier.requests('instance/open')[0]!.parameters).toEqual({
      appOrderNo: 'S1',
      params: [
        { productNo: LA, count: 20, cycleTimes: 1, projectId: 'p1', cidrBlocks: [{ cidr: A, count: 20 }] },
        {
          productNo: LA,
          count: 20,
          cycleTimes: 1,
          projectId: 'p1',
          cidrBlocks: [
            { cidr: A, count: 7 },
            { cidr: B, count: 13 },
          ],
        },
        { productNo: LA, count: 5, cycleTimes: 1, projectId: 'p1', cidrBlocks: [{ cidr: B, count: 5 }] },
      ],
    })
  })

  it('may be delivered in part, or not at all', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.behaviour.deliversAtMost = 3
    const part = opening('S1', { count: 5 })
    await driver.place(part, inTime())
    const found = await driver.find(part, null, inTime())
    expect(found).toMatchObject({ status: 'ended', reason: 'the supplier did 3 of 5' })
    expect(found).toHaveProperty('instances.length', 3)
    expect(found).not.toHaveProperty('amount')

    supplier.behaviour.outOfStock = 'fails'
    await driver.place(opening('S2'), inTime())
    expect(await driver.find(opening('S2'), null, inTime())).toMatchObject({
      status: 'ended',
      reason: 'the order failed at the supplier',
      instances: [],
    })
  })

  it('tells what the supplier charged, and when the proxies expire', async () => {
    const { driver, supplier } = await startWithDriver()
    Object.assign(supplier.behaviour, { priceAtOrder: '3.1', expiryShortMs: DAY_MS })
    await driver.place(opening('S1'), inTime())
    const found = await driver.find(opening('S1'), null, inTime())
    expect(found).toMatchObject({
      amount: '6.20',
      instances: [{ expireTime: '2026-03-30T12:00:00.000Z' }, { expireTime: '2026-03-30T12:00:00.000Z' }],
    })
  })

  it('that is sent again is not processed again', async () => {
    const { driver, supplier } = await startWithDriver()
    const first = await driver.place(opening('S1'), inTime())
    expect(await driver.place(opening('S1'), inTime())).toEqual(first)
    expect(supplier.uses('S1')).toEqual({ seen: 2, processed: 1 })
    const [one, two] = supplier.requests('instance/open').map(({ reqId }) => reqId)
    expect(one).toBe(two)

    supplier.behaviour.repeatedNumber = 'refusal'
    expect((await faultOf(driver.place(opening('S1'), inTime()))).kind).toBe('declined')
  })

  it('that is done stays open until all of its proxies are made', async () => {
    const { driver, supplier } = await startWithDriver()
    await driver.place(opening('S1'), inTime())
    await supplier.tick()
    const { instanceNo } = supplier.instances()[0]!
    supplier.setInstance(instanceNo, { status: 2 })
    expect(await driver.find(opening('S1'), null, inTime())).toMatchObject({ status: 'open' })
    // It was closed before anybody looked.
    supplier.setInstance(instanceNo, { status: 10 })
    const found = await driver.find(opening('S1'), null, inTime())
    expect(found).toMatchObject({ status: 'ended', reason: 'the supplier did 1 of 2' })
    expect(found).toHaveProperty('instances.length', 1)
  })

  it('stays open while the supplier does not end it', async () => {
    const { driver, supplier, clock } = await startWithDriver()
    supplier.behaviour.neverCompletes = true
    await driver.place(opening('S1'), inTime())
    clock.advance(DAY_MS)
    expect(await driver.find(opening('S1'), null, inTime())).toMatchObject({ status: 'open' })
  })

  it('that the supplier refuses may have been carried out', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.behaviour.outOfStock = 'refuses'
    const fault = await faultOf(driver.place(opening('S1'), inTime()))
    expect(fault.kind).toBe('declined')
    expect(fault.message).toBe('instance/open: code 500: "out of stock"')
    expect(await driver.find(opening('S1'), null, inTime())).toEqual({ status: 'absent' })
  })
})

describe('a look-up', () => {
  it.each(['no data', 'empty order', 'refusal'] as const)(
    'finds no order where the supplier answers with %s',
    async (unknownOrder) => {
      const { driver, supplier } = await startWithDriver()
      supplier.behaviour.unknownOrder = unknownOrder
      expect(await driver.find(opening('S1'), null, inTime())).toEqual({ status: 'absent' })
      await driver.place(opening('S1'), inTime())
      expect(await driver.find(opening('S1'), null, inTime())).toMatchObject({ status: 'ended' })
    },
  )

  it('concludes nothing from any other refusal', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.faults.add({ on: 'order', what: 'refuse' })
    expect(await faultOf(driver.find(opening('S1'), null, inTime()))).toMatchObject({ kind: 'unknown' })
    const unknown = ipipv.connect({ ...(await startSupplier()).access, key: 'nobody' })
    expect((await faultOf(unknown.find(opening('S1'), null, inTime()))).kind).toBe('unknown')
  })

  it('goes by our number where the supplier does not know its own', async () => {
    const { driver } = await startWithDriver()
    await driver.place(opening('S1'), inTime())
    expect(await driver.find(opening('S1'), 'P-unknown', inTime())).toMatchObject({ status: 'ended' })
    expect(await driver.find(opening('S2'), 'P-unknown', inTime())).toEqual({ status: 'absent' })
  })

  it('goes by the number that a person found', async () => {
    const { driver, supplier } = await startWithDriver()
    const { orderNo } = supplier.openElsewhere(LA, 2)
    expect(await driver.find(opening('S1'), orderNo, inTime())).toMatchObject({
      status: 'ended',
      providerOrderNo: orderNo,
    })
  })

  it('does not take an order with another number for its own', async () => {
    const { driver, supplier } = await startWithDriver()
    await driver.place(opening('S1'), inTime())
    await driver.place(opening('S2'), inTime())
    supplier.behaviour.showsOtherOrder = true
    expect(await faultOf(driver.find(opening('S1'), null, inTime()))).toMatchObject({
      kind: 'unknown',
      message: 'order: the answer is about another order',
    })
  })

  it('does not take an order of another kind for its own', async () => {
    const { driver, proxies, opened } = await startWithProxies()
    const request = release('R1', proxies)
    expect(await faultOf(driver.find(request, opened.providerOrderNo ?? '', inTime()))).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('of another kind') as string,
    })
  })
})

describe('a renewal', () => {
  it('moves the expiry when it is done, not before', async () => {
    const { driver, supplier, clock, proxies } = await startWithProxies()
    supplier.behaviour.delayMs = 1000
    const request = renewal('N1', proxies, { periods: 2 })
    const placed = await driver.place(request, inTime())
    expect(placed).toMatchObject({ status: 'accepted' })
    expect(await driver.find(request, null, inTime())).toMatchObject({ status: 'open' })
    clock.advance(1000)
    expect(await driver.find(request, null, inTime())).toMatchObject({
      status: 'ended',
      amount: '10.00',
      providerOrderNo: supplier.order('N1')!.orderNo,
      instances: proxies.map(({ providerInstanceNo }) => ({
        providerInstanceNo,
        expireTime: '2026-05-30T12:00:00.000Z',
        status: 'running',
      })),
    })
  })

  it('that fails leaves the proxies as they are', async () => {
    const { driver, supplier, proxies } = await startWithProxies()
    supplier.behaviour.deliversAtMost = 0
    await driver.place(renewal('N1', proxies), inTime())
    expect(await driver.find(renewal('N1', proxies), null, inTime())).toEqual({
      status: 'ended',
      providerOrderNo: supplier.order('N1')!.orderNo,
      instances: [],
      reason: 'the order failed at the supplier',
    })
    expect(
      await driver.instances(
        proxies.map((one) => one.providerInstanceNo),
        inTime(),
      ),
    ).toEqual(proxies)
  })

  it('in part names those that were renewed', async () => {
    const { driver, supplier, proxies } = await startWithProxies(3)
    supplier.behaviour.deliversAtMost = 1
    await driver.place(renewal('N1', proxies), inTime())
    expect(await driver.find(renewal('N1', proxies), null, inTime())).toMatchObject({
      status: 'ended',
      reason: 'the supplier did 1 of 3',
      instances: [{ providerInstanceNo: proxies[0]!.providerInstanceNo }],
    })
  })

  it('in part is not ended where nobody knows when the proxies expired before', async () => {
    const { driver, supplier, proxies } = await startWithProxies(2)
    supplier.behaviour.deliversAtMost = 1
    const request = renewal(
      'N1',
      proxies.map(({ providerInstanceNo }) => ({ providerInstanceNo })),
    )
    await driver.place(request, inTime())
    expect(await driver.find(request, null, inTime())).toMatchObject({ status: 'open' })
  })

  it('that is done without a later expiry is not done yet', async () => {
    const { driver, supplier, proxies } = await startWithProxies(1)
    const request = renewal('N1', proxies)
    await driver.place(request, inTime())
    await supplier.tick()
    const { instanceNo, expiresAt } = supplier.instances()[0]!
    supplier.setInstance(instanceNo, { expiresAt: new Date(proxies[0]!.expireTime ?? '') })
    expect(await driver.find(request, null, inTime())).toMatchObject({ status: 'open' })
    supplier.setInstance(instanceNo, { expiresAt })
    expect(await driver.find(request, null, inTime())).toMatchObject({ status: 'ended' })
  })
})

describe('a release', () => {
  it('ends the proxies, and tells what comes back', async () => {
    const { driver, supplier, proxies } = await startWithProxies()
    const request = release('R1', proxies)
    expect(await driver.place(request, inTime())).toMatchObject({ status: 'accepted' })
    expect(await driver.find(request, null, inTime())).toMatchObject({
      status: 'ended',
      amount: '5.00',
      instances: [{ status: 'released' }, { status: 'released' }],
    })
    expect(supplier.account.coin).toBe('10000.00')
  })

  it('that fails leaves the proxies running', async () => {
    const { driver, supplier, proxies } = await startWithProxies()
    supplier.behaviour.deliversAtMost = 0
    await driver.place(release('R1', proxies), inTime())
    expect(await driver.find(release('R1', proxies), null, inTime())).toMatchObject({
      status: 'ended',
      instances: [],
    })
    expect(await driver.running(inTime())).toHaveLength(2)
  })

  it('that is done with a proxy running is not done yet', async () => {
    const { driver, supplier, proxies } = await startWithProxies()
    await driver.place(release('R1', proxies), inTime())
    await supplier.tick()
    supplier.setInstance(proxies[0]!.providerInstanceNo, { status: 3 })
    expect(await driver.find(release('R1', proxies), null, inTime())).toMatchObject({ status: 'open' })
  })

  it('brings nothing back after the time for refunds', async () => {
    const { driver, clock, proxies } = await startWithProxies()
    clock.advance(DAY_MS + 1)
    await driver.place(release('R1', proxies), inTime())
    expect(await driver.find(release('R1', proxies), null, inTime())).toMatchObject({ amount: '0.00' })
  })
})

describe('a reset', () => {
  it('brings new passwords when they are there', async () => {
    const { driver, supplier, clock, proxies } = await startWithProxies()
    supplier.behaviour.delayMs = 1000
    const request = reset('W1', proxies)
    expect(await driver.place(request, inTime())).toEqual({ status: 'accepted' })
    expect(await driver.find(request, null, inTime())).toEqual({ status: 'open' })
    clock.advance(1000)
    const found = await driver.find(request, null, inTime())
    const now = supplier.instances().map(({ password }) => password)
    expect(found).toMatchObject({ status: 'ended', instances: now.map((password) => ({ password })) })
    expect(now).not.toContain(proxies[0]!.password)
    expect(supplier.uses('W1').processed).toBe(1)
  })

  it('tells how many failed', async () => {
    const { driver, supplier, proxies } = await startWithProxies(2)
    supplier.behaviour.deliversAtMost = 1
    await driver.place(reset('W1', proxies), inTime())
    expect(await driver.find(reset('W1', proxies), null, inTime())).toMatchObject({
      instances: [{ providerInstanceNo: proxies[0]!.providerInstanceNo }],
      reason: 'the supplier changed 1 of 2 passwords',
    })
  })
})

describe('the account', () => {
  it('shows proxies by their numbers, and leaves out unknown ones', async () => {
    const { driver, supplier, proxies } = await startWithProxies(120)
    const numbers = proxies.map(({ providerInstanceNo }) => providerInstanceNo)
    const shown = await driver.instances([...numbers, 'c_unknown'], inTime())
    expect(shown).toEqual(proxies)
    expect(supplier.requests('instance')).toHaveLength(2)
    supplier.setInstance(numbers[0]!, { status: 6 })
    supplier.setInstance(numbers[1]!, { status: 10 })
    const statuses = await driver.instances(numbers.slice(0, 3), inTime())
    expect(statuses.map(({ status }) => status)).toEqual(['stopped', 'closed', 'running'])
    expect(await driver.instances([], inTime())).toEqual([])
  })

  it('shows all that runs', async () => {
    const { driver, supplier, clock, proxies } = await startWithProxies(250)
    supplier.setInstance(proxies[0]!.providerInstanceNo, { status: 11 })
    supplier.openElsewhere(LA, 1)
    await supplier.tick()
    expect(await driver.running(inTime())).toHaveLength(250)
    clock.advance(30 * DAY_MS)
    expect(await driver.running(inTime())).toEqual([])
  })

  it('shows its orders since a moment', async () => {
    const { driver, supplier, clock, proxies } = await startWithProxies()
    const moment = clock.now()
    clock.advance(3_600_000)
    supplier.behaviour.deliversAtMost = 1
    await driver.place(renewal('N1', proxies), inTime())
    clock.advance(1)
    supplier.behaviour.neverCompletes = true
    const other = supplier.openElsewhere(LA, 3)
    const orders = await driver.orders(new Date(moment.getTime() + 1), inTime())
    expect(orders).toEqual([
      {
        callNo: other.appOrderNo,
        providerOrderNo: other.orderNo,
        count: 3,
        createdAt: '2026-03-01T13:00:00.001Z',
        status: 'open',
      },
      {
        callNo: 'N1',
        providerOrderNo: supplier.order('N1')!.orderNo,
        count: 2,
        createdAt: '2026-03-01T13:00:00.000Z',
        // Not looked at by anybody since it was accepted.
        status: 'open',
      },
    ])
    supplier.behaviour.neverCompletes = false
    const all = await driver.orders(new Date(moment.getTime() - DAY_MS), inTime())
    // Whether the amount of one that is not done is before or after the refund, is not documented: it is compared with nothing.
    expect(all.map(({ callNo, status, amount }) => [callNo, status, amount])).toEqual([
      [other.appOrderNo, 'partial', undefined],
      ['N1', 'partial', undefined],
      ['S1', 'done', '5.00'],
    ])
  })
})

describe('an answer that does not count', () => {
  const unclear: readonly [what: FaultKind, processed: number, message: RegExp][] = [
    ['lose_answer', 1, /^no answer: /],
    ['lose_request', 0, /^no answer: /],
    ['truncate', 1, /^no answer: /],
    ['garbage', 1, /cannot be decrypted/],
    ['status_502', 0, /HTTP 502/],
    ['status_429', 0, /HTTP 429/],
    ['redirect', 0, /HTTP 302/],
  ]
  const cases = [...unclear.map(([what]) => [what] as const), ['refuse'] as const]

  it.each(unclear)('leaves an opening unknown: %s', async (what, processed, message) => {
    const { driver, supplier } = await startWithDriver()
    supplier.faults.add({ on: 'open', what })
    const fault = await faultOf(driver.place(opening('S1'), inTime()))
    expect(fault.kind).toBe('unknown')
    expect(fault.message).toMatch(message)
    expect(supplier.uses('S1').processed).toBe(processed)
    // The look-up tells which.
    const found = await driver.find(opening('S1'), null, inTime())
    expect(found.status).toBe(processed === 1 ? 'ended' : 'absent')
  })

  it.each(cases)('leaves a look-up unknown: %s', async (what) => {
    const { driver, supplier } = await startWithDriver()
    await driver.place(opening('S1'), inTime())
    supplier.faults.add({ on: 'order', what })
    expect((await faultOf(driver.find(opening('S1'), null, inTime()))).kind).toBe('unknown')
  })

  it.each([['renew'], ['release'], ['reset']] as const)('leaves a call unknown: %s', async (kind) => {
    const { driver, supplier, proxies } = await startWithProxies()
    const request = { renew: renewal, release, reset }[kind]('C1', proxies)
    supplier.faults.add({ on: kind, what: 'status_502', carriedOut: true })
    expect((await faultOf(driver.place(request, inTime()))).kind).toBe('unknown')
    expect(await driver.find(request, null, inTime())).toMatchObject({ status: 'ended' })
    expect(supplier.uses('C1').processed).toBe(1)
  })

  it('does not come in time', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.faults.add({ on: 'open', what: 'hang' })
    const giveUp = new AbortController()
    const placing = faultOf(driver.place(opening('S1'), giveUp.signal))
    await expect.poll(() => supplier.requests('instance/open').length, PATIENCE).toBe(1)
    giveUp.abort()
    expect(await placing).toMatchObject({ kind: 'unknown', message: 'no whole answer in time' })
    expect(await faultOf(driver.place(opening('S2'), giveUp.signal))).toMatchObject({ kind: 'not_sent' })
    expect(supplier.uses('S2').seen).toBe(0)
  })

  it('tells how long the supplier wants to be left alone', async () => {
    const { driver, supplier } = await startWithDriver()
    supplier.faults.add({ on: 'info', what: 'status_429' })
    expect((await faultOf(driver.balance(inTime()))).retryAfterMs).toBe(7000)
  })

  it('was never asked for where nobody listens', async () => {
    const { driver, stop } = await startWithDriver()
    await stop()
    expect(await faultOf(driver.place(opening('S1'), inTime()))).toMatchObject({
      kind: 'not_sent',
      message: 'no answer: ECONNREFUSED',
    })
  })

  it('was never asked for where name, port or encryption of the address are wrong', async () => {
    const { access } = await startWithDriver()
    const nowhere = ipipv.connect({ ...access, url: 'https://supplier.invalid' })
    expect((await faultOf(nowhere.place(opening('S1'), inTime()))).kind).toBe('not_sent')
    const badPort = ipipv.connect({ ...access, url: 'http://127.0.0.1:25' })
    expect(await faultOf(badPort.place(opening('S1'), inTime()))).toMatchObject({
      kind: 'not_sent',
      message: 'no answer: bad port',
    })
    const plain = ipipv.connect({ ...access, url: access.url.replace('http:', 'https:') })
    expect((await faultOf(plain.place(opening('S1'), inTime()))).kind).toBe('not_sent')
  })

  it('is not read without end', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
        const chunk = Buffer.alloc(1_000_000, ' ')
        const more = () => void socket.write(chunk, (error) => (error ? undefined : more()))
        more()
      })
    })
    await new Promise<void>((resolve) => void server.listen({ host: '127.0.0.1', port: 0 }, resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const driver = ipipv.connect({ url: `http://127.0.0.1:${port}`, key: 'k', secret: 'x'.repeat(32) })
    expect(await faultOf(driver.balance(inTime()))).toMatchObject({
      kind: 'unknown',
      message: 'the answer is too large',
    })
  })

  it('names neither key nor secret', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        const body = JSON.stringify({ code: 500, msg: `no access for my-key with ${'s'.repeat(32)}` })
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
      })
    })
    await new Promise<void>((resolve) => void server.listen({ host: '127.0.0.1', port: 0 }, resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const driver = ipipv.connect({ url: `http://127.0.0.1:${port}`, key: 'my-key', secret: 's'.repeat(32) })
    expect((await faultOf(driver.balance(inTime()))).message).toBe(
      'info: code 500: "no access for [key] with [secret]"',
    )
  })
})

describe('a callback', () => {
  it('names an order or a proxy', () => {
    const subject = (query: string) => ipipv.callback?.subject(Object.fromEntries(new URLSearchParams(query)))
    expect(subject('type=order&no=S1&op=update')).toBe('S1')
    expect(subject('type=instance&no=c_12')).toBe('c_12')
    expect(subject('type=product&no=us_la_30&op=update')).toBeUndefined()
    expect(subject('type=order')).toBeUndefined()
    expect(subject(`type=order&no=${'x'.repeat(65)}`)).toBeUndefined()
    expect(subject('type=order&no=%27%20OR%201')).toBeUndefined()
    expect(ipipv.callback?.answer).toEqual({ code: 'success' })
  })
})
