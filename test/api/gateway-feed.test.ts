import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { expectRefusal } from '../support/api.ts'
import { ACCOUNTS, batch, gatewayOf, trafficShop, used } from '../support/gateway-wire.ts'
import { PATIENCE } from '../support/patience.ts'
import { urlOf } from '../support/postgres.ts'
import { GATEWAY_TOKEN } from '../support/service.ts'
import { runningMs } from '../support/times.ts'

const GB = 1e9

test('without a cursor a gateway gets everything: accounts, places of products, exits', async () => {
  const { gateway, core, main, product } = await trafficShop()
  await product('places', {
    proxyType: 104,
    pool: 'dynamic_2',
    countries: ['US', 'DE'],
    cities: ['USLAX'],
  })
  await core.operator.exits.add(SHELL, {
    pool: 'dynamic_1',
    url: 'socks5://us%40er:p%3Ass@10.0.0.1:1080',
    country: 'us',
  })
  await core.operator.exits.add(SHELL, { pool: 'dynamic_1', country: 'de', city: 'Frankfurt am Main' })
  const { password } = await core.operator.exits
    .add(SHELL, {
      pool: 'dynamic_2',
      url: 'http://vendor:secret@gw.example.com:80',
      template: '{user}-country-{country}',
    })
    .then(() => ({ password: expect.any(String) as string }))
  const page = await gateway.page()
  expect(page).toMatchObject({ reset: true, more: false, sequence: 0 })
  const account = { password, status: 'active', product_no: 'traffic', pool: 'dynamic_1', flush: null }
  expect(page.accounts.toSorted((a, b) => a.remaining_bytes - b.remaining_bytes)).toEqual([
    {
      ...account,
      username: 'crawler',
      remaining_bytes: 2 * GB,
      revision: expect.any(Number) as number,
      targets: true,
      allow: [],
    },
    {
      ...account,
      username: main,
      remaining_bytes: 8 * GB,
      revision: expect.any(Number) as number,
      targets: true,
      allow: [],
    },
  ])
  expect(page.products).toEqual([
    { product_no: 'traffic', countries: [], cities: [] },
    { product_no: 'places', countries: ['us', 'de'], cities: ['losangeles'] },
  ])
  const exit = { status: 'active', country: null, city: null, template: null }
  expect(page.exits).toEqual([
    {
      ...exit,
      id: 1,
      pool: 'dynamic_1',
      kind: 'proxy',
      url: 'socks5://us%40er:p%3Ass@10.0.0.1:1080',
      country: 'us',
    },
    {
      ...exit,
      id: 2,
      pool: 'dynamic_1',
      kind: 'direct',
      url: null,
      country: 'de',
      city: 'frankfurtammain',
    },
    {
      ...exit,
      id: 3,
      pool: 'dynamic_2',
      kind: 'vendor',
      url: 'http://vendor:secret@gw.example.com:80',
      template: '{user}-country-{country}',
    },
  ])
  // Nothing has changed since.
  expect(await gateway.page({ cursor: page.cursor })).toEqual({
    ...page,
    reset: false,
    accounts: [],
    products: null,
    exits: null,
  })
})

test('pages have 1,000 changes, and together everything once', async () => {
  const { gateway, seller, core } = await trafficShop()
  const add = (_: unknown, index: number) =>
    core.traffic.createSubAccount(seller, { productNo: 'traffic', username: `sub_${index}` })
  await Promise.all(Array.from({ length: 1_100 }, add))
  const first = await gateway.page()
  expect(first).toMatchObject({ reset: true, more: true })
  const second = await gateway.page({ cursor: first.cursor })
  expect(second).toMatchObject({ reset: false, more: false, products: null, exits: null })
  const names = [...first.accounts, ...second.accounts].map(({ username }) => username)
  expect(first.accounts.length).toBeGreaterThan(990)
  expect(names).toHaveLength(1_102)
  expect(new Set(names).size).toBe(1_102)
})

