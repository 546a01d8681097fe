import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { CREATE, expectRefusal, openApi, orderBody, PRODUCTS, QUOTE, RANGES } from '../support/api.ts'

async function catalogue() {
  const api = await openApi()
  const { product, stock, core } = api
  await product('us', { names: { en: 'Residential', zh: '住宅' }, price: 5 })
  await stock('us', 3, { country: 'US', state: 'NY', city: 'USNYC', cidr: '10.0.0.0/16' })
  await stock('us', 1, { country: 'US', state: 'CA', city: 'USLAX' })
  await product('shared', {
    shared: true,
    projects: [{ code: 'tk', name: 'TikTok' }],
    periodUnit: 1,
    periodLength: 30,
  })
  await stock('shared', 1, { country: 'DE' })
  await product('cloud', { proxyType: 101, cidrSupported: true, assignIpSupported: true, refundHours: 1 })
  await stock('cloud', 1, { country: 'JP' })
  await product('traffic', { proxyType: 104, pool: 'dynamic_2', price: 0.000001 })
  await core.operator.setPrice(SHELL, { productNo: 'us', price: 4.5, minQuantity: 10 })
  await core.operator.setPrice(SHELL, { productNo: 'us', price: 4, level: 1 })
  const seller = await api.agent({ level: 1 })
  return { ...api, client: await api.as(seller), stranger: await api.as(await api.agent({ level: 2 })) }
}

const numbers = (data: { items: readonly { productId: string }[] }) =>
  data.items.map(({ productId }) => productId)

test('A product item has every field in all its spellings', async () => {
  const { client } = await catalogue()
  const { body } = await client.post(PRODUCTS, { productNo: 'us', standardCityCode: 'USNYC' })
  expect(body.data.items).toEqual([
    {
      productId: 'us',
      productNo: 'us',
      name: 'Residential',
      description: '',
      names: { en: 'Residential', zh: '住宅' },
      descriptionEn: '',
      descriptionZh: '',
      descriptionRu: '',
      descriptions: {},
      proxyType: 103,
      product_type: 1,
      productType: 1,
      project_list: [],
      projects: [],
      projectList: [],
      stock: 3,
      countryCode: 'US',
      countryName: 'United States',
      countryNameEn: 'United States',
      countryNameZh: '美国',
      countryNameRu: 'США',
      countryNames: { en: 'United States', zh: '美国', ru: 'США' },
      cityCode: 'USNYC',
      cityName: 'New York',
      cityNameEn: 'New York',
      cityNameZh: '纽约',
      cityNameRu: 'Нью-Йорк',
      cityNames: { en: 'New York', zh: '纽约', ru: 'Нью-Йорк' },
      nameLanguage: 'en',
      stateCode: 'NY',
      duration: 1,
      unit: 3,
      price: 4,
      tiers: [{ min_count: 1, price: 4 }],
      refund_hours: 24,
      cidr_supported: false,
      assign_ip_supported: false,
    },
  ])
  expect(body.data.list).toEqual(body.data.items)
  expect(body.data).toMatchObject({ total: 1, page: 1, page_size: 1, pageSize: 1 })
})

test('The price is what the caller pays, with the tiers of its own scope', async () => {
  const { client, stranger } = await catalogue()
  const price = async (caller: typeof client) => {
    const { body } = await caller.post(PRODUCTS, { productNo: 'us', standardCityCode: 'USLAX' })
    return [body.data.items[0]?.price, body.data.items[0]?.tiers]
  }
  expect(await price(client)).toEqual([4, [{ min_count: 1, price: 4 }]])
  expect(await price(stranger)).toEqual([
    5,
    [
      { min_count: 1, price: 5 },
      { min_count: 10, price: 4.5 },
    ],
  ])
})

test('Tiers are the prices that hold from their quantity on, whichever scope they come from', async () => {
  const { core, as, agent, customer, product, stock } = await openApi()
  await product('static', { price: 5 })
  await stock('static', 10)
  const seller = await agent({ level: 1 })
  const buyer = await customer(seller, { name: 'buyer' })
  for (const price of [
    { level: 1, price: 4.5 },
    { level: 1, price: 4, minQuantity: 10 },
    { username: 'buyer', price: 3, minQuantity: 5 },
  ])
    await core.operator.setPrice(SHELL, { productNo: 'static', ...price })
  const client = await as(buyer)
  const [item] = (await client.post(PRODUCTS)).body.data.items
  expect(item?.tiers).toEqual([
    { min_count: 1, price: 4.5 },
    { min_count: 5, price: 3 },
  ])
  const quote = async (ipCount: number) =>
    (await client.post(QUOTE, orderBody(buyer.id, { ipCount }))).body.data
  expect(await quote(4)).toMatchObject({ unit_price: 4.5, next_tier: { min_quantity: 5, price: 3 } })
  expect(await quote(10)).toMatchObject({ unit_price: 3, next_tier: null })
})

