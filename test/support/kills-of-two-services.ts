import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { freePort } from './free-port.ts'
import { type KillPoint, killPoints } from './kill-points.ts'
import { PATIENCE } from './patience.ts'
import type { ProductProcess } from './process.ts'
import { operator } from './processes.ts'
import { command } from './command-line.ts'
import { DRIVERS } from '../../src/suppliers/drivers.ts'
import { SECRET, stockFile } from './product.ts'
import { SEED } from './seed.ts'
import { openShopToKill } from './shop-to-kill.ts'

const PASSWORD = 'password-of-the-tests'
const CUSTOMERS = ['ann', 'bob', 'cid'] as const
const BALANCE = 1_000
const COST = 2
const PRICE = 4
const DEAR = 5
/** Each look writes into the database of a shop that is busy. */
const NOW_AND_THEN = { ...PATIENCE, interval: 250 }
const COMMON = { RATE_LIMIT_READS: '0', RATE_LIMIT_WRITES: '0', RATE_LIMIT_STRANGERS: '0' }

/** Where a shop ends, in each round somewhere else. */
const point = (statements: readonly string[]): fc.Arbitrary<KillPoint> =>
  fc.record({
    statement: fc.constantFrom(...statements),
    count: fc.integer({ min: 1, max: 8 }),
    moment: fc.constantFrom('before', 'committed'),
  })
const ORDERED = '^insert into "static_orders"'
const COMPLETED = '^delete from "jobs"'

export interface Kills {
  readonly rounds: number
  readonly ordersOfRound: number
  /** In this round the supplier becomes dearer than what customers pay. */
  readonly dearRound: number
}

const plan = ({ rounds, ordersOfRound }: Kills) =>
  fc.sample(
    fc.record({
      seller: point([ORDERED, COMPLETED, '^update "supplier_calls"', '^insert into "supplier_calls"']),
      upstream: point([ORDERED, COMPLETED, '^update "stock_ips"']),
      counts: fc.array(fc.integer({ min: 1, max: 5 }), {
        minLength: ordersOfRound,
        maxLength: ordersOfRound,
      }),
    }),
    { seed: SEED, numRuns: rounds },
  )

/** Of a log-in, or of an order. */
interface Answer {
  readonly error?: string
  readonly data: { readonly token: string }
}

/** A shop that is killed at points of the test, and started again at once. */
async function mortal(
  agents: Parameters<typeof openShopToKill>[0],
  settings: Readonly<Record<string, string>>,
  plant: Parameters<typeof openShopToKill>[2],
) {
  const points = await killPoints()
  const { database, beside, ids, start } = await openShopToKill(
    agents,
    { ...COMMON, ...points.settings, ...settings },
    plant,
  )
  let running: ProductProcess = await start()
  let kills = 0

  return {
    database,
    ids,
    points,
    get address() {
      return running.address
    },
    get kills() {
      return kills
    },
    rows: beside.rows,
    edit: beside.run,
    /** Starts it again when it has come to the point, unless it never comes to it. */
    revive: async (point: KillPoint, isOver: () => Promise<boolean>) => {
      points.set(point)
      let isGivenUp = false
      await vi.waitUntil(async () => {
        isGivenUp = (await isOver()) && points.isSet()
        if (isGivenUp) points.clear()
        return !points.isSet()
      }, NOW_AND_THEN)
      if (isGivenUp) return
      await running.kill()
      kills += 1
      running = await start()
    },
    terminate: () => running.terminate(),
  }
}

interface OrderRow {
  readonly orderNo: string
  readonly appOrderNo: string
  readonly status: string
  readonly ipCount: number
  readonly successCount: number
  readonly totalAmount: number
  readonly refundedAmount: number
}
const ORDERS = `SELECT order_no AS "orderNo", app_order_no AS "appOrderNo", status, ip_count AS "ipCount", success_count AS "successCount",
  total_amount AS "totalAmount", refunded_amount AS "refundedAmount" FROM static_orders ORDER BY id`

