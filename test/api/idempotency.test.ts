import { describe, expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { CREATE, expectRefusal, openApi, orderBody, RENEW } from '../support/api.ts'
import { openShop } from '../support/top-ups.ts'

const USERS = '/open/app/user/v2'
const SUB_ACCOUNTS = '/open/app/dynamic/sub-accounts'
const PROXY_LINKS = '/open/app/static/links'
const EXTRACT = '/open/app/dynamic/extract'
const B = { base: '/b/api' } as const
const DAY = 86_400_000

/** An agent with a sub-user, an order of two proxies and traffic. */
async function shop() {
  const api = await openApi()
  await api.product()
  await api.stock('static', 5)
  await api.product('traffic', { proxyType: 104, pool: 'dynamic_2' })
  const seller = await api.agent({ balance: 100 })
  const user = await api.customer(seller, { name: 'user', balance: 10 })
  const { orderNo } = await api.order(seller, { ipCount: 2 })
  await api.runJobs()
  await api.buyTraffic(seller, { trafficAmount: 10 })
  return { ...api, seller, user, orderNo, client: await api.as(seller) }
}

type Shop = Awaited<ReturnType<typeof shop>>

/** Every POST that creates or moves something: where, what, and something else under the same key. */
const CASES: readonly [string, (shop: Shop) => { path: string; body: object; other: object }][] = [
  ['a sub-user', () => ({ path: USERS, body: newUser('fresh'), other: newUser('fresh', { balance: 2 }) })],
  [
    'a balance adjustment',
    ({ user }) => ({
      path: `/open/app/agent/sub-users/${user.id}/balance`,
      body: { amount: 3, remark: 'cash' },
      other: { amount: 4, remark: 'cash' },
    }),
  ],
  [
    'a sub-account',
    () => ({
      path: SUB_ACCOUNTS,
      body: { productNo: 'traffic', amount: 2 },
      other: { productNo: 'traffic', amount: 3 },
    }),
  ],
  ['a public link', () => ({ path: EXTRACT, body: link(), other: { ...link(), countryCode: 'DE' } })],
  ['a link to proxies', () => ({ path: PROXY_LINKS, body: { content: 'csv' }, other: { content: 'json' } })],
  [
    'credentials',
    () => ({
      path: EXTRACT,
      body: { productNo: 'traffic', extractConfig: { sticky: true } },
      other: { productNo: 'traffic', extractConfig: { sticky: true, quantity: 2 } },
    }),
  ],
  [
    'a static order',
    ({ user }) => ({ path: CREATE, body: orderBody(user.id), other: orderBody(user.id, { ipCount: 2 }) }),
  ],
  [
    'a dynamic order',
    () => ({
      path: '/open/app/order/create/v2',
      body: { orderType: 'dynamic_proxy', poolId: 'traffic', trafficAmount: 1 },
      other: { orderType: 'dynamic_proxy', poolId: 'traffic', trafficAmount: 2 },
    }),
  ],
  ['a renewal', ({ orderNo }) => ({ path: RENEW, body: { orderNo }, other: { orderNo, cycleTimes: 2 } })],
  [
    'a release',
    ({ orderNo }) => ({
      path: `/open/app/static/order/${orderNo}/cancel`,
      body: { reason: 'done' },
      other: { reason: 'other' },
    }),
  ],
]

function newUser(username: string, change: object = {}) {
  return { username, password: 'a secret of theirs', balance: 1, ...change }
}

function link() {
  return { productNo: 'traffic', countryCode: 'US', extractConfig: { method: 'api' } }
}

/** Everything that an effect would change. */
const TABLES = [
  'account',
  'ledgerEntry',
  'staticOrder',
  'dynamicOrder',
  'renewal',
  'cancellation',
  'subAccount',
  'trafficMove',
  'extractLink',
  'proxyLink',
] as const

async function counts({ db }: Shop): Promise<number[]> {
  return Promise.all(TABLES.map((table) => (db.read[table] as { count(): Promise<number> }).count()))
}

describe('Under one Idempotency-Key', () => {
  test.each(CASES)('%s comes once, and is answered as the first time', async (_name, of) => {
    const made = await shop()
    const { path, body, other } = of(made)
    const { client } = made
    const send = (payload: object, key = 'key-1') =>
      client.post(path, payload, { ...B, headers: { 'idempotency-key': key } })

    // Both at once.
    const [one, two] = await Promise.all([send(body), send(body)])
    expect([one.status, two.status]).toEqual([200, 200])
    const headers = [one, two].map((answer) => answer.headers['idempotency-replayed'])
    expect(headers).toHaveLength(2)
    expect(headers.filter((header) => header === 'true')).toHaveLength(1)
    expect(two.body).toEqual(one.body)
    const after = await counts(made)

    const again = await send(body)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual(one.body)
    expectRefusal(await send(other), 409, 'idempotency_conflict')
    // A key is the account's, whatever it was used for.
    const elsewhere = path === USERS ? CREATE : USERS
    const another = path === USERS ? orderBody(made.user.id) : newUser('elsewhere')
    expectRefusal(
      await client.post(elsewhere, another, { ...B, headers: { 'idempotency-key': 'key-1' } }),
      409,
      'idempotency_conflict',
    )
    expect(await counts(made)).toEqual(after)
    await made.audited()
  })

  test('a top-up is cancelled once; another one under that key is refused', async () => {
    const { as, customer, open } = await openShop()
    const user = await customer(null)
    const client = await as(user)
    const [first, second] = [await open(user), await open(user)]
    const cancel = (order_no: string) =>
      client.post('/usdt/cancel-order', { order_no }, { headers: { 'idempotency-key': 'c' } })
    const done = await cancel(first.order_no)
    expect(done.body.data).toMatchObject({ status: 'cancelled' })
    const again = await cancel(first.order_no)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual(done.body)
    expectRefusal(await cancel(second.order_no), 409, 'idempotency_conflict')
  })

  test('a refusal is not remembered: the same request succeeds when it can', async () => {
    const { client, core, seller } = await shop()
    const headers = { 'idempotency-key': 'later' }
    const rich = newUser('rich', { balance: 500 })
    expectRefusal(await client.post(USERS, rich, { headers }), 402, 'insufficient_balance')
    await core.operator.adjustBalance(SHELL, { username: seller.username, amount: 1_000, remark: 'more' })
    expect((await client.post(USERS, rich, { headers })).status).toBe(200)
  })

  test('accounts do not share keys, and an answer outlives what happened since', async () => {
    const { client, as, agent, user, core, seller } = await shop()
    const headers = { 'idempotency-key': 'mine' }
    const created = await client.post(USERS, newUser('first'), { headers })
    expect(
      (await (await as(await agent({ balance: 5 }))).post(USERS, newUser('second'), { headers })).status,
    ).toBe(200)
    await core.accounts.adjustSubUserBalance(seller, user.id, { amount: 1, remark: 'x' })
    expect((await client.post(USERS, newUser('first'), { headers })).body).toEqual(created.body)
  })

  test('nothing that is secret stands in the database in clear', async () => {
    const { client, db } = await shop()
    const headers = { 'idempotency-key': 'secrets' }
    await client.post(USERS, newUser('hidden'), { headers })
    const account = await client.post(
      SUB_ACCOUNTS,
      { productNo: 'traffic' },
      { ...B, headers: { 'idempotency-key': 'made' } },
    )
    const { password } = account.body.data as unknown as { password: string }
    const rows = JSON.stringify(await db.read.requestKey.findMany())
    expect(rows).toContain('secrets')
    expect(rows).not.toContain('a secret of theirs')
    expect(rows).not.toContain(password)
    // The request is told by a keyed hash, so that a weak password cannot be guessed from it.
    const [first] = await db.read.requestKey.findMany()
    expect(first?.requestHash).toMatch(/^[\w-]{43}$/)
  })

  test('a key is kept for 30 days and forgotten after 31; money is moved only once even then', async () => {
    const made = await shop()
    const { client, clock, core, db, user } = made
    const path = `/open/app/agent/sub-users/${user.id}/balance`
    const adjust = async () =>
      (await made.as(made.seller)).post(
        path,
        { amount: 1, remark: 'x' },
        { headers: { 'idempotency-key': 'old' } },
      )
    expect(
      (await client.post(path, { amount: 1, remark: 'x' }, { headers: { 'idempotency-key': 'old' } })).status,
    ).toBe(200)
    clock.advance(30 * DAY)
    await core.jobs.sweepRequestKeys()
    expect((await adjust()).headers['idempotency-replayed']).toBe('true')
    clock.advance(2 * DAY)
    await core.jobs.sweepRequestKeys()
    expect(await db.read.requestKey.count()).toBe(0)
    expectRefusal(await adjust(), 409, 'idempotency_conflict')
  })
})
