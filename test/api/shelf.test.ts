import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { expectRefusal, openApi, PRODUCTS } from '../support/api.ts'

const EXTRACT = '/open/app/dynamic/extract'

/** A static and two dynamic products, and a buyer with traffic. */
async function openShop() {
  const api = await openApi()
  await api.product('static', { descriptions: { en: 'For shops', zh: '适合电商' }, shelf: 5 })
  await api.stock('static', 1)
  const dynamic = { proxyType: 104, pool: 'dynamic_2' } as const
  await api.product('world', { ...dynamic, shelf: 9 })
  await api.product('some', { ...dynamic, countries: ['us', 'GB'], cities: ['USNYC', 'GBLON'], shelf: 1 })
  const buyer = await api.agent({ balance: 100 })
  for (const poolId of ['world', 'some']) await api.buyTraffic(buyer, { poolId })
  const client = await api.as(buyer)
  const query = async (language = 'en') =>
    (await client.post(PRODUCTS, { proxyType: [103, 104], language })).body.data.items
  const extract = (productNo: string, place: object) => client.post(EXTRACT, { productNo, ...place })
  return { ...api, buyer, client, query, extract }
}

test('Products stand in lists as on the shelf, with descriptions and the places that they offer', async () => {
  const { core, query } = await openShop()
  expect(await query()).toMatchObject([
    { productId: 'some', description: '', countries: ['US', 'GB'], cities: ['USNYC', 'GBLON'] },
    { productId: 'static', description: 'For shops', descriptions: { en: 'For shops', zh: '适合电商' } },
    { productId: 'world', countries: [], cities: [] },
  ])
  await core.operator.editProduct(SHELL, 'world', { shelf: 0, descriptions: { zh: '全球' } })
  expect((await query('zh'))[0]).toMatchObject({ productId: 'world', description: '全球', descriptionEn: '' })
  expect((await core.operator.listProducts()).map(({ productNo }) => productNo)).toEqual([
    'world',
    'some',
    'static',
  ])
})

test('An extraction names only countries and cities that the product offers, or none', async () => {
  const { core, extract } = await openShop()
  for (const place of [
    {},
    { countryCode: '' },
    { countryCode: 'us' },
    { countryCode: 'US', cityCode: 'USNYC' },
    { cityCode: 'New York' },
    { cityCode: 'london' },
  ])
    expect([place, (await extract('some', place)).status]).toEqual([place, 200])
  for (const [place, field] of [
    [{ countryCode: 'DE' }, 'countryCode'],
    [{ cityCode: 'USLAX' }, 'cityCode'],
    [{ countryCode: 'US', cityCode: 'Los Angeles' }, 'cityCode'],
  ] as const) {
    const refusal = await extract('some', place)
    expectRefusal(refusal, 422, 'validation_error')
    expect(refusal.body.data.errors).toMatchObject([{ field, message: 'is not offered by this product' }])
  }
  expect((await extract('world', { countryCode: 'DE', cityCode: 'Anywhere' })).status).toBe(200)

  await core.operator.editProduct(SHELL, 'some', { cities: [] })
  expect((await extract('some', { cityCode: 'USLAX' })).status).toBe(200)
  expectRefusal(await extract('some', { cityCode: 'DEFRA' }), 422, 'validation_error')
})

test('Places that make no sense are refused', async () => {
  const { core, product } = await openShop()
  const refusal = (field: string, message: string) => ({
    issues: [{ path: expect.arrayContaining([field]) as unknown, message }],
  })
  const dynamic = { proxyType: 104, pool: 'dynamic_1' } as const
  await expect(product('a', { ...dynamic, countries: ['XX'] })).rejects.toMatchObject(
    refusal('countries', 'not_a_country_code'),
  )
  await expect(product('a', { ...dynamic, cities: ['Rome'] })).rejects.toMatchObject(
    refusal('cities', 'not_a_city_code'),
  )
  await expect(product('a', { ...dynamic, countries: ['US'], cities: ['GBLON'] })).rejects.toMatchObject(
    refusal('cities', 'city_not_in_country'),
  )
  await expect(product('a', { countries: ['US'] })).rejects.toMatchObject(
    refusal('countries', 'dynamic_products_only'),
  )
  await expect(core.operator.editProduct(SHELL, 'static', { cities: ['USNYC'] })).rejects.toMatchObject(
    refusal('cities', 'dynamic_products_only'),
  )
  await expect(core.operator.editProduct(SHELL, 'some', { countries: ['DE'] })).rejects.toMatchObject(
    refusal('cities', 'city_not_in_country'),
  )
})
