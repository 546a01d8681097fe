import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { expectRefusal } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'
import { batch, trafficShop, used } from '../support/gateway-wire.ts'

const GB = 1e9
const ALLOW_LIST = '/open/app/dynamic/allow-list'
const USAGE = '/open/app/dynamic/usage'

async function shop() {
  const api = await trafficShop()
  const client = await api.as(api.seller)
  const allow = (addresses: readonly string[], change: object = {}) =>
    client.put(ALLOW_LIST, { product_no: 'traffic', addresses, ...change })
  return { ...api, client, allow }
}

/** For cases that change nothing. */
const standing = shared(shop)

test('the list of addresses is replaced as a whole', async () => {
  const { client, allow, seller } = await shop()
  const list = { user_id: seller.id, product_no: 'traffic', country: null, session: null }
  const read = async () => (await client.get(`${ALLOW_LIST}?product_no=traffic`)).body.data
  expect(await read()).toEqual({ ...list, addresses: [] })
  const first = await allow(['192.0.2.77/24', '2001:DB8::1', '::ffff:198.51.100.1'])
  expect(first.body.data).toEqual({ ...list, addresses: ['192.0.2.0/24', '2001:db8::1', '198.51.100.1'] })
  expect(await read()).toEqual(first.body.data)
  const second = { ...list, addresses: ['192.0.2.128/25'], country: 'DE', session: 'abcdef12' }
  expect((await allow(['192.0.2.128/25'], { country: 'de', session: 'abcdef12' })).body.data).toEqual(second)
  expect(await read()).toEqual(second)
  expect((await allow([])).body.data).toEqual({ ...list, addresses: [] })
})

test.each([
  [['192.0.2.0/24', '192.0.2.7'], 'named_twice'],
  [['192.0.2.7', '192.0.2.0/28'], 'named_twice'],
  [['x'], 'not_an_address_range'],
  [['192.0.2'], 'not_an_address_range'],
  [['0300.0.2.1'], 'not_an_address_range'],
  [['192.0.2.1/33'], 'not_an_address_range'],
  [['0.0.0.0'], 'not_an_address_range'],
  [['224.0.0.1'], 'not_an_address_range'],
  [['fe80::1%eth0'], 'not_an_address_range'],
  [['127.0.0.1'], 'not_of_a_client'],
  [['::ffff:127.0.0.1'], 'not_of_a_client'],
  [['::1'], 'not_of_a_client'],
  [['169.254.1.1'], 'not_of_a_client'],
  [['10.1.2.0/24'], 'not_of_a_client'],
  [['100.64.0.1'], 'not_of_a_client'],
  [['fd00::1'], 'not_of_a_client'],
  [['10.0.0.0/8'], 'address_range_too_wide'],
  [['2001:db8::/32'], 'address_range_too_wide'],
  [['::ffff:10.0.0.0/104'], 'address_range_too_wide'],
])('addresses like %j are refused as %s, and nothing is changed', async (addresses, rule) => {
  const { client, allow } = standing()
  await allow(['203.0.113.1'])
  const answer = await allow(addresses)
  expectRefusal(answer, 422, 'validation_error')
  expect(answer.body.data.errors.map((error) => error.rule)).toContain(rule)
  expect((await client.get(`${ALLOW_LIST}?product_no=traffic`)).body.data).toMatchObject({
    addresses: ['203.0.113.1'],
  })
})

test('an address belongs to one account', async () => {
  const { allow, customer, buyTraffic, as, seller, audited } = await shop()
  const user = await customer(seller, { name: 'user', balance: 100 })
  await buyTraffic(user)
  const other = await as(user)
  const theirs = (...addresses: readonly string[]) =>
    other.put(ALLOW_LIST, { product_no: 'traffic', addresses })
  await allow(['192.0.2.16/28', '198.51.100.1'])
  for (const taken of ['192.0.2.20', '192.0.2.0/24', '192.0.2.24/29', '198.51.100.1'])
    expect((await theirs('203.0.113.9', taken)).body.data.errors).toMatchObject([
      { field: 'addresses.1', rule: 'address_of_another_account' },
    ])
  expect((await theirs('192.0.2.15', '192.0.2.32', '198.51.100.2')).status).toBe(200)
  await allow([])
  expect((await theirs('192.0.2.0/24', '198.51.100.1')).status).toBe(200)
  await audited()
})

