import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { SuppliedProductOfTest } from '../../support/supplied-product.ts'
import {
  changeConnection,
  changeOffer,
  connection,
  LOS_ANGELES,
  NEW_YORK,
  offers,
  suppliedProduct,
} from '../../support/supplied-product.ts'
import { openService, refused } from '../../support/service.ts'
import { sealed } from '../../support/supplied-shop.ts'
import { testSupplier } from '../../support/test-supplier.ts'

async function shop({ connection: access, ...options }: SuppliedProductOfTest = {}) {
  const service = await openService({ drivers: { ipipv: testSupplier().kind } })
  const account = { driver: 'ipipv', credentials: sealed('upstream'), ...access }
  await suppliedProduct(service, { connection: account, ...options })
  const agent = await service.agent({ balance: 100 })
  return {
    ...service,
    agent,
    edit: (input: Parameters<typeof service.core.operator.editProduct>[2]) =>
      service.core.operator.editProduct(SHELL, 'supplied', input),
    /** Price by city. */
    prices: async () =>
      Object.fromEntries(
        (await service.core.catalog.query(agent, { productNo: 'supplied' })).map(({ cityCode, price }) => [
          cityCode,
          price / 1e6,
        ]),
      ),
    product: () => service.db.read.product.findUniqueOrThrow({ where: { productNo: 'supplied' } }),
  }
}

/** What a refusal says about which field. */
const issue = (field: string, message: string) => ({
  code: 'validation_error',
  issues: [expect.objectContaining({ path: expect.arrayContaining([field]), message })],
})

describe('a new product of a supplier', () => {
  it('has type, period, places and projects of its offers', async () => {
    const amazon = { code: 'amazon', name: 'Amazon' }
    const ebay = { code: 'ebay', name: 'eBay' }
    const weekly = { proxyType: 101, periodUnit: 1, periodLength: 7 }
    const { product, core, agent } = await shop({
      offers: [
        { ...LOS_ANGELES, ...weekly, projects: [amazon] },
        { ...NEW_YORK, ...weekly, projects: [amazon, ebay] },
      ],
      product: { minMarginPercent: 12.5, replacePolicy: 'auto', replaceLimit: 3 },
    })
    expect(await product()).toMatchObject({
      supplier: 'upstream',
      proxyType: 101,
      productType: 2,
      periodUnit: 1,
      periodLength: 7,
      projects: JSON.stringify([amazon, ebay]),
      refundHours: 0,
      marginBps: 5000,
      marginAmount: null,
      minMarginBps: 1250,
      replacePolicy: 'auto',
      replaceLimit: 3,
    })
    expect((await core.catalog.query(agent)).map(({ state, cityCode }) => [state, cityCode])).toEqual([
      ['CA', 'USLAX'],
      ['NY', 'USNYC'],
    ])
  })

  it('is refused where it does not fit', async () => {
    const service = await openService()
    await service.product('own')
    await offers(service, await connection(service), [
      LOS_ANGELES,
      { ...NEW_YORK, offerNo: 'weekly', periodUnit: 1, periodLength: 7 },
      { ...NEW_YORK, offerNo: 'cloud', proxyType: 101 },
      { ...NEW_YORK, offerNo: 'shared', projects: [{ code: 'a', name: 'A' }] },
      { ...LOS_ANGELES, offerNo: 'again' },
    ])
    const refusals: [change: object, field: string, message: string][] = [
      [{ supplier: 'nobody' }, 'supplier', 'no_such_supplier'],
      [{ offers: ['LA', 'nowhere'] }, 'nowhere', 'no_such_offer'],
      [{ offers: ['LA', 'weekly'] }, 'weekly', 'offer_of_another_kind'],
      [{ offers: ['LA', 'cloud'] }, 'cloud', 'offer_of_another_kind'],
      [{ offers: ['LA', 'shared'] }, 'shared', 'offer_of_another_kind'],
      [{ offers: ['LA', 'again'] }, 'again', 'offers_in_one_place'],
      [{ price: 5 }, 'price', 'price_or_margin'],
      [{ marginPercent: undefined }, 'price', 'price_or_margin'],
      [{ refundHours: 25 }, 'refundHours', 'longer_than_the_supplier'],
      [{ productNo: 'own' }, 'productNo', 'product_exists'],
    ]
    for (const [change, field, message] of refusals) {
      const attempt = service.core.operator.addSuppliedProduct(SHELL, {
        productNo: 'supplied',
        names: { en: 'Supplied', zh: '供应' },
        supplier: 'upstream',
        offers: ['LA'],
        marginPercent: 50,
        ...change,
      })
      await expect(attempt, field).rejects.toMatchObject(issue(field, message))
    }
    expect(await service.db.read.product.count()).toBe(1)
  })

  it('is refunded no longer than by the supplier', async () => {
    expect(await (await shop({ connection: { refundHours: 6 } })).product()).toMatchObject({ refundHours: 6 })
    const { edit } = await shop({ connection: { refundHours: 48 }, product: { refundHours: 48 } })
    await edit({ refundHours: 47 })
    await expect(edit({ refundHours: 49 })).rejects.toMatchObject(
      issue('refundHours', 'longer_than_the_supplier'),
    )
  })

  it('tells of offers that a fixed price does not cover', async () => {
    const service = await openService()
    await offers(service, await connection(service), [LOS_ANGELES, NEW_YORK])
    const added = await service.core.operator.addSuppliedProduct(SHELL, {
      productNo: 'fixed',
      names: { en: 'Fixed', zh: '固定' },
      supplier: 'upstream',
      offers: ['LA', 'NY'],
      price: 2.5,
    })
    expect(added.uncovered).toEqual(['NY'])
  })
})

