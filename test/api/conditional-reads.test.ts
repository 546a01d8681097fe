import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BALANCE, LIST, openApi } from '../support/api.ts'

/** A customer with ten proxies, and what it gets with headers of its own. */
async function stage() {
  const api = await openApi()
  const user = await api.customer(await api.agent(), { balance: 100 })
  await api.product('static')
  await api.stock('static', 10)
  const { orderNo } = await api.order(user, { ipCount: 10 })
  await api.runJobs()
  const { token, ...client } = await api.as(user)
  const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    api.server.inject({
      method,
      url: `/api${path}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  return { ...api, client, user, orderNo, get }
}

test('What has not changed is not sent again', async () => {
  const { get, core, user, orderNo } = await stage()
  const first = await get(LIST)
  const etag = String(first.headers['etag'])
  expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
  expect(first.headers['vary']).toBe('Accept-Encoding, Accept-Language')
  for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const again = await get(LIST, { 'if-none-match': known })
    expect({ status: again.statusCode, body: again.body, etag: again.headers['etag'] }).toEqual({
      status: 304,
      body: '',
      etag,
    })
  }
  expect((await get(LIST, { 'if-none-match': '"other"' })).statusCode).toBe(200)
  expect((await get(LIST, { 'accept-language': 'zh' })).headers['etag']).not.toBe(etag)
  expect((await get(LIST, { 'if-none-match': etag }, 'HEAD')).statusCode).toBe(304)
  await core.orders.setAutoRenew(user, { orderNo, autoRenew: true })
  const changed = await get(LIST, { 'if-none-match': etag })
  expect(changed.statusCode).toBe(200)
  expect(changed.headers['etag']).not.toBe(etag)
})

test('Longer answers are compressed for those who take it, with the same tag', async () => {
  const { get } = await stage()
  const plain = await get(LIST)
  expect(plain.headers['content-encoding']).toBeUndefined()
  const zipped = await get(LIST, { 'accept-encoding': 'br, gzip' })
  expect(zipped.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body)
  expect(zipped.rawPayload.length * 4).toBeLessThan(plain.rawPayload.length)
  expect(zipped.headers['etag']).toBe(plain.headers['etag'])
  expect((await get(LIST, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined()
  expect((await get(BALANCE, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined()
})

test('What changes something has no tag, and a refusal none either', async () => {
  const { client, get } = await stage()
  const made = await client.post('/open/app/user/api-keys', { name: 'robot', scopes: ['read'] })
  expect(made.status).toBe(200)
  expect(made.headers['etag']).toBeUndefined()
  expect((await get('/open/app/static/orders/none', { 'if-none-match': '*' })).statusCode).toBe(404)
})