test('The language parameter decides about names, whatever the language of the texts', async () => {
  const { client } = await catalogue()
  const zh = await client.post(PRODUCTS, { productNo: 'us', standardCityCode: 'USNYC', language: 'zh' })
  expect(zh.body.message).toBe('Success')
  expect(zh.body.data.items[0]).toMatchObject({
    name: '住宅',
    countryName: '美国',
    cityName: '纽约',
    nameLanguage: 'zh',
  })
  const en = await client.post(PRODUCTS, { productNo: 'us' }, { base: '/b/api' })
  expect(en.body.message).toBe('操作成功')
  expect(en.body.data.items[0]).toMatchObject({ name: 'Residential', nameLanguage: 'en' })
})

test('Without a proxy type 103 is meant; one or several can be named, and a body is not needed', async () => {
  const { client } = await catalogue()
  expect(numbers((await client.post(PRODUCTS)).body.data)).toEqual(['us', 'us', 'shared'])
  expect(numbers((await client.post(PRODUCTS, {})).body.data)).toEqual(['us', 'us', 'shared'])
  expect(numbers((await client.post(PRODUCTS, { proxyType: 101 })).body.data)).toEqual(['cloud'])
  expect(numbers((await client.post(PRODUCTS, { proxyType: [101, 104] })).body.data)).toEqual([
    'cloud',
    'traffic',
  ])
  for (const proxyType of ['103', 999, [], [103, '104'], null]) {
    expectRefusal(await client.post(PRODUCTS, { proxyType }), 422, 'validation_error')
  }
})

test('Products are found by place, in any case of the country code', async () => {
  const { client } = await catalogue()
  expect(numbers((await client.post(PRODUCTS, { standardCountryCode: 'de' })).body.data)).toEqual(['shared'])
  expect(numbers((await client.post(PRODUCTS, { standardCountryCode: 'FR' })).body.data)).toEqual([])
  expectRefusal(await client.post(PRODUCTS, { standardCountryCode: 'USA' }), 422, 'validation_error')
})

test('A shared product names its projects under all three names', async () => {
  const { client } = await catalogue()
  const { body } = await client.post(PRODUCTS, { productNo: 'shared' })
  const projects = [{ code: 'tk', name: 'TikTok' }]
  expect(body.data.items[0]).toMatchObject({
    product_type: 2,
    productType: 2,
    project_list: projects,
    projects,
    projectList: projects,
    duration: 30,
    unit: 1,
  })
})

test('A dynamic product has a pool and a price per GB, and neither place nor period', async () => {
  const { client } = await catalogue()
  const { body } = await client.post(PRODUCTS, { proxyType: 104 })
  expect(body.data.items[0]).toMatchObject({
    pool_type: 'dynamic_2',
    duration: 0,
    unit: 0,
    countryCode: '',
    cityCode: '',
    price: 0.000001,
    tiers: [{ min_gb: 1, price: 0.000001 }],
  })
})

test('An IP range item names the free ranges of a product in a place', async () => {
  const { client } = await catalogue()
  const { body } = await client.get(`${RANGES}?productNo=us&areaCode=NY&language=zh`)
  expect(body.data.items).toEqual([
    {
      productId: 'us',
      productNo: 'us',
      proxyType: 103,
      product_type: 1,
      productType: 1,
      project_list: [],
      projects: [],
      projectList: [],
      countryCode: 'US',
      countryName: '美国',
      countryNameEn: 'United States',
      countryNameZh: '美国',
      countryNameRu: 'США',
      countryNames: { en: 'United States', zh: '美国', ru: 'США' },
      cityCode: 'USNYC',
      cityName: '纽约',
      cityNameEn: 'New York',
      cityNameZh: '纽约',
      cityNameRu: 'Нью-Йорк',
      cityNames: { en: 'New York', zh: '纽约', ru: 'Нью-Йорк' },
      nameLanguage: 'zh',
      stateCode: 'NY',
      stateName: 'NY',
      ipRanges: [{ ipRange: '10.0.0.0/16', stock: 3 }],
    },
  ])
  expect(body.data.list).toEqual(body.data.items)
})