test('a cursor that the shop does not know begins everything again', async () => {
  const { gateway } = await trafficShop()
  const { accounts } = await gateway.page()
  for (const cursor of ['999999', 'x', '-1']) {
    const page = await gateway.page({ cursor })
    expect(page).toMatchObject({ reset: true, accounts })
  }
})

test('every change of an account is told once, with what it is now', async () => {
  const { gateway, seller, customer, core, sub, main, buyTraffic, as, db, clock } = await trafficShop()
  const user = await customer(seller, { name: 'user', balance: 100 })
  await buyTraffic(user)
  const { username: own } = await db.read.traffic.findFirstOrThrow({ where: { userId: user.id } })
  let { cursor } = await gateway.page()
  /** What the feed tells after something was done. */
  const told = async (change: () => Promise<unknown>) => {
    // So that nobody waits for this gateway to flush.
    clock.advance(15_000)
    await change()
    const page = await gateway.page({ cursor })
    ;({ cursor } = page)
    return Object.fromEntries(page.accounts.map(({ username, ...account }) => [username, account] as const))
  }
  expect(await told(() => core.traffic.adjustSubAccountTraffic(seller, sub.id, { amount: 1 }))).toMatchObject(
    {
      crawler: { remaining_bytes: 3 * GB },
      [main]: { remaining_bytes: 7 * GB },
    },
  )
  expect(await told(() => buyTraffic(seller))).toMatchObject({ [main]: { remaining_bytes: 8 * GB } })
  expect(
    await told(() => core.traffic.setSubAccountPassword(seller, sub.id, { password: 'another' })),
  ).toMatchObject({ crawler: { password: 'another' } })
  expect(
    await told(() => core.traffic.setSubAccountStatus(seller, sub.id, { status: 'disabled' })),
  ).toMatchObject({ crawler: { status: 'disabled' } })
  // The same again is no change.
  expect(await told(() => core.traffic.setSubAccountStatus(seller, sub.id, { status: 'disabled' }))).toEqual(
    {},
  )
  expect(
    await told(() => core.traffic.setSubAccountStatus(seller, sub.id, { status: 'active' })),
  ).toMatchObject({
    crawler: { status: 'active' },
  })
  const client = await as(seller)
  const allow = { product_no: 'traffic', addresses: ['192.0.2.7'], country: 'US' }
  expect(await told(() => client.put('/open/app/dynamic/allow-list', allow))).toMatchObject({
    [main]: { allow: [{ cidr: '192.0.2.7', country: 'us', session: null }] },
  })
  const hosts = { product_no: 'traffic', keeps_hosts: false }
  expect(await told(() => client.put('/open/app/dynamic/usage/hosts', hosts))).toMatchObject({
    [main]: { targets: false },
    crawler: { targets: false },
  })
  // Use that the gateway did not report itself.
  const report = { account: 'crawler', bytes: GB, reportId: 'r1' }
  expect(await told(() => core.traffic.recordUsage(report))).toMatchObject({
    crawler: { remaining_bytes: 2 * GB },
  })
  expect(await told(() => core.traffic.deleteSubAccount(seller, sub.id))).toMatchObject({
    crawler: { status: 'deleted', remaining_bytes: 0 },
    [main]: { remaining_bytes: 10 * GB },
  })
  const disable = (status: 'active' | 'disabled') =>
    core.accounts.setSubUserStatus(seller, user.id, { status })
  expect(await told(() => disable('disabled'))).toMatchObject({ [own]: { status: 'disabled' } })
  expect(await told(() => disable('active'))).toMatchObject({ [own]: { status: 'active' } })
  expect(await told(() => core.accounts.deleteSubUser(seller, user.id))).toMatchObject({
    [own]: { status: 'deleted' },
  })
})

