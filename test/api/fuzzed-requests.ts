import fc from 'fast-check'
import { expect } from 'vitest'
import { scriptedProber } from '../support/scripted-prober.ts'
import { openShop } from '../support/top-ups.ts'
import { addressOf, readDocument } from '../support/openapi.ts'
import { type Known, requestsOf, resolve } from '../support/requests.ts'
import { SEED } from '../support/seed.ts'
import { beside } from '../support/beside.ts'

/** How often the loop comes round and the clock moves. */
const ROUND = 40

/** A shop in which there is a bit of everything, for an agent, its customer, and a customer of somebody else. */
async function shop() {
  const api = await openShop({ checks: { prober: scriptedProber, regular: false } })
  const { agent, core, customer, product, stock, order, buyTraffic, runJobs } = api
  const seller = await agent({ name: 'seller', balance: 100_000 })
  const other = await agent({ name: 'other', balance: 1_000 })
  const buyer = await customer(seller, { name: 'buyer', balance: 5_000 })
  const stranger = await customer(other, { name: 'stranger', balance: 5_000 })
  await product('static', { cidrSupported: true, assignIpSupported: true, price: 1.25 })
  await product('shared', { shared: true, projects: [{ code: 'shop', name: 'Shop' }], price: 0.5 })
  await product('daily', { periodUnit: 1, periodLength: 1, price: 0.000001 })
  for (const productNo of ['static', 'shared', 'daily'])
    await stock(productNo, 300, { city: 'USNYC', state: 'NY', cidr: '10.0.0.0/8' })
  for (const [productNo, pool] of [
    ['dyn1', 'dynamic_1'],
    ['dyn2', 'dynamic_2'],
    ['dyn3', 'dynamic_3'],
  ] as const) {
    await product(productNo, { proxyType: 104, pool, price: 2 })
    for (const owner of [seller, buyer, stranger])
      await buyTraffic(owner, { poolId: productNo, userId: owner.id, trafficAmount: 3 })
  }
  for (const owner of [seller, buyer, stranger]) {
    await order(owner, { ipCount: 2 })
    await core.traffic.createSubAccount(owner, {
      productNo: 'dyn3',
      username: `sub_${owner.username}`,
      amount: 1,
    })
  }
  await runJobs()
  const { linkToken: link } = await core.traffic.extract(seller, 'any', {
    productNo: 'dyn2',
    extractConfig: { method: 'api' },
  })
  const { rows } = await beside(api)
  const column = async (sql: string) =>
    (await rows<object>(sql)).flatMap((row): unknown[] => Object.values(row))
  /** What there is, by kind; looked up again in every round. */
  const things = async () =>
    new Map<string, readonly unknown[]>(
      Object.entries({
        product: [...(await column('SELECT product_no FROM products')), 'missing'],
        static: ['static', 'static', 'shared', 'daily'],
        dynamic: ['dyn1', 'dyn2', 'dyn3'],
        user: [...(await column('SELECT id FROM accounts')), 999_999],
        number: [1, 2, 3, 4, 5, 999_999],
        order: [
          ...(await column(
            'SELECT order_no FROM static_orders UNION ALL SELECT order_no FROM dynamic_orders',
          )),
          'S0',
          'k-1',
        ],
        instance: [...(await column('SELECT instance_no FROM instances')), 'I0'],
        ip: [...(await column('SELECT ip FROM stock_ips LIMIT 20')), '192.0.2.1'],
        cidr: ['10.0.0.0/8', '192.0.2.0/24'],
        link: ['no-link', link],
        country: ['US', 'DE', 'us'],
        city: ['USNYC', 'NY', 'DEBER'],
        project: ['shop', 'none'],
        name: ['other', 'fresh_1', 'fresh_2', 'Ünïcode', 'a b'],
        amount: [1, 2.5, 12, -1, 0.000001, 0],
        gigabytes: [0.5, 1, 2, 0.001, 10_001],
        ceiling: [0, 0, 0, 1_000, 0.01],
        few: [1, 1, 1, 1, 2, 2, 3, 3, 4, 1_000],
        term: [1, 1, 30, 7],
        key: ['k-1', 'k-2', ...Array.from({ length: 20 }, (_, index) => `k-${index}`)],
        day: ['2026-03-01', '2026-01-31', '2026-12-31', '2026-02-30'],
      }),
    )
  return { ...api, things, callers: [seller, buyer, stranger] }
}

