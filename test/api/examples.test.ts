import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addressOf, type Operation, readDocument } from '../support/openapi.ts'
import { movableClock, otherConnection } from '../support/service.ts'
import { openShop } from '../support/top-ups.ts'

const AGENT = { username: 'agent', password: 'agent-demo' }
const CUSTOMER = { username: 'customer', password: 'customer-demo' }
/** What the examples of the documentation talk about. */
const ORDER_NO = 'S20261120175700123Q2W3E4R5'
const INSTANCE_NO = 'I20261120175700456A1B2C3D4'
const TOP_UP_NO = 'U20261121175700123Q2W3E4R5'
const NOW = '2026-11-20T17:57:00.123Z'

/** The shop in which the documentation plays: every example is about something that is there. */
async function demoShop() {
  const api = await openShop({ clock: movableClock(NOW) })
  const { core, product, stock, order, buyTraffic, runJobs, path } = api
  await core.operator.createAgent({ ...AGENT, balance: 1050 })
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const agent = await core.accounts.authenticate(token)
  const { id } = await core.accounts.createSubUser(agent, { ...CUSTOMER, balance: 50 })
  const customer = { ...agent, id, username: CUSTOMER.username, role: 'user' as const, agentId: agent.id }
  await product('STATIC-US', { price: 5, assignIpSupported: true, cidrSupported: true })
  await stock('STATIC-US', 20, { city: 'USNYC', state: 'NY' })
  for (const [productNo, pool] of [
    ['DYN-2', 'dynamic_2'],
    ['DYN-3', 'dynamic_3'],
  ] as const) {
    await product(productNo, { proxyType: 104, pool, price: 1 })
    for (const buyer of [agent, customer])
      await buyTraffic(buyer, { poolId: productNo, trafficAmount: 5, userId: buyer.id })
  }
  await order(customer, { poolId: 'STATIC-US' })
  await runJobs()
  const books = otherConnection(path)
  books.prepare('UPDATE static_orders SET order_no = ?').run(ORDER_NO)
  books.prepare('UPDATE instances SET instance_no = ?').run(INSTANCE_NO)
  await core.topUps.create(agent, { amount: '20' })
  books.prepare('UPDATE top_ups SET order_no = ?').run(TOP_UP_NO)
  await core.traffic.createSubAccount(agent, { productNo: 'DYN-3', username: 'spider_1', amount: 2 })
  return { ...api, books, token, agent, customer }
}

type Shop = Awaited<ReturnType<typeof demoShop>>

/** Parameters of paths, which the documentation cannot know. */
async function paramsOf({ core, agent, books }: Shop, { path }: Operation): Promise<Record<string, string>> {
  const common = { user_id: '2', product_no: 'DYN-2', order_id: '1', id: '1' }
  if (path.startsWith('/open/app/static')) return { ...common, order_no: ORDER_NO }
  if (path.startsWith('/dynamic/order-info'))
    return { order_no: books.prepare<[], string>('SELECT order_no FROM dynamic_orders').pluck().get() ?? '' }
  if (path.includes('/extract/{token}')) {
    const { linkToken } = await core.traffic.extract(agent, 'any', {
      productNo: 'DYN-2',
      extractConfig: { method: 'api' },
    })
    return { token: linkToken ?? '' }
  }
  return common
}

function rename({ books }: Shop, from: string, to: string): void {
  books
    .prepare('UPDATE accounts SET username = :to, username_key = :to WHERE username = :from')
    .run({ from, to })
}

/** What must be different for the example to make sense. */
const PREPARATIONS: Readonly<Record<string, (shop: Shop) => void>> = {
  'POST /open/app/user/v2': (shop) => rename(shop, 'customer', 'someone'),
  'PATCH /open/app/agent/sub-users/{user_id}/account': (shop) => rename(shop, 'customer', 'newcomer'),
  'GET /auth/activate': ({ books }) => {
    const token = 'dGhlIHRva2VuIGZyb20gdGhlIG1haWwgaXMgbG9uZ2Vy'
    books
      .prepare('UPDATE accounts SET activated = 0, activation_hash = ?, activation_until = ? WHERE id = 2')
      .run(createHash('sha256').update(token).digest('base64url'), '2026-11-23T00:00:00.000Z')
  },
}

/** All of it happens in one shop: what takes something away comes after what needs it. */
const ORDER_OF_METHODS = ['GET', 'POST', 'PATCH', 'DELETE']
const turn = ({ method, name }: Operation) =>
  ORDER_OF_METHODS.indexOf(method) + (name.endsWith('/cancel') ? 1.5 : 0)

test.each(['/a/api', '/b/api'])(
  'Every documented request of %s works as it stands',
  async (base) => {
    const shop = await demoShop()
    const { operations } = await readDocument(shop.server, base)
    expect(operations.length).toBeGreaterThan(30)
    for (const operation of operations.toSorted((a, b) => turn(a) - turn(b))) {
      const { name } = operation
      PREPARATIONS[name]?.(shop)
      const examples = operation.parameters.filter(
        ({ in: place, example }) => place === 'query' && example !== undefined,
      )
      const query = Object.fromEntries(
        examples.map((parameter) => [parameter.name, String(parameter.example)]),
      )
      const response = await shop.server.inject({
        method: operation.method,
        url: base + addressOf(operation.path, await paramsOf(shop, operation), query),
        headers: operation.open ? {} : { authorization: `Bearer ${shop.token}` },
        ...(operation.body?.example === undefined ? {} : { payload: operation.body.example as object }),
      })
      expect({ name, status: response.statusCode, body: response.body }).toMatchObject({ name, status: 200 })
      const [mediaType = ''] = String(response.headers['content-type']).split(';')
      expect({ name, complaint: operation.complaint(200, mediaType, response.body) }).toEqual({
        name,
        complaint: undefined,
      })
    }
  },
  60_000,
)