test('IP ranges are found by type and place, and disabled ones on request only', async () => {
  const { client, db } = await catalogue()
  const cities = async (query: string) =>
    (await client.get(`${RANGES}?${query}`)).body.data.items.map(({ cityCode }) => cityCode)
  expect(await cities('productNo=us&countryCode=us&cityCode=USLAX')).toEqual(['USLAX'])
  await db.write((tx) =>
    tx.stockIp.updateMany({ where: { location: { cityCode: 'USLAX' } }, data: { disabled: true } }),
  )
  expect(await cities('productNo=us')).toEqual(['USNYC'])
  expect(await cities('productNo=us&includeDisabled=false')).toEqual(['USNYC'])
  expect(await cities('productNo=us&includeDisabled=true')).toEqual(['USLAX', 'USNYC'])
  const { body } = await client.get(`${RANGES}?productNo=us&cityCode=USLAX&includeDisabled=true`)
  expect(body.data.items).toMatchObject([{ ipRanges: [{ stock: 0 }] }])
  expect(numbers((await client.get(`${RANGES}?proxyType=101`)).body.data)).toEqual(['cloud'])
  for (const query of [
    'proxyType=ten',
    'proxyType=106',
    'includeDisabled=yes',
    'language=fr',
    'proxyType=101&proxyType=103',
  ]) {
    expectRefusal(await client.get(`${RANGES}?${query}`), 422, 'validation_error')
  }
})

test('Whatever code an item shows is accepted where it is sent back, the empty one too', async () => {
  const api = await openApi()
  await api.product('nowhere')
  await api.stock('nowhere', 3, { country: 'US' })
  await api.product('traffic', { proxyType: 104, pool: 'dynamic_2' })
  const agent = await api.agent({ balance: 10 })
  const client = await api.as(agent)
  const [item] = (await client.post(PRODUCTS, {})).body.data.items as unknown as readonly Record<
    string,
    string
  >[]
  expect(item).toMatchObject({ countryCode: 'US', cityCode: '', stateCode: '' })
  const { countryCode, cityCode, stateCode } = item ?? {}

  const again = { standardCountryCode: countryCode, standardCityCode: cityCode }
  expect(numbers((await client.post(PRODUCTS, again)).body.data)).toEqual(['nowhere'])
  const none = { standardCountryCode: '', standardCityCode: '' }
  expect(numbers((await client.post(PRODUCTS, none)).body.data)).toEqual(['nowhere'])
  for (const query of [`countryCode=${countryCode}&cityCode=&areaCode=`, 'countryCode='])
    expect(numbers((await client.get(`${RANGES}?${query}`)).body.data)).toEqual(['nowhere'])

  const order = orderBody(agent.id, { poolId: 'nowhere', countryCode, cityCode, regionCode: stateCode })
  expect((await client.post(QUOTE, order)).status).toBe(200)
  const { body } = await client.post(CREATE, order)
  const { orderNo } = body.data
  expect(await api.core.orders.getStatic(agent, { orderNo })).toMatchObject({
    countryCode: 'US',
    cityCode: null,
  })
  expect(
    (await client.post(CREATE, orderBody(agent.id, { poolId: 'nowhere', countryCode: '', cityCode: '' })))
      .status,
  ).toBe(200)

  // A dynamic item shows empty codes as well.
  await api.buyTraffic(agent)
  const extraction = { productNo: 'traffic', countryCode: '', cityCode: '' }
  expect((await client.post('/open/app/dynamic/extract', extraction)).status).toBe(200)
})

test('A product that is named is found whatever its type; without a name the type is 103', async () => {
  const { client } = await catalogue()
  expect(numbers((await client.post(PRODUCTS, { productNo: 'cloud' })).body.data)).toEqual(['cloud'])
  expect(numbers((await client.post(PRODUCTS, { productNo: 'traffic' })).body.data)).toEqual(['traffic'])
  expect(numbers((await client.post(PRODUCTS, { productNo: 'cloud', proxyType: 103 })).body.data)).toEqual([])
  expect(numbers((await client.get(`${RANGES}?productNo=cloud`)).body.data)).toEqual(['cloud'])
  expect(numbers((await client.get(`${RANGES}?productNo=cloud&proxyType=103`)).body.data)).toEqual([])
  expect(numbers((await client.post(PRODUCTS, {})).body.data)).not.toContain('cloud')
})
