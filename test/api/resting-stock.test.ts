import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import {
  CREATE,
  expectRefusal,
  LIST,
  openApi,
  orderBody,
  outcomes,
  PRODUCTS,
  RANGES,
} from '../support/api.ts'
import { databaseBefore } from '../support/old-database.ts'

const DAY = 86_400_000
const UPDATE = 'ip,port,username,password'

interface Proxy {
  readonly instance_no: string
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
}

const credentialsOf = ({ ip, username, password }: Proxy) => `${ip} ${username} ${password}`

/** A buyer, two proxies of an exclusive product and two seats on an address of a shared one. */
async function openShop() {
  const api = await openApi({ operatorChats: [-7] })
  await api.product('static', { assignIpSupported: true, cidrSupported: true })
  await api.stock('static', 2, { ips: ['198.51.100.1', '198.51.100.2'], cidr: '198.51.100.0/24' })
  await api.product('shared', { shared: true, projects: [{ code: 'p', name: 'P' }] })
  await api.stock('shared', 1, { ips: ['203.0.113.1'], seats: 2 })
  const buyer = await api.agent({ balance: 100 })
  const call = async () => api.as(buyer)
  const order = async (change: object = {}) => {
    const answer = await (await call()).post(CREATE, orderBody(buyer.id, { ipCount: 2, ...change }))
    await api.runJobs()
    return answer
  }
  const buy = async (change: object = {}) => {
    const answer = await order(change)
    expect(outcomes([answer])).toEqual({ ok: 1 })
    const { orderNo } = answer.body.data
    const [found] = (await (await call()).get(`${LIST}?orderNo=${orderNo}`)).body.data.items
    return { orderNo, proxies: (found?.instances ?? []) as readonly Proxy[] }
  }
  const cancel = async (orderNo: string) =>
    (await call()).post(`/open/app/static/order/${orderNo}/cancel`, undefined)
  return { ...api, call, order, buy, cancel }
}

test.each([
  ['exclusive', {}],
  ['shared', { poolId: 'shared', projectId: 'p' }],
])(
  'What comes back from a buyer of %s proxies is sold to nobody before it has other credentials',
  async (_, which) => {
    const { core, call, order, buy, cancel, audited } = await openShop()
    const { orderNo, proxies } = await buy(which)
    expect((await cancel(orderNo)).status).toBe(200)

    expectRefusal(await order({ ...which, ipCount: 1 }), 409, 'out_of_stock')
    const productNo = 'poolId' in which ? which.poolId : 'static'
    expect((await (await call()).post(PRODUCTS, { productNo })).body.data.items).toMatchObject([{ stock: 0 }])
    expect((await (await call()).get(`${RANGES}?productNo=${productNo}`)).body.data.items).toEqual([])
    expect(
      (await core.operator.listProducts()).find((product) => product.productNo === productNo)?.free,
    ).toBe(0)
    if (productNo === 'static') {
      expectRefusal(await order({ ipCount: 1, assignedIp: '198.51.100.1' }), 422, 'assigned_ip_unavailable')
      const cidrBlocks = [{ cidr: '198.51.100.0/24', count: 1 }]
      expectRefusal(await order({ ipCount: 1, cidrBlocks }), 409, 'out_of_stock')
    }

    const lines = (password: string) =>
      proxies.map(({ ip, port, username }) => `${ip},${port},${username},${password}`)
    await expect(
      core.operator.updateStock(SHELL, [UPDATE, ...lines('secret')].join('\n')),
    ).rejects.toMatchObject({
      data: {
        errors: [2, 3].map((line) => ({
          line,
          message: expect.stringContaining('that a customer has had') as string,
        })),
      },
    })
    await core.operator.updateStock(SHELL, [UPDATE, ...lines('fresh')].join('\n'))
    const again = await buy(which)
    const had = new Set(proxies.map(credentialsOf))
    expect(again.proxies.map(credentialsOf).filter((credentials) => had.has(credentials))).toEqual([])
    expect(again.proxies.map(({ password }) => password)).toEqual(['fresh', 'fresh'])
    await cancel(again.orderNo)
    // Those of the first buyer are no news for the third one.
    await expect(
      core.operator.updateStock(SHELL, [UPDATE, ...lines('secret')].join('\n')),
    ).rejects.toMatchObject({
      code: 'validation_error',
    })
    await audited()
  },
)