test('a place must be one of the product, and the product one of which traffic was bought', async () => {
  const { client, allow, core, product } = await shop()
  await core.operator.editProduct(SHELL, 'traffic', { countries: ['US'] })
  expect((await allow(['192.0.2.1'], { country: 'US' })).status).toBe(200)
  const refused = await allow(['192.0.2.1'], { country: 'DE' })
  expectRefusal(refused, 422, 'validation_error')
  expect(refused.body.data).toMatchObject({ errors: [{ field: 'country', rule: 'not_offered' }] })
  expectRefusal(await allow(['192.0.2.1'], { session: 'short' }), 422, 'validation_error')
  await product('never', { proxyType: 104, pool: 'dynamic_2' })
  for (const path of [ALLOW_LIST, USAGE])
    for (const productNo of ['never', 'missing'])
      expectRefusal(await client.get(`${path}?product_no=${productNo}`), 404, 'product_not_found')
})

test('use is shown by day, credential and host, of one product and up to today', async () => {
  const { client, gateway, main, clock, core, seller, as, customer } = await shop()
  const hosts = [
    { host: 'a.example.com', bytes: 0.25 * GB },
    { host: 'b.example.com', bytes: 0.5 * GB },
  ]
  await gateway.count(
    batch(1, {
      items: [
        used(main, GB, { day: '2026-02-20' }),
        used(main, GB, { targets: hosts }),
        used('crawler', 0.5 * GB, { targets: hosts.slice(0, 1) }),
      ],
    }),
  )
  await core.traffic.recordUsage({ account: main, bytes: 0.125 * GB, reportId: 'r1' })
  const shown = async (query = '') => (await client.get(`${USAGE}?product_no=traffic${query}`)).body.data
  const today = {
    date: '2026-03-01',
    used: 1.625,
    credentials: [
      { username: main, used: 1.125 },
      { username: 'crawler', used: 0.5 },
    ],
  }
  const week = {
    user_id: seller.id,
    product_no: 'traffic',
    from: '2026-02-23',
    to: '2026-03-01',
    used: 1.625,
    days: [today],
    keeps_hosts: true,
    targets: [
      { host: 'a.example.com', used: 0.5 },
      { host: 'b.example.com', used: 0.5 },
    ],
    other_targets: 0.5,
    unit: 'GB',
  }
  expect(await shown()).toEqual(week)
  expect(await shown('&days=10')).toEqual({
    ...week,
    from: '2026-02-20',
    used: 2.625,
    days: [{ date: '2026-02-20', used: 1, credentials: [{ username: main, used: 1 }] }, today],
    other_targets: 1.5,
  })
  clock.advance(23 * 3_600_000)
  expect(await shown('&days=1')).toMatchObject({ from: '2026-03-02', used: 0, days: [], targets: [] })
  expectRefusal(await client.get(`${USAGE}?product_no=traffic&days=31`), 422, 'validation_error')
  const stranger = await as(await customer(null))
  expectRefusal(await stranger.get(`${USAGE}?product_no=traffic&user_id=${seller.id}`), 403, 'agent_required')
})

test('keeping hosts can be switched off, which forgets them', async () => {
  const { client, gateway, main } = await shop()
  const targets = [{ host: 'a.example.com', bytes: GB }]
  await gateway.count(batch(1, { items: [used(main, GB, { targets })] }))
  const answer = await client.put(`${USAGE}/hosts`, { product_no: 'traffic', keeps_hosts: false })
  expect(answer.body.data).toMatchObject({ product_no: 'traffic', keeps_hosts: false })
  await gateway.count(batch(2, { items: [used(main, GB, { targets })] }))
  expect((await client.get(`${USAGE}?product_no=traffic`)).body.data).toMatchObject({
    used: 2,
    keeps_hosts: false,
    targets: [],
    other_targets: 0,
  })
})

test('figures of the day have the traffic that was used', async () => {
  const { gateway, main, core } = await shop()
  await gateway.count(batch(1, { items: [used(main, GB), used(main, GB, { day: '2026-02-28' })] }))
  expect((await core.operator.dayFigures()).trafficBytes).toBe(GB)
})
