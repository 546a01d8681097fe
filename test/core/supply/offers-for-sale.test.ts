import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Actor } from '../../../src/core/access/actor.ts'
import { priceStaticOrder } from '../../../src/core/orders/price-static-order.ts'
import { StaticOrderInput } from '../../../src/core/orders/static-order-input.ts'
import { repriceLocations } from '../../../src/core/supply/location-prices.ts'
import { openService, refused } from '../../support/service.ts'
import {
  changeConnection,
  changeOffer,
  LOS_ANGELES,
  NEW_YORK,
  suppliedProduct,
  type SuppliedProductOfTest,
} from '../../support/supplied-product.ts'

const MINUTE = 60_000

async function shop(options: SuppliedProductOfTest = {}) {
  const service = await openService({ operatorChats: [] })
  const agent = await service.agent()
  const user = await service.customer(agent, { balance: 1000 })
  const supplied = await suppliedProduct(service, options)
  const order = (change: Partial<StaticOrderInput> = {}): StaticOrderInput => ({
    poolId: 'supplied',
    userId: user.id,
    ipCount: 1,
    duration: 1,
    unit: 3,
    ...change,
  })
  return {
    ...service,
    ...supplied,
    agent,
    user,
    quote: (change?: Partial<StaticOrderInput>) => service.core.orders.quoteStatic(user, order(change)),
    terms: (change?: Partial<StaticOrderInput>) =>
      priceStaticOrder(service.db.read, service.clock.now(), user, StaticOrderInput.parse(order(change))),
    /** City, stock and price of each item. */
    items: async (buyer: Actor = user) =>
      (await service.core.catalog.query(buyer)).map(({ cityCode, stock, price, maxCount }) => [
        cityCode,
        stock,
        price / 1e6,
        maxCount,
      ]),
  }
}