test('changes of products and exits are told whole; reports of health are none', async () => {
  const { gateway, core } = await trafficShop()
  let { cursor } = await gateway.page()
  const told = async () => {
    const page = await gateway.page({ cursor })
    ;({ cursor } = page)
    return { products: page.products, exits: page.exits?.map(({ id, status }) => `${id} ${status}`) ?? null }
  }
  await core.operator.editProduct(SHELL, 'traffic', { names: { en: 'New name' } })
  expect(await told()).toEqual({ products: null, exits: null })
  await core.operator.editProduct(SHELL, 'traffic', { countries: ['FR'] })
  expect(await told()).toEqual({
    products: [{ product_no: 'traffic', countries: ['fr'], cities: [] }],
    exits: null,
  })
  const { id } = await core.operator.exits.add(SHELL, { pool: 'dynamic_1' })
  expect(await told()).toEqual({ products: null, exits: ['1 active'] })
  await gateway.count(
    batch(1, {
      exits: [{ id, healthy: true, reason: null, connect_ms: 5, connections: 1, bytes: 9, errors: 0 }],
    }),
  )
  expect(await told()).toEqual({ products: null, exits: null })
  await core.operator.exits.pause(SHELL, id)
  expect(await told()).toEqual({ products: null, exits: ['1 paused'] })
  await core.operator.exits.remove(SHELL, id)
  expect(await told()).toEqual({ products: null, exits: [] })
})

test('a waiting gateway hears of a change at once, and of nothing after the time it waits', async () => {
  const { gateway, seller, core, sub } = await trafficShop()
  const { cursor } = await gateway.page()
  const waiting = gateway.page({ cursor, wait: 20 })
  const begun = runningMs()
  await core.traffic.setSubAccountPassword(seller, sub.id, { password: 'another' })
  const page = await waiting
  expect(runningMs() - begun).toBeLessThan(1_000)
  expect(page.accounts.map(({ password }) => password)).toEqual(['another'])

  const idle = performance.now()
  expect(await gateway.page({ cursor: page.cursor, wait: 1 })).toMatchObject({ accounts: [], reset: false })
  expect(performance.now() - idle).toBeGreaterThan(950)
})

test('a waiting gateway hears of what an operator command changed in another process', async () => {
  const { gateway, database, core } = await trafficShop()
  const { cursor } = await gateway.page()
  const waiting = gateway.page({ cursor, wait: 20 })
  const { openDatabase } = await import('../../src/core/database/database.ts')
  const other = await openDatabase(urlOf(database))
  await other.write((tx) => tx.$kysely.updateTable('exits').set({ status: 'paused' }).execute())
  await other.write((tx) =>
    tx.$kysely
      .insertInto('exits')
      .values({ pool: 'dynamic_1', kind: 'direct', createdAt: core.now() })
      .execute(),
  )
  await other.close()
  expect((await waiting).exits).toHaveLength(1)
})

