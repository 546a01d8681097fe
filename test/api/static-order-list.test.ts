import { describe, expect, test } from 'vitest'
import { expectRefusal, LIST, openApi, STATISTICS } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'

const DAY = 24 * 3_600_000

interface Listed {
  readonly orderNo: string
  readonly instances: readonly {
    ip: string
    port: number
    username: string
    password: string
    status: string
    connection_string: string
  }[]
}

/**
 * A user with four orders of an agent's shop: `new` in processing, `berlin` (Germany), `york` (New York, with a remark; of its three
 * proxies one is released, two are active), and `old` (New York, expired). They were made on 1, 2, 3 and 4 March, the old one first.
 */
async function shop() {
  const api = await openApi()
  await api.product('static', { names: { en: 'Static', zh: '静态' }, periodUnit: 1, periodLength: 1 })
  await api.stock('static', 10, { state: 'NY', city: 'USNYC' })
  await api.stock('static', 5, { country: 'DE', city: 'DEBER' })
  const seller = await api.agent({ name: 'seller', balance: 50 })
  const user = await api.customer(seller, { name: 'user', balance: 500 })
  const buy = async (change: object) => {
    const { orderNo } = await api.order(user, { duration: 30, unit: 1, ...change })
    return orderNo
  }
  const old = await buy({ duration: 2, countryCode: 'US', appOrderNo: '100%_sure' })
  await api.runJobs()
  api.clock.advance(DAY)
  const york = await buy({ ipCount: 3, countryCode: 'US', remark: String.raw`50% off_\ 'x'` })
  await api.runJobs()
  const { instances } = await api.core.orders.getStatic(user, { orderNo: york })
  await api.core.orders.cancelStatic(user, { orderNo: york, instances: [instances[0]?.instanceNo ?? ''] })
  api.clock.advance(DAY)
  const berlin = await buy({ countryCode: 'DE', duration: 5 })
  await api.runJobs()
  api.clock.advance(DAY)
  await api.runJobs()
  const fresh = await buy({ countryCode: 'US' })
  const names = new Map([
    [old, 'old'],
    [york, 'york'],
    [berlin, 'berlin'],
    [fresh, 'new'],
  ])
  const [client, agentClient] = [await api.as(user), await api.as(seller)]
  const orders = async (query: Record<string, string>, as = client) => {
    const answer = await as.get(`${LIST}?${new URLSearchParams(query).toString()}`)
    expect(answer.status).toBe(200)
    return answer.body.data.items as unknown as readonly Listed[]
  }
  const list = async (query: Record<string, string>, as = client) =>
    (await orders(query, as)).map(({ orderNo }) => names.get(orderNo))
  return {
    ...api,
    seller,
    user,
    client,
    agentClient,
    orders,
    list,
    numbers: { old, york, berlin, fresh },
    instances,
  }
}

/** For cases that change nothing. */
const standing = shared(shop)

const ALL = ['new', 'berlin', 'york', 'old']

test('Business filters are those of the console', async () => {
  const { list, client } = await shop()
  expect(await list({})).toEqual(ALL)
  expect(await list({ filter: 'all' })).toEqual(ALL)
  expect(await list({ filter: 'processing' })).toEqual(['new'])
  expect(await list({ filter: 'active' })).toEqual(['berlin', 'york'])
  expect(await list({ filter: 'expiring' })).toEqual(['berlin'])
  expect(await list({ filter: 'expired' })).toEqual(['old'])
  expect(await list({ filter: 'failed' })).toEqual([])
  expect(await list({ filter: 'recycle' })).toEqual(['york', 'old'])
  expect(await list({ filter: 'active', status: 'expired' })).toEqual([])
  for (const query of [
    'filter=lost',
    'filter=',
    'status=ACTIVE',
    'show_recycle_bin=maybe',
    'user_id=0',
    'page=0',
    'page_size=101',
  ])
    expectRefusal(await client.get(`${LIST}?${query}`), 422, 'validation_error')
})