describe('what the catalogue shows of a supplier', () => {
  it('is each place with its own price and stock', async () => {
    const { items } = await shop()
    expect(await items()).toEqual([
      ['USLAX', 100, 3, 100],
      ['USNYC', 100, 4.5, 100],
    ])
  })

  it.each<[string, (it: Awaited<ReturnType<typeof shop>>) => unknown]>([
    ['while the operator has paused the connection', (it) => changeConnection(it, { status: 'paused' })],
    [
      'while the connection rests after faults',
      (it) => changeConnection(it, { pausedUntil: new Date(it.clock.now().getTime() + 1) }),
    ],
    ['while its balance is not known', (it) => changeConnection(it, { balance: null })],
    ['when its balance does not pay for one', (it) => changeConnection(it, { balance: 1.999999 })],
    ['while the offer is paused', (it) => changeOffer(it, 'LA', { paused: true })],
    ['when the supplier has none', (it) => changeOffer(it, 'LA', { stock: 0 })],
    ['when the price no longer covers the cost', (it) => changeOffer(it, 'LA', { cost: 3.000001 })],
    [
      'when the figures are older than 15 minutes',
      (it) => changeOffer(it, 'LA', { seenAt: new Date(it.clock.now().getTime() - 15 * MINUTE - 1) }),
    ],
  ])('is no stock %s, and an order is refused', async (_, change) => {
    const service = await shop()
    await change(service)
    expect((await service.items())[0]).toEqual(['USLAX', 0, 3, 0])
    await refused(service.quote({ cityCode: 'USLAX' }), 'out_of_stock', { requested: 1, available: 0 })
  })

  it('is stock up to the limits of freshness, pause, cost and balance', async () => {
    const service = await shop()
    await changeOffer(service, 'LA', {
      cost: 3,
      seenAt: new Date(service.clock.now().getTime() - 15 * MINUTE),
    })
    await changeConnection(service, { balance: 9, pausedUntil: service.clock.now() })
    expect(await service.items()).toEqual([
      ['USLAX', 3, 3, 3],
      ['USNYC', 3, 4.5, 3],
    ])
    await service.quote({ cityCode: 'USLAX', ipCount: 3 })
    await refused(service.quote({ cityCode: 'USLAX', ipCount: 4 }), 'out_of_stock', {
      requested: 4,
      available: 3,
    })
    // For three periods the balance pays for one.
    await refused(service.quote({ cityCode: 'USLAX', ipCount: 2, duration: 3 }), 'out_of_stock', {
      requested: 2,
      available: 1,
    })
  })

  it('leaves the minimum margin above the cost', async () => {
    const service = await shop({ product: { minMarginPercent: 33.33 } })
    expect((await service.items())[0]).toEqual(['USLAX', 100, 3, 100])
    await changeOffer(service, 'LA', { cost: 2.000101 })
    expect((await service.items())[0]?.[1]).toBe(0)
  })

  it('has own prices and those of a level before the price of the place', async () => {
    const { core, items, agent, user, quote } = await shop()
    const price = { productNo: 'supplied' }
    await core.operator.setPrice(SHELL, { ...price, price: 2.5, level: 1, minQuantity: 10 })
    expect((await items())[0]?.[2]).toBe(3)
    expect(await quote({ cityCode: 'USLAX' })).toMatchObject({
      unitPrice: 3_000_000,
      nextTier: { minQuantity: 10, price: 2_500_000 },
    })
    expect(await quote({ cityCode: 'USLAX', ipCount: 10 })).toMatchObject({ unitPrice: 2_500_000 })
    await core.operator.setPrice(SHELL, { ...price, price: 2.2, username: user.username })
    expect(await items()).toEqual([
      ['USLAX', 100, 2.2, 100],
      // Cost 3: not for this customer.
      ['USNYC', 0, 2.2, 0],
    ])
    expect((await items(agent))[1]).toEqual(['USNYC', 100, 4.5, 9])
  })

  it('ends where a discount no longer covers the cost', async () => {
    const { core, items, quote } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'supplied', price: 1.9, level: 1, minQuantity: 10 })
    expect((await items())[0]).toEqual(['USLAX', 100, 3, 9])
    expect((await quote({ cityCode: 'USLAX', ipCount: 9 })).nextTier).toBeNull()
    await refused(quote({ cityCode: 'USLAX', ipCount: 10 }), 'out_of_stock', { requested: 10, available: 9 })
  })

  it('has the ranges of the offers', async () => {
    const service = await shop({
      offers: [{ ...LOS_ANGELES, stock: 5, ranges: [{ cidr: '192.0.2.0/24', stock: 50 }] }, NEW_YORK],
    })
    const found = () => service.core.catalog.ipRanges({ productNo: 'supplied' })
    const item = { productNo: 'supplied', countryCode: 'US', cityCode: 'USLAX' }
    expect(await found()).toMatchObject([{ ...item, ipRanges: [{ ipRange: '192.0.2.0/24', stock: 5 }] }])
    await changeOffer(service, 'LA', { paused: true })
    expect(await found()).toEqual([])
    expect(
      await service.core.catalog.ipRanges({ productNo: 'supplied', includeDisabled: true }),
    ).toMatchObject([{ ...item, ipRanges: [{ ipRange: '192.0.2.0/24', stock: 0 }] }])
  })

  it('is counted where the operator looks at the stock', async () => {
    const service = await shop()
    await service.product('own')
    await service.stock('own', 2)
    const { core } = service
    expect(
      (await core.operator.listStock()).map(({ supplier, free, held }) => [supplier, free, held]),
    ).toEqual([
      ['inventory', 2, 0],
      ['upstream', 100, null],
      ['upstream', 100, null],
    ])
    expect((await core.operator.dayFigures()).stock.map(({ productNo, free }) => [productNo, free])).toEqual([
      ['supplied', 200],
      ['own', 2],
    ])
    await refused(service.stock('supplied', 1), 'validation_error')
  })
})