test('What expired rests after its grace, and what was never delivered does not', async () => {
  const { core, db, clock, runJobs, buy, order } = await openShop()
  await buy({ ipCount: 1 })
  await core.operator.setOnSale(SHELL, { ips: ['198.51.100.2'], onSale: true })
  clock.advance(33 * DAY)
  await runJobs()
  await core.jobs.sweepStaticOrders()
  expect(await db.read.stockIp.findMany({ where: { seat: '' }, orderBy: { id: 'asc' } })).toMatchObject([
    { ip: '198.51.100.1', orderId: null, resting: true },
    { ip: '198.51.100.2', resting: false },
  ])
  expectRefusal(await order(), 409, 'out_of_stock')
})

test('The operator may sell it as it is, and is told once and every day how many wait', async () => {
  const { core, db, buy, cancel, order, clock } = await openShop()
  const { orderNo } = await buy()
  await cancel(orderNo)
  expect(await core.operator.listResting('static')).toMatchObject([
    { productNo: 'static', ip: '198.51.100.1' },
    { ip: '198.51.100.2', username: 'u0' },
  ])
  await expect(core.operator.listResting('none')).rejects.toMatchObject({ code: 'product_not_found' })
  const told = async () => {
    for (const sweep of core.jobs.noticeSweeps) await sweep()
    clock.advance(2 * 60_000)
    return db.read.notice.findMany({ where: { kind: 'stock_resting' } })
  }
  await told()
  expect((await told()).map(({ data }) => JSON.parse(data) as object)).toEqual([
    { products: [{ names: { en: 'Static', zh: '静态' }, resting: 2 }] },
  ])
  expect((await core.operator.dayFigures()).stock).toMatchObject([
    { free: 0, resting: 2 },
    { free: 2, resting: 0 },
  ])

  await expect(
    core.operator.releaseResting(SHELL, { ips: ['198.51.100.1', '203.0.113.1'] }),
  ).rejects.toMatchObject({
    issues: [{ path: ['203.0.113.1'], message: 'not_resting' }],
  })
  expect(await core.operator.releaseResting(SHELL, { ips: ['198.51.100.1'] })).toBe(1)
  expect(await core.operator.releaseResting(SHELL, { productNo: 'static' })).toBe(1)
  expect((await order()).status).toBe(200)
})

test('In an older database what is free and was delivered rests, and nothing else', async () => {
  const stock = (ip: string, password: string, orderId: number | null) =>
    `INSERT INTO stock_ips (location_id, ip, port, username, password, order_id, created_at)
     VALUES (1, '${ip}', 1, 'u', '${password}', ${orderId ?? 'NULL'}, '');`
  const instance = (ip: string, status: string) =>
    `INSERT INTO instances (instance_no, order_id, user_id, provider_instance_no, ip, port, username, password, country_code, status,
       opened_at, expire_time, released_at)
     VALUES ('${ip} ${status}', 1, 1, '${ip}', '${ip}', 1, 'u', 'old', 'US', '${status}', '', '', iif('${status}' = 'active', NULL, ''));`
  const path = await databaseBefore(
    'addresses_that_rest',
    `INSERT INTO accounts (username, username_key, password_hash, role, created_at, updated_at) VALUES ('a', 'a', '', 'user', '', '');
     INSERT INTO products (product_no, name_en, name_zh, proxy_type, product_type, period_unit, period_length, created_at, updated_at)
     VALUES ('p', '', '', 103, 1, 3, 1, '', '');
     INSERT INTO locations (product_id, country_code) VALUES (1, 'US');
     INSERT INTO static_orders (order_no, caller_id, app_order_no, request_hash, user_id, product_id, ip_count, duration, unit,
       cycle_times, periods, unit_price, total_amount, status, created_at, updated_at)
     VALUES ('S', 1, 'A', '', 1, 1, 3, 1, 3, 1, 1, 0, 0, 'active', '', '');` +
      stock('192.0.2.1', 'old', null) +
      stock('192.0.2.2', 'changed since', null) +
      stock('192.0.2.3', 'old', 1) +
      stock('192.0.2.4', 'old', null) +
      stock('198.51.100.1', 'old', null) +
      instance('192.0.2.1', 'released') +
      instance('192.0.2.2', 'released') +
      instance('192.0.2.3', 'active'),
  )
  const db = await openDatabase(`file:${path}`)
  const rows = await db.read.stockIp.findMany()
  await db.close()
  expect(rows.map(({ ip, network, position, resting }) => [ip, network, position, resting])).toEqual([
    ['192.0.2.1', '192.0.2.', 0, true],
    ['192.0.2.2', '192.0.2.', 1, false],
    ['192.0.2.3', '192.0.2.', 0, false],
    ['192.0.2.4', '192.0.2.', 2, false],
    ['198.51.100.1', '198.51.100.', 1, false],
  ])
})
