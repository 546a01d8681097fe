import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'

test('The process is up as long as it answers', async () => {
  const { server } = await openApi({ api: { checks: { database: () => false } } })
  const response = await server.inject('/healthz')
  expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }])
})

test('The service is ready when all that it needs is there', async () => {
  const { server } = await openApi({
    api: { checks: { database: () => Promise.resolve(true), jobs: () => true, bot: () => true } },
  })
  const response = await server.inject('/readyz')
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ status: 'ok', checks: { database: 'ok', jobs: 'ok', bot: 'ok' } })
})

test('Whatever is down, fails or hangs is named', async () => {
  const { server } = await openApi({
    api: {
      checks: {
        database: () => Promise.reject(new Error('no such table: secrets')),
        jobs: () => false,
        bot: () => true,
        chain: () => new Promise(() => {}),
      },
    },
  })
  const response = await server.inject('/readyz')
  expect(response.statusCode).toBe(503)
  expect(response.json()).toEqual({
    status: 'down',
    checks: { database: 'down', jobs: 'down', bot: 'ok', chain: 'down' },
  })
})

test('What is degraded is named, and the service stays ready', async () => {
  const { server } = await openApi({ api: { checks: { database: () => true, books: () => 'degraded' } } })
  const response = await server.inject('/readyz')
  expect([response.statusCode, response.json()]).toEqual([
    200,
    { status: 'degraded', checks: { database: 'ok', books: 'degraded' } },
  ])
})

test('The service keeps its id, also after a restart', async () => {
  const { server, core, restarted } = await openApi({ api: {} })
  const { headers } = await server.inject('/healthz')
  expect(headers['x-reseller-instance']).toMatch(/^[0-9A-Z]{20}$/)
  expect(await core.instance.id()).toBe(headers['x-reseller-instance'])
  expect(await restarted().instance.id()).toBe(headers['x-reseller-instance'])
})
