import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { LIST, openApi } from '../support/api.ts'

test('Each refusal leads to the page of its error, which tells what it is, what to do and who answers it', async () => {
  const { server, call } = await openApi()
  const refused = await call('GET', LIST, { base: '/b/api' })
  const [, path = ''] = /^<(.+)>; rel="help"$/.exec(String(refused.headers['link'])) ?? []
  expect(path).toBe('/b/api/docs/errors/token_missing')
  const page = await server.inject({ url: path })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  for (const text of ['HTTP 401', '未提供认证令牌', 'API key', '&quot;error&quot;', 'Most operations'])
    expect(page.body).toContain(text.replaceAll('&quot;', '"'))

  const stock = await server.inject({ url: '/api/docs/errors/out_of_stock' })
  expect(stock.body).toContain('<code>available</code></td><td>Proxies that are free')
  expect(stock.body).toContain('<a href="../#/Static%20orders/createStaticOrder">')
  expect((await server.inject({ url: '/api/docs/errors/no_such_error' })).json()).toMatchObject({
    error: 'route_not_found',
  })
})

test('There is a page for every error, and a list of them', async () => {
  const { server } = await openApi()
  const list = await server.inject({ url: '/api/docs/errors/' })
  expect(list.statusCode).toBe(200)
  for (const code of ERROR_CODES) {
    expect(list.body).toContain(`<a href="${code}">`)
    const page = await server.inject({ url: `/api/docs/errors/${code}` })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`<h1><code>${code}</code></h1>`)
    expect(page.body).not.toMatch(/undefined|\[object|`/)
  }
  expect((await server.inject({ url: '/api/docs/errors' })).headers['location']).toBe('/api/docs/errors/')
})