describe('the offer from which an order is bought', () => {
  it('is the cheapest that has the number, or else none', async () => {
    const { terms } = await shop({ offers: [{ ...LOS_ANGELES, stock: 5 }, NEW_YORK] })
    expect((await terms({ ipCount: 5 })).offer).toMatchObject({ offerNo: 'LA', cost: 2_000_000 })
    expect(await terms({ ipCount: 6 })).toMatchObject({
      unitPrice: 4_500_000,
      totalAmount: 27_000_000,
      tiers: [[1, 4_500_000]],
      offer: { offerNo: 'NY' },
    })
    await refused(terms({ ipCount: 101 }), 'out_of_stock', { requested: 101, available: 100 })
  })

  it('has no more proxies than one order of it may', async () => {
    const { terms } = await shop({ offers: [{ ...LOS_ANGELES, maxCount: 7 }] })
    expect((await terms({ ipCount: 7 })).offer?.maxCount).toBe(7)
    await refused(terms({ ipCount: 8 }), 'out_of_stock', { requested: 8, available: 7 })
  })

  it('is in the place that the order names', async () => {
    const { terms } = await shop()
    expect((await terms({ regionCode: 'NY' })).offer?.offerNo).toBe('NY')
    await expect(terms({ countryCode: 'FR' })).rejects.toMatchObject({
      code: 'location_not_supported_for_product',
      data: {
        supported_regions: [
          { cityCode: 'USLAX', stock: 100 },
          { cityCode: 'USNYC', stock: 100 },
        ],
      },
    })
  })

  it('has the project of the order', async () => {
    const amazon = { code: 'amazon', name: 'Amazon' }
    const tiktok = { code: 'tiktok', name: 'TikTok' }
    const { terms, core, user } = await shop({
      offers: [
        { ...LOS_ANGELES, projects: [amazon] },
        { ...NEW_YORK, projects: [amazon, tiktok] },
      ],
    })
    expect((await core.catalog.query(user)).map(({ projects }) => projects)).toEqual([
      [amazon],
      [amazon, tiktok],
    ])
    await refused(terms(), 'project_required', { projects: [amazon, tiktok] })
    expect((await terms({ projectId: 'amazon' })).offer?.offerNo).toBe('LA')
    expect((await terms({ projectId: 'tiktok' })).offer?.offerNo).toBe('NY')
    const wrong = { projectId: 'tiktok', cityCode: 'USLAX' }
    await refused(terms(wrong), 'project_not_allowed', { project_id: 'tiktok', projects: [amazon] })
  })

  it('has the ranges of the order', async () => {
    const [first, second] = ['192.0.2.0/24', '198.51.100.0/24']
    const { terms } = await shop({
      product: { cidrSupported: true },
      offers: [
        { ...LOS_ANGELES, ranges: [{ cidr: first, stock: 5 }] },
        {
          ...NEW_YORK,
          ranges: [
            { cidr: first, stock: 3 },
            { cidr: second, stock: 3 },
          ],
        },
      ],
    })
    const blocks = (...counts: [string, number][]) => ({
      ipCount: counts.reduce((sum, [, count]) => sum + count, 0),
      cidrBlocks: counts.map(([cidr, count]) => ({ cidr, count })),
    })
    expect((await terms(blocks([first, 3]))).offer?.offerNo).toBe('LA')
    expect((await terms(blocks([first, 3], [second, 3]))).offer?.offerNo).toBe('NY')
    await refused(terms(blocks([first, 6])), 'out_of_stock', { cidr: first, requested: 6, available: 5 })
    // Each range has enough, but not in one offer.
    await refused(terms(blocks([first, 5], [second, 3])), 'out_of_stock', { requested: 8, available: 6 })
    await refused(terms(blocks(['203.0.113.0/24', 1])), 'invalid_cidr_blocks', { cidr: '203.0.113.0/24' })
  })

  it('is refused above the ceiling of the client, by the price of the place', async () => {
    const { quote } = await shop()
    await quote({ totalAmount: 3 })
    await refused(quote({ totalAmount: 4, cityCode: 'USNYC' }), 'price_changed', {
      unit_price: 4.5,
      total_amount: 4.5,
    })
  })
})

describe('prices that follow the cost', () => {
  it.each([
    { cost: 2, product: { marginPercent: 50 }, price: 3 },
    { cost: 2, product: { marginPercent: 0, marginAmount: 0.333333 }, price: 2.34 },
    { cost: 2, product: { marginPercent: 20, marginAmount: 0.3 }, price: 2.4 },
    { cost: 1, product: { marginPercent: 20, marginAmount: 0.3 }, price: 1.3 },
    { cost: 1.000001, product: { marginPercent: 0 }, price: 1.01 },
    { cost: 0.333333, product: { marginPercent: 12.34 }, price: 0.38 },
  ])(
    'are the cost and the larger margin, rounded up: $product over $cost is $price',
    async ({ cost, product, price }) => {
      const { items } = await shop({
        offers: [{ ...LOS_ANGELES, cost }],
        product,
      })
      expect((await items())[0]?.[2]).toBe(price)
    },
  )

  it('change with the cost', async () => {
    const service = await shop()
    const { db, connectionId, items } = service
    await changeOffer(service, 'LA', { cost: 4 })
    await db.write((tx) => repriceLocations(tx, { connectionId }))
    expect((await items()).map(([city, , price]) => [city, price])).toEqual([
      ['USLAX', 6],
      ['USNYC', 4.5],
    ])
  })
})