test('The recycle bin is shown to an ordinary user on demand, to an agent always', async () => {
  const { orders, agentClient, numbers } = await shop()
  const states = async (query: Record<string, string>, as?: typeof agentClient) => {
    const found = await orders(query, as)
    return Object.fromEntries(
      found.map(({ orderNo, instances }) => [orderNo, instances.map(({ status }) => status).join(' ')]),
    )
  }
  const { old, york, berlin, fresh } = numbers
  const hidden = { [fresh]: '', [berlin]: 'active', [york]: 'active active', [old]: '' }
  const shown = { ...hidden, [york]: 'released active active', [old]: 'expired' }
  expect(await states({})).toEqual(hidden)
  expect(await states({ show_recycle_bin: 'false' })).toEqual(hidden)
  expect(await states({ show_recycle_bin: 'true' })).toEqual(shown)
  expect(await states({}, agentClient)).toEqual(shown)
  expect(await states({ filter: 'recycle' })).toEqual({ [york]: 'released', [old]: 'expired' })
})

describe('Search', () => {
  test('finds a part of a number, address, credential or remark, and a port', async () => {
    const { list, numbers, instances } = await shop()
    const [released, active] = instances
    expect(await list({ search: numbers.berlin.slice(3, -3) })).toContain('berlin')
    expect(await list({ search: numbers.york })).toEqual(['york'])
    expect(await list({ search: active?.ip ?? '' })).toEqual(['york'])
    expect(await list({ search: active?.ip.slice(0, -1) ?? '' })).toContain('york')
    expect(await list({ search: '8000' })).toEqual(['berlin', 'york'])
    expect(await list({ search: 'SECRE' })).toEqual(['berlin', 'york'])
    expect(await list({ search: 'off' })).toEqual(['york'])
    expect(await list({ search: '  ' })).toEqual(ALL)
    expect(await list({ search: released?.ip ?? '' })).toEqual([])
    expect(await list({ search: released?.ip ?? '', show_recycle_bin: '1' })).toEqual(['york'])
  })

  test.each([
    ['%', ['york', 'old']],
    ['_', ['york', 'old']],
    ['0% off_', ['york']],
    ['\\', ['york']],
    ["'x'", ['york']],
    ['100%', ['old']],
    ['%%', []],
    ['s_cret', []],
    ['\u0000', []],
  ])('takes %j literally', async (search, expected) => {
    const { list } = standing()
    expect(await list({ search })).toEqual(expected)
  })

  test('takes pasted lines of as much as there is, and order numbers, several at once', async () => {
    const { list, orders, numbers, instances } = await shop()
    const [, first, second] = instances
    const [berlin] = (await orders({ orderNo: numbers.berlin }))[0]?.instances ?? []
    const line = (proxy: typeof berlin | typeof first) =>
      `${proxy?.ip}:${proxy?.port}:${proxy?.username}:${proxy?.password}`
    expect(await list({ search: line(first) })).toEqual(['york'])
    const wide = `${first?.ip.replaceAll('.', '\u3002')}\uFF1A${first?.port}`
    expect(await list({ search: wide })).toEqual(['york'])
    expect(await list({ search: `${line(first)}\r\n\n  ${line(second)}\n${line(berlin)}` })).toEqual([
      'berlin',
      'york',
    ])
    expect(await list({ search: `${first?.ip}:${first?.port}\n${numbers.old}` })).toEqual(['york', 'old'])
    expect(await list({ search: `100%_sure\n${numbers.fresh}` })).toEqual(['new', 'old'])
    for (const wrong of [
      `${first?.ip}:1`,
      `${first?.ip}:${first?.port}:other`,
      `${line(first)}x`,
      `${first?.ip}:99999999`,
    ])
      expect(await list({ search: wrong })).toEqual([])
    expect(await list({ search: `${numbers.fresh.slice(1)}\nnothing` })).toEqual([])
  })

  test('finds an IPv6 address in any spelling, in brackets or not', async () => {
    const { list, orders, stock, order, user, runJobs } = await shop()
    await stock('static', 1, { country: 'FR', ips: ['2001:db8::1'] })
    await order(user, { countryCode: 'FR' })
    await runJobs()
    for (const search of [
      '2001:db8::1',
      '2001:DB8:0::0001',
      '[2001:db8::1]:8000',
      '[2001:db8::1]:8000:u0:secret',
    ])
      expect(await list({ search })).toHaveLength(1)
    const [found] = await orders({ search: '2001:db8::1' })
    const [instance] = found?.instances ?? []
    expect(instance?.connection_string).toBe('[2001:db8::1]:8000:u0:secret')
  })

  test('is bounded', async () => {
    const { client } = await shop()
    for (const search of ['x'.repeat(8001), Array.from({ length: 201 }, () => '10.0.0.1').join('\n')]) {
      const answer = await client.get(`${LIST}?${new URLSearchParams({ search }).toString()}`)
      expectRefusal(answer, 422, 'validation_error')
      expect(answer.body.data.errors[0]?.field).toBe('search')
    }
  })
})