/**
 * Asks a variant for anything: each answer has to be as documented, and the books have to balance.
 *
 * @param base such as `/a/api`
 */
export async function fuzz(base: string, requests: number): Promise<void> {
  const api = await shop()
  const { server, callers, clock, runJobs, audited } = api
  // A token lives for a day. Whoever was disabled or got another password keeps a dead one.
  const tokens: string[] = []
  const logIn = async () => {
    for (const [index, caller] of callers.entries()) {
      const session = await api.as(caller).catch(() => undefined)
      if (session) tokens[index] = session.token
    }
  }
  await logIn()
  const document = await readDocument(server, base)
  const thoughts = fc.sample(fc.noBias(fc.tuple(requestsOf(document), fc.nat(99))), {
    numRuns: requests,
    seed: SEED,
  })
  let things = await api.things()
  const lookupFor = (path: string, caller: number) => (thing: Known) => {
    const { known, index } = thing
    if (known === 'user' && index % 2 === 0) return caller
    // Most people order a thing where it is sold.
    const shelf = path.includes('/static/')
      ? 'static'
      : /dynamic|flow|create/.test(path)
        ? 'dynamic'
        : 'product'
    const candidates = things.get(known === 'product' && index % 8 > 0 ? shelf : known) ?? []
    return candidates[Math.floor(index / 8) % candidates.length]
  }
  const statuses: Record<string, number> = {}
  for (const [number, [thought, who]] of thoughts.entries()) {
    if (number % ROUND === ROUND - 1) {
      clock.advance(6 * 3_600_000)
      await runJobs()
      await logIn()
      things = await api.things()
    }
    const { operation, headers } = thought
    const caller = who < 60 ? 0 : who < 75 ? 1 : 2
    const lookup = lookupFor(operation.path, callers[caller]?.id ?? 0)
    const texts = (values: unknown) =>
      Object.fromEntries(
        Object.entries(resolve(values, lookup) as object).map(([name, value]) => [name, asText(value)]),
      )
    const payload = resolve(thought.body, lookup)
    const token = who === 0 ? 'forged.by.nobody' : tokens[caller]
    const request = {
      method: operation.method,
      url: base + addressOf(operation.path, texts(thought.params), texts(thought.query)),
      headers: { ...headers, ...(operation.open ? {} : { authorization: `Bearer ${token}` }) },
      ...(payload === undefined
        ? {}
        : {
            payload: JSON.stringify(payload),
            headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          }),
    }
    const response = await server.inject(request)
    const [mediaType = ''] = String(response.headers['content-type']).split(';')
    const status = response.statusCode
    statuses[status] = (statuses[status] ?? 0) + 1
    const complaint =
      status >= 500 ? `${status}: ${response.body}` : operation.complaint(status, mediaType, response.body)
    if (complaint !== undefined) {
      const failure = api.log.findLast(({ level }) => level === 50)
      expect.fail(
        `request ${number} of seed ${SEED}: ${complaint}\n${JSON.stringify(request)}\n${response.body}\n${JSON.stringify(failure ?? null)}`,
      )
    }
  }
  await runJobs()
  await audited()
  // A fuzzer that is always turned away at the door has seen nothing.
  expect(statuses[200] ?? 0).toBeGreaterThan(thoughts.length / 5)
  expect(statuses[422] ?? 0).toBeGreaterThan(0)
  if (process.env['FUZZ_REQUESTS'])
    process.stdout.write(`${base} seed ${SEED}: ${JSON.stringify(statuses)}\n`)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