describe('an edited product of a supplier', () => {
  it('sells other offers, and keeps a place that orders name', async () => {
    const service = await shop()
    const { edit, prices, db, agent } = service
    const { id: connectionId } = await db.read.supplierConnection.findFirstOrThrow()
    const tokyo = { offerNo: 'TYO', countryCode: 'JP', cityCode: 'JPTYO' }
    await offers(service, connectionId, [tokyo, { ...LOS_ANGELES, offerNo: 'LA2', cost: 4 }])
    await expect(edit({ addOffers: ['LA2'] })).rejects.toMatchObject(issue('LA2', 'offers_in_one_place'))

    const orderId = await boughtIn(service, 'LA')
    await edit({ removeOffers: ['LA', 'NY'], addOffers: ['TYO'] })
    expect(await prices()).toEqual({ JPTYO: 3 })
    expect(
      (
        await db.read.location.findMany({
          where: { product: { productNo: 'supplied' } },
          orderBy: { id: 'asc' },
        })
      ).map(({ cityCode, offerId }) => [cityCode, offerId === null]),
    ).toEqual([
      ['USLAX', true],
      ['JPTYO', false],
    ])
    await expect(edit({ removeOffers: ['NY'] })).rejects.toMatchObject(issue('NY', 'not_in_the_product'))
    const renewal = { order: { id: orderId }, duration: 1, unit: 3 as const }
    await refused(service.core.orders.quoteRenewal(agent, renewal), 'invalid_state')

    // The offer that takes its place also renews what was bought from the first one.
    await edit({ addOffers: ['LA2'] })
    expect(await prices()).toEqual({ JPTYO: 3, USLAX: 6 })
    expect(await service.core.orders.quoteRenewal(agent, renewal)).toMatchObject({ unitPrice: 6_000_000 })
  })

  it('has margins of its own in a place, until it has the usual ones again', async () => {
    const { edit, prices } = await shop()
    const losAngeles = { countryCode: 'US', cityCode: 'USLAX' }
    await edit({ place: losAngeles, marginAmount: 0.5 })
    expect(await prices()).toEqual({ USLAX: 2.5, USNYC: 4.5 })
    await edit({ marginPercent: 100 })
    expect(await prices()).toEqual({ USLAX: 2.5, USNYC: 6 })
    await edit({ place: losAngeles, usualMargin: true })
    expect(await prices()).toEqual({ USLAX: 4, USNYC: 6 })
    for (const [change, message] of [
      [{ place: { countryCode: 'FR', cityCode: '' }, marginAmount: 1 }, 'no_such_place'],
      [{ place: losAngeles }, 'margin_of_the_place'],
      [{ usualMargin: true as const }, 'margin_of_the_place'],
    ] as const)
      await expect(edit(change)).rejects.toMatchObject(issue('place', message))
    await expect(edit({ place: losAngeles, price: 3 })).rejects.toMatchObject(
      issue('price', 'not_for_a_place'),
    )
  })

  it('changes between a fixed price and a margin', async () => {
    const { edit, prices, core } = await shop()
    const everybody = { productNo: 'supplied' }
    await expect(core.operator.setPrice(SHELL, { ...everybody, price: 4 })).rejects.toMatchObject(
      issue('price', 'follows_the_cost'),
    )
    expect(await edit({ price: 5 })).toEqual({ uncovered: [] })
    expect(await prices()).toEqual({ USLAX: 5, USNYC: 5 })
    await core.operator.setPrice(SHELL, { ...everybody, price: 4, minQuantity: 10 })
    await edit({ marginPercent: 10 })
    expect(await prices()).toEqual({ USLAX: 2.2, USNYC: 3.3 })
    expect((await core.operator.listProducts())[0]).toMatchObject({ prices: [], free: 200, sold: null })
    expect(await edit({ minMarginPercent: 10 })).toEqual({ uncovered: ['LA', 'NY'] })
  })

  it('is no product of the own stock', async () => {
    const { core, edit } = await shop()
    await core.operator.addProduct(SHELL, {
      productNo: 'static',
      names: { en: 'Static', zh: '静态' },
      price: 1,
    })
    const own = (input: Parameters<typeof core.operator.editProduct>[2]) =>
      core.operator.editProduct(SHELL, 'static', input)
    await expect(own({ marginPercent: 1 })).rejects.toMatchObject(
      issue('marginPercent', 'supplied_products_only'),
    )
    await expect(edit({ assignIpSupported: true })).rejects.toMatchObject(
      issue('assignIpSupported', 'own_stock_only'),
    )
    await own({ replacePolicy: 'never', replaceLimit: 0 })
  })

  /** An order of one proxy that was bought from an offer, as its acceptance writes it. */
  async function boughtIn(service: Awaited<ReturnType<typeof shop>>, offerNo: string): Promise<number> {
    const { db, agent, core } = service
    await core.operator.addProduct(SHELL, {
      productNo: 'static',
      names: { en: 'Static', zh: '静态' },
      price: 1,
    })
    await service.stock('static', 1)
    const { orderNo } = await service.order(agent)
    await service.runJobs()
    const location = await db.read.location.findFirstOrThrow({ where: { offer: { offerNo } } })
    const { id, productId } = location
    return db.write(async (tx) => {
      const data = { productId, locationId: id }
      return (await tx.staticOrder.update({ where: { orderNo }, data })).id
    })
  }

  it('is renewed at the price of the place, unless the cost is higher or the connection paused', async () => {
    const service = await shop()
    const { core, agent } = service
    const order = { id: await boughtIn(service, 'NY') }
    const quote = () => core.orders.quoteRenewal(agent, { order, duration: 2, unit: 3 })
    // Neither the stock nor a pause of the offer, nor old figures, keep customers from what they have.
    await changeOffer(service, 'NY', { stock: 0, paused: true, seenAt: new Date(0) })
    expect(await quote()).toMatchObject({ unitPrice: 4_500_000, totalAmount: 9_000_000, nextTier: null })
    await changeConnection(service, { status: 'paused' })
    await refused(quote(), 'invalid_state')
    await changeConnection(service, { status: 'active' })
    await changeOffer(service, 'NY', { cost: 4.6 })
    await refused(quote(), 'invalid_state')
  })
})