test.each([
  ['US', ['new', 'york']],
  ['us', ['new', 'york']],
  ['USNYC', ['york']],
  ['ny', ['york']],
  ['DEBER', ['berlin']],
  ['german', ['berlin']],
  ['德国', ['berlin']],
  ['柏', ['berlin']],
  ['New Yo', ['york']],
  ['纽约', ['york']],
  ['美', ['new', 'york']],
  ['U', ['new', 'york']],
  ['%', []],
  ['FR', []],
])('The region %j is found by code or name in both languages', async (region, expected) => {
  const { list } = standing()
  expect((await list({ region })).filter((name) => name !== 'old')).toEqual(expected)
})

test('Ranges of days include both ends', async () => {
  const { list, client, agentClient } = await shop()
  expect(await list({ created_start: '2026-03-02', created_end: '2026-03-03' })).toEqual(['berlin', 'york'])
  expect(await list({ created_end: '2026-03-01' })).toEqual(['old'])
  expect(await list({ created_start: '2026-03-04', created_end: '9999-12-31' })).toEqual(['new'])
  expect(await list({ expire_start: '2026-03-08', expire_end: '2026-03-08' })).toEqual(['berlin'])
  expect(await list({ expire_end: '2026-03-07' })).toEqual([])
  expect(await list({ expire_end: '2026-03-07' }, agentClient)).toEqual(['old'])
  expect(await list({ expire_start: '2026-03-09' })).toEqual(['york'])
  for (const [query, field] of [
    ['created_start=2026-03-02&created_end=2026-03-01', 'created_end'],
    ['expire_start=2026-03-02&expire_end=2026-03-01', 'expire_end'],
    ['created_start=2026-02-30', 'created_start'],
    ['expire_end=2026-3-1', 'expire_end'],
    ['created_end=yesterday', 'created_end'],
  ]) {
    const answer = await client.get(`${LIST}?${query}`)
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors[0]?.field).toBe(field)
  }
})

test('Statistics count what the caller may see, as the list finds it', async () => {
  const { client, agentClient, agent, as, user, list } = await shop()
  const counts = {
    total: 4,
    processing: 1,
    active: 2,
    partial: 0,
    failed: 0,
    expired: 1,
    cancelled: 0,
    expiring_soon: 1,
    instances: { total: 5, active: 3, expired: 1, released: 1 },
  }
  const nothing = {
    ...Object.fromEntries(Object.keys(counts).map((name) => [name, 0])),
    instances: { total: 0, active: 0, expired: 0, released: 0 },
  }
  expect((await client.get(STATISTICS)).body.data).toEqual(counts)
  expect((await agentClient.get(STATISTICS)).body.data).toEqual(counts)
  expect((await agentClient.get(`${STATISTICS}?user_id=${user.id}`)).body.data).toEqual(counts)
  expect(await list({ filter: 'expiring' })).toHaveLength(counts.expiring_soon)
  const stranger = await as(await agent())
  expect((await stranger.get(STATISTICS)).body.data).toEqual(nothing)
  expect((await stranger.get(`${STATISTICS}?user_id=${user.id}`)).body.data).toEqual(nothing)
  expectRefusal(await client.get(`${STATISTICS}?user_id=x`), 422, 'validation_error')
})