test('a gateway that hangs up, and a service that stops, end the waiting', async () => {
  const { server, gateway, db } = await trafficShop()
  const { cursor } = await gateway.page()
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api${ACCOUNTS}?cursor=${cursor}&wait=25`
  const headers = { authorization: `Bearer ${GATEWAY_TOKEN}`, 'gateway-id': 'gateway-of-the-tests' }
  const hangUp = new AbortController()
  const listeners = () => commitListeners
  let commitListeners = 0
  const onCommit = db.onCommit.bind(db)
  db.onCommit = (listener) => {
    commitListeners += 1
    const end = onCommit(listener)
    return () => {
      commitListeners -= 1
      end()
    }
  }
  const first = fetch(url, { headers, signal: hangUp.signal }).catch((error: Error) => error.name)
  await expect.poll(listeners, PATIENCE).toBe(1)
  hangUp.abort()
  expect(await first).toBe('AbortError')
  await expect.poll(listeners, PATIENCE).toBe(0)

  const second = fetch(url, { headers })
  await expect.poll(listeners, PATIENCE).toBe(1)
  await server.close()
  const answer = await second
  // An idle connection would hold up the stop.
  expect(answer.headers.get('connection')).toBe('close')
  expect(await answer.json()).toMatchObject({ data: { cursor, accounts: [] } })
})

test('who is no gateway is kept out, and a request that is none is refused', async () => {
  const { call, gateway, as, seller } = await trafficShop()
  const id = { 'gateway-id': 'gateway-of-the-tests' }
  expectRefusal(await call('GET', ACCOUNTS, { headers: id }), 401, 'token_missing')
  for (const token of ['x', `${GATEWAY_TOKEN}x`, (await as(seller)).token])
    expectRefusal(
      await call('GET', ACCOUNTS, { headers: { ...id, authorization: `Bearer ${token}` } }),
      401,
      'token_invalid',
    )
  const authorization = `Bearer ${GATEWAY_TOKEN}`
  for (const wrong of ['short', 'x'.repeat(65), 'with spaces in between'])
    expectRefusal(
      await call('GET', ACCOUNTS, { headers: { authorization, 'gateway-id': wrong } }),
      422,
      'validation_error',
    )
  expectRefusal(await call('GET', ACCOUNTS, { headers: { authorization } }), 422, 'validation_error')
  expectRefusal(await gateway.poll({ wait: 26 }), 422, 'validation_error')
})

test('gateways are not counted where requests are limited, wrong tokens are', async () => {
  const { gateway, call } = await trafficShop({ api: { limits: { reads: 2, writes: 2, strangers: 2 } } })
  for (let index = 1; index <= 5; index += 1) {
    await gateway.page()
    await gateway.count(batch(index))
  }
  const wrong = () => call('GET', ACCOUNTS, { headers: { authorization: 'Bearer x' } })
  expectRefusal(await wrong(), 401, 'token_invalid')
  expectRefusal(await wrong(), 401, 'token_invalid')
  expectRefusal(await wrong(), 429, 'rate_limited')
})

test('one gateway works at a time; another one may follow after 15 seconds, or when the first has ended', async () => {
  const api = await trafficShop()
  const { gateway, clock } = api
  const second = gatewayOf(api, 'another-gateway-of-the-tests')
  await gateway.page()
  clock.advance(10_000)
  const refused = await second.poll()
  expectRefusal(refused, 409, 'gateway_taken')
  expect(refused.body.data).toEqual({ retry_after: 5 })
  expect(refused.headers['retry-after']).toBe('5')
  expectRefusal(await second.report(batch(1)), 409, 'gateway_taken')
  clock.advance(5_000)
  expect(await second.page()).toMatchObject({ reset: true })
  // The one that was replaced is kept out from then on.
  expectRefusal(await gateway.poll(), 409, 'gateway_taken')
  expectRefusal(await gateway.report(batch(1)), 409, 'gateway_taken')
  clock.advance(14_999)
  expectRefusal(await gateway.poll(), 409, 'gateway_taken')

  await second.count(batch(1, { ended: true }))
  expect(await gateway.page()).toMatchObject({ reset: true })
  expectRefusal(await second.poll(), 409, 'gateway_taken')
})

test('a gateway that waits keeps its place, until it says that it stops', async () => {
  const api = await trafficShop()
  const { gateway, clock, db } = api
  const second = gatewayOf(api, 'another-gateway-of-the-tests')
  const { cursor } = await gateway.page()
  const waiting = gateway.poll({ cursor, wait: 25 })
  const calledAt = async () => (await db.read.gateway.findFirstOrThrow()).calledAt.getTime()
  clock.advance(14_000)
  await expect.poll(calledAt, PATIENCE).toBe(clock.now().getTime())
  clock.advance(14_000)
  expectRefusal(await second.poll(), 409, 'gateway_taken')
  await expect.poll(calledAt, PATIENCE).toBe(clock.now().getTime())

  await gateway.count(batch(1, { ended: true }))
  clock.advance(6_000)
  const page = await second.page()
  expect(page).toMatchObject({ reset: true })
  expectRefusal(await waiting, 409, 'gateway_taken')
})

test('what remains stands beside the last batch that was counted', async () => {
  const { gateway, main } = await trafficShop()
  await gateway.count(batch(1, { items: [used(main, 3 * GB)] }))
  const page = await gateway.page()
  expect(page.sequence).toBe(1)
  expect(page.accounts.find(({ username }) => username === main)?.remaining_bytes).toBe(5 * GB)
})
