import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../../src/api/errors.ts'
import { languageOf } from '../../src/api/language.ts'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { TEXTS } from '../../src/api/texts/index.ts'
import { BALANCE, openApi } from '../support/api.ts'
import { PASSWORD } from '../support/service.ts'

test('The two variants serve the same accounts, and differ in dyn3_balance and language', async () => {
  const { agent, as } = await openApi()
  const client = await as(await agent({ name: 'agent', balance: 7 }))
  const a = await client.get(BALANCE, { base: '/a/api' })
  const b = await client.get(BALANCE, { base: '/b/api' })
  expect(a.body).toMatchObject({ message: 'Success', data: { balance: 7, lumi_balance: 0 } })
  expect(a.body.data).not.toHaveProperty('dyn3_balance')
  expect(b.body).toEqual({
    ...a.body,
    message: '操作成功',
    msg: '操作成功',
    data: { ...a.body.data, dyn3_balance: 0 },
  })
})

test('The remaining traffic is shown in GB', async () => {
  const { agent, as, product, buyTraffic } = await openApi()
  const actor = await agent()
  for (const [poolId, pool, trafficAmount] of [
    ['one', 'dynamic_1', 2.5],
    ['three', 'dynamic_3', 0.001],
  ] as const) {
    await product(poolId, { proxyType: 104, pool, price: 0 })
    await buyTraffic(actor, { poolId, trafficAmount })
  }
  const { body } = await (await as(actor)).get(BALANCE, { base: '/b/api' })
  expect(body.data).toMatchObject({ lumi_balance: 2.5, dyn3_balance: 0.001 })
})

test.each(['A', 'B'] as const)('/api is variant %s when that is configured', async (defaultVariant) => {
  const { agent, as, server } = await openApi({ api: { defaultVariant } })
  const { body } = await (await as(await agent())).get(BALANCE)
  expect('dyn3_balance' in body.data).toBe(defaultVariant === 'B')
  const outside = (await server.inject('/nowhere')).json()
  expect(outside.message).toBe(TEXTS[defaultVariant === 'A' ? 'en' : 'zh'].errors.route_not_found)
})

test('The text of a log-in is in the language of the variant, unless the caller asks for a language', async () => {
  const { agent, call } = await openApi()
  await agent({ name: 'agent' })
  const text = async (base: '/a/api' | '/b/api', language?: string) => {
    const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
    return (
      await call('POST', '/auth/login', { base, headers, payload: { username: 'agent', password: PASSWORD } })
    ).body.message
  }
  expect(await text('/a/api')).toBe('Login successful')
  expect(await text('/b/api')).toBe('登录成功')
  expect(await text('/a/api', 'zh-CN,zh;q=0.9,en;q=0.8')).toBe('登录成功')
  expect(await text('/b/api', 'en-GB')).toBe('Login successful')
  expect(await text('/b/api', 'fr, *;q=0.1')).toBe('登录成功')
})

test.each([
  [undefined, 'fallback'],
  ['', 'fallback'],
  ['fr-FR,de', 'fallback'],
  ['zh', 'zh'],
  ['ZH-hant-TW', 'zh'],
  ['en;q=0.5, zh;q=0.6', 'zh'],
  ['en;q=0.5 , zh ; q=0.4', 'en'],
  ['fr, en', 'en'],
  ['zh;q=0', 'fallback'],
  ['english', 'fallback'],
  [',;=,;q=', 'fallback'],
])('Accept-Language %j asks for %s', (header, expected) => {
  expect([languageOf(header, 'en'), languageOf(header, 'zh')]).toEqual(
    expected === 'fallback' ? ['en', 'zh'] : [expected, expected],
  )
})

test('Every error has a text in both languages', () => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) expect(status, code).toBeGreaterThanOrEqual(400)
  for (const [code, text] of Object.entries(TEXTS.en.errors)) expect(text, code).toMatch(/^[A-Z][ -~]+[^.]$/)
  for (const [code, text] of Object.entries(TEXTS.zh.errors)) expect(text, code).toMatch(/\p{Script=Han}/u)
})

test('What a success says of its own is that of an endpoint', () => {
  const names = ENDPOINTS.flatMap(({ name, mediaType }) => (mediaType ? [] : name))
  expect(names).toEqual(expect.arrayContaining(Object.keys(TEXTS.en.done)))
})