interface CallRow {
  readonly callNo: string
  readonly state: string
  readonly cost: number
}
const CALLS = `SELECT call_no AS "callNo", state, cost FROM supplier_calls ORDER BY id`

/** Kills two services, of which one buys from the other, again and again: they agree on every order and its price. */
export async function proveKillsOfTwoServices(kills: Kills): Promise<void> {
  const port = await freePort()
  const upstream = await mortal(
    [{ username: 'reseller', password: PASSWORD, balance: BALANCE }],
    { PORT: String(port) },
    async ({ operator }) => {
      await operator.addProduct(SHELL, { productNo: 'home', names: { en: 'Home', zh: '住宅' }, price: COST })
      for (const net of [0, 1]) await operator.importStock(SHELL, stockFile('home', `10.0.${net}`, 200))
    },
  )
  const seller = await mortal(
    CUSTOMERS.map((username) => ({ username, password: PASSWORD, balance: BALANCE })),
    {},
    async ({ operator }) => {
      await operator.suppliers.add(SHELL, {
        name: 'upstream',
        driver: 'reseller-api',
        url: `http://127.0.0.1:${port}/api`,
        key: 'reseller',
        secret: PASSWORD,
      })
      await operator.suppliers.sync(SHELL, 'upstream')
      await operator.addSuppliedProduct(SHELL, {
        productNo: 'resold',
        names: { en: 'Resold', zh: '转售' },
        supplier: 'upstream',
        offers: ['home:US:USNYC'],
        price: PRICE,
      })
    },
  )

  async function post(path: string, body: object, token = ''): Promise<Answer> {
    const response = await fetch(`${seller.address}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Answer
  }
  const tokens: string[] = []
  for (const username of CUSTOMERS)
    tokens.push((await post('/auth/login', { username, password: PASSWORD })).data.token)

  /** What waits for time is due: looks at open calls, at the mirror, and after faults. */
  async function pass(): Promise<void> {
    const [now, minuteAgo] = [Date.now(), Date.now() - 61_000].map((ms) => new Date(ms).toISOString())
    await seller.edit(`
      UPDATE supplier_calls SET absent_since = '${minuteAgo}' WHERE absent_since IS NOT NULL;
      UPDATE supplier_calls SET next_at = '${now}' WHERE next_at > '${now}';
      UPDATE supplier_connections SET paused_until = '${now}' WHERE paused_until > '${now}'`)
  }

  /** Waits for work, and lets {@link pass} time meanwhile. */
  async function whileTimePasses(work: readonly Promise<unknown>[]): Promise<void> {
    let isDone = false
    const done = Promise.all(work).then(() => (isDone = true))
    const time = vi.waitUntil(async () => {
      await pass()
      return isDone
    }, NOW_AND_THEN)
    await Promise.all([done, time])
  }

  /** Orders as an application does that repeats the request, under its number, until it is accepted. */
  async function order(appOrderNo: string, customer: number, ipCount: number): Promise<void> {
    await vi.waitUntil(async () => {
      const body = {
        orderType: 'static_proxy',
        poolId: 'resold',
        userId: seller.ids[customer],
        unitPrice: 0,
        totalAmount: 0,
        ipCount,
        duration: 1,
        unit: 3,
        cycleTimes: 1,
        appOrderNo,
      }
      const [answer] = await Promise.allSettled([
        post('/open/app/static/order/create-standard/v2', body, tokens[customer]),
      ])
      if (answer.status === 'fulfilled' && answer.value.error === undefined) return true
      // The connection is left alone after faults, or too dear.
      if (answer.status === 'fulfilled') expect(answer.value.error).toBe('out_of_stock')
      return false
    }, NOW_AND_THEN)
  }

  const isIdle = async () => {
    const open = await Promise.all([
      seller.rows('SELECT 1 FROM supplier_calls WHERE next_at IS NOT NULL'),
      seller.rows('SELECT 1 FROM jobs'),
      upstream.rows('SELECT 1 FROM jobs'),
    ])
    return open.flat().length === 0
  }

  const price = (units: number) =>
    command(['price', 'set', 'home', String(units)], { database: upstream.database, drivers: DRIVERS })
  /** Ends the dear time when an order has failed by it. */
  async function becomeCheap(): Promise<void> {
    await vi.waitUntil(
      async () => (await seller.rows("SELECT 1 FROM supplier_calls WHERE state = 'refused'")).length > 0,
      PATIENCE,
    )
    await price(COST)
    await seller.edit(`UPDATE supplier_connections SET sync_due_at = '${new Date().toISOString()}'`)
  }

  const asked = new Map<string, number>()
  for (const [round, { seller: sellers, upstream: theirs, counts }] of plan(kills).entries()) {
    if (round === kills.dearRound) await price(DEAR)
    let isAccepted = false
    const isOver = async () => isAccepted && (await isIdle())
    await whileTimePasses([
      seller.revive(sellers, isOver),
      upstream.revive(theirs, isOver),
      ...(round === kills.dearRound ? [becomeCheap()] : []),
      Promise.all(
        counts.map((count, index) => {
          const appOrderNo = `round-${round}-${index}`
          asked.set(appOrderNo, count)
          return order(appOrderNo, index % CUSTOMERS.length, count)
        }),
      ).then(() => (isAccepted = true)),
    ])
  }
  await whileTimePasses([vi.waitUntil(isIdle, NOW_AND_THEN)])
  // What fails upstream may keep a shop from its point.
  expect(Math.min(seller.kills, upstream.kills)).toBeGreaterThanOrEqual(kills.rounds - 1)

  const orders = await seller.rows<OrderRow>(ORDERS)
  expect(orders).toHaveLength(asked.size)
  expect(new Map(orders.map(({ appOrderNo, ipCount }) => [appOrderNo, ipCount]))).toEqual(asked)
  for (const { status, ipCount, successCount, totalAmount, refundedAmount } of orders) {
    expect(status).toBe(successCount === ipCount ? 'active' : successCount > 0 ? 'partial' : 'failed')
    expect(totalAmount - refundedAmount).toBe(successCount * PRICE * 1e6)
  }
  const statuses = new Set(orders.map(({ status }) => status))
  expect([statuses.has('active'), statuses.has('failed')]).toEqual([true, true])

  const calls = await seller.rows<CallRow>(CALLS)
  const theirs = await upstream.rows<OrderRow>(ORDERS)
  expect(calls.map(({ callNo }) => callNo)).toEqual(orders.map(({ orderNo }) => orderNo))
  expect(theirs.map(({ appOrderNo }) => appOrderNo).toSorted()).toEqual(
    calls.flatMap(({ state, callNo }) => (state === 'settled' ? [callNo] : [])).toSorted(),
  )
  const proxies = 'SELECT ip FROM instances ORDER BY ip'
  const sold = await seller.rows(proxies)
  expect(sold).toEqual(await upstream.rows(proxies))
  expect(await seller.rows('SELECT DISTINCT ip FROM instances')).toHaveLength(sold.length)

  const cost = calls.reduce((sum, call) => sum + call.cost, 0)
  expect(sold.length * COST * 1e6).toBe(cost)
  expect(await upstream.rows('SELECT balance FROM accounts')).toEqual([{ balance: BALANCE * 1e6 - cost }])
  const env = { SECRETS_KEY: SECRET }
  for (const args of [
    ['sync', 'upstream'],
    ['reconcile', 'upstream'],
  ])
    expect(
      await command(['supplier', ...args], { database: seller.database, drivers: DRIVERS, env }),
    ).toMatchObject({ status: 0 })
  expect(await seller.rows('SELECT balance FROM supplier_connections')).toEqual(
    await upstream.rows('SELECT balance FROM accounts'),
  )
  for (const { database, terminate } of [seller, upstream]) {
    expect(await terminate()).toBe(0)
    expect(await operator(['audit'], { database })).toMatchObject({
      status: 0,
      stdout: 'The books balance\n',
    })
  }
}
