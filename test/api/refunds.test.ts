import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { CREATE, LIST, openApi, orderBody, RENEW } from '../support/api.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { databaseBefore } from '../support/old-database.ts'
import { delivers, scriptedSupplier } from '../support/scripted-supplier.ts'

const HOUR = 3_600_000
const MICROS = 1_000_000

type Tiers = readonly (readonly [minQuantity: number, price: number])[]

const priceOf = (tiers: Tiers, quantity: number) => tiers.findLast(([min]) => min <= quantity)?.[1] ?? 0

/** A buyer with plenty of money. */
async function openDesk() {
  const api = await openApi({ suppliers: { partly: scriptedSupplier(delivers(3)) } })
  const buyer = await api.agent({ balance: 1_000_000 })
  return { ...api, buyer, client: await api.as(buyer), products: 0 }
}

interface Bought {
  readonly ipCount?: number
  readonly product?: { readonly supplier?: string; readonly refundHours?: number }
}

/** An order of a new monthly product with these prices by quantity, delivered. */
async function buyAt(
  desk: Awaited<ReturnType<typeof openDesk>>,
  tiers: Tiers,
  { ipCount = 50, product = {} }: Bought = {},
) {
  const { core, buyer, client, balance } = desk
  const poolId = await desk.product(`static-${(desk.products += 1)}`, {
    price: priceOf(tiers, 1),
    ...product,
  })
  await desk.stock(poolId, ipCount)
  for (const [minQuantity, price] of tiers)
    await core.operator.setPrice(SHELL, { productNo: poolId, price, minQuantity })
  const before = await balance(buyer)
  const { orderNo } = (await client.post(CREATE, orderBody(buyer.id, { poolId, ipCount }))).body.data
  await desk.runJobs()
  const [order] = (await client.get(`${LIST}?orderNo=${orderNo}`)).body.data.items
  const numbers = ((order?.instances ?? []) as { instance_no: string }[]).map(
    ({ instance_no }) => instance_no,
  )
  /** @returns what it gives back */
  const cancel = async (instances?: readonly string[]) => {
    const answer = await client.post(`/open/app/static/order/${orderNo}/cancel`, instances && { instances })
    expect(answer.status).toBe(200)
    return (answer.body.data as unknown as { refund_amount: number }).refund_amount
  }
  /** What the shop has for this order. */
  const spent = async () => Math.round((before - (await balance(buyer))) * MICROS) / MICROS
  return { ...desk, poolId, orderNo, numbers, cancel, spent }
}

const shop = async (tiers: Tiers, options?: Bought) => buyAt(await openDesk(), tiers, options)

test('Of 50 at the price of 50, one that stays costs the price of one, and the rest comes back with it', async () => {
  const { core, buyer, orderNo, numbers, cancel, spent, audited } = await shop([
    [1, 4.5],
    [10, 4],
    [50, 3.5],
  ])
  expect(await spent()).toBe(175)
  expect(await core.orders.quoteCancellation(buyer, { orderNo, instances: numbers.slice(1) })).toMatchObject({
    refundAmount: 170_500_000,
    keptBack: 1_000_000,
    staying: 1,
  })
  expect(await cancel(numbers.slice(1))).toBe(170.5)
  expect(await spent()).toBe(4.5)
  await audited()
  expect(await cancel()).toBe(4.5)
  expect(await spent()).toBe(0)
  await audited()
})

test('One of 50 gives nothing back where 49 cost more than was paid, and a repetition the same', async () => {
  const { numbers, cancel, spent, audited } = await shop([
    [1, 4.5],
    [50, 3.5],
  ])
  expect(await cancel(numbers.slice(0, 1))).toBe(0)
  expect(await cancel(numbers.slice(0, 1))).toBe(0)
  expect(await spent()).toBe(175)
  expect(await cancel(numbers.slice(0, 20))).toBe(40)
  expect(await cancel(numbers.slice(0, 20))).toBe(40)
  expect(await spent()).toBe(135)
  await audited()
})

test('The prices of the purchase count, whatever the operator sets later', async () => {
  const { core, poolId, numbers, cancel, spent } = await shop([
    [1, 4.5],
    [50, 3.5],
  ])
  await core.operator.setPrice(SHELL, { productNo: poolId, price: 3.5 })
  await core.operator.setPrice(SHELL, { productNo: poolId, price: 2, minQuantity: 50 })
  expect(await cancel(numbers.slice(1))).toBe(170.5)
  expect(await spent()).toBe(4.5)
})

test('A renewal at the price of its number is counted like the order', async () => {
  const { client, orderNo, numbers, cancel, spent, audited } = await shop(
    [
      [1, 4],
      [10, 3],
    ],
    { ipCount: 10 },
  )
  await client.post(RENEW, { order_no: orderNo, duration: 2, unit: 3 })
  expect(await spent()).toBe(90)
  expect(await cancel(numbers.slice(1))).toBe(78)
  expect(await spent()).toBe(12)
  expect(await cancel()).toBe(12)
  await audited()
})

test('What was never delivered counts as kept: the customer did not choose a smaller number', async () => {
  const tiers = [
    [1, 4],
    [8, 3],
  ] as const
  const { cancel, numbers, spent, audited } = await shop(tiers, {
    ipCount: 10,
    product: { supplier: 'partly' },
  })
  expect([numbers.length, await spent()]).toEqual([3, 9])
  expect(await cancel(numbers.slice(1, 2))).toBe(3)
  expect(await cancel(numbers.slice(2))).toBe(3)
  await audited()
})

test('After the window nothing comes back, and a dearer tier of a large number is never counted', async () => {
  const { numbers, cancel, clock } = await shop(
    [
      [1, 1],
      [5, 2],
    ],
    { ipCount: 6, product: { refundHours: 1 } },
  )
  expect(await cancel(numbers.slice(0, 4))).toBe(8)
  clock.advance(HOUR + 1)
  expect(await cancel(numbers.slice(4))).toBe(0)
})

test('Whatever is released in whatever steps, what stays is paid at the price of its number, and everything comes back with the last', async () => {
  const desk = await openDesk()
  const prices = fc.array(fc.tuple(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 5_000_000 })), {
    maxLength: 3,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5_000_000 }),
      prices,
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.record({ release: fc.integer({ min: 1, max: 6 }), renew: fc.boolean() }), { maxLength: 5 }),
      async (first, more, ipCount, steps) => {
        const byQuantity = new Map([[1, first], ...more.toSorted(([a], [b]) => a - b)])
        const tiers: Tiers = [...byQuantity].map(([min, micros]) => [min, micros / MICROS])
        const { client, orderNo, numbers, cancel, spent } = await buyAt(desk, tiers, { ipCount })
        const micros = (amount: number) => Math.round(amount * MICROS)
        const priceAt = (quantity: number) => micros(priceOf(tiers, quantity))
        /** Numbers and unit prices of the order and its renewals. */
        const purchases = [{ numbers, unitPrice: priceAt(ipCount) }]
        let staying = numbers
        let paid = priceAt(ipCount) * ipCount
        expect(micros(await spent())).toBe(paid)
        for (const { release, renew } of steps) {
          if (renew && staying.length > 0) {
            await client.post(RENEW, { order_no: orderNo })
            purchases.push({ numbers: staying, unitPrice: priceAt(staying.length) })
            paid += priceAt(staying.length) * staying.length
          }
          const gone = staying.slice(0, release)
          if (gone.length === 0) break
          staying = staying.slice(release)
          const refund = micros(await cancel(gone))
          const costs = purchases.reduce((sum, purchase) => {
            const stay = purchase.numbers.filter((number) => staying.includes(number)).length
            return sum + stay * Math.max(purchase.unitPrice, stay === 0 ? 0 : priceAt(stay))
          }, 0)
          expect(refund).toBe(Math.max(0, paid - costs))
          paid -= refund
          expect(micros(await spent())).toBe(paid)
        }
        if (staying.length > 0) await cancel()
        expect(await spent()).toBe(0)
      },
    ),
    { numRuns: 25 },
  )
  await desk.audited()
})

test.each([
  [{ periodUnit: 3 }, 24],
  [{ periodUnit: 1, periodLength: 1 }, 0],
  [{ periodUnit: 1, periodLength: 7 }, 0],
] as const)(
  'A product billed by %j is refunded for %i hours unless the operator says otherwise',
  async (period, hours) => {
    const { db, product } = await openApi()
    await product('static', period)
    expect(await db.read.product.findFirst()).toMatchObject({ refundHours: hours })
  },
)

test.each([
  [{ periodUnit: 1, periodLength: 1 }, 24],
  [{ periodUnit: 1, periodLength: 7 }, 168],
  [{ periodUnit: 1, periodLength: 30 }, 28 * 24],
  [{ periodUnit: 3, periodLength: 1 }, 28 * 24],
  [{ periodUnit: 3, periodLength: 2 }, 59 * 24],
] as const)(
  'A product billed by %j has no refund window of %i hours, but one of an hour less',
  async (period, hours) => {
    const { core, db, product } = await openApi()
    const refusal = { issues: [{ path: ['refundHours'], message: 'as_long_as_the_shortest_term' }] }
    await expect(product('static', { ...period, refundHours: hours })).rejects.toMatchObject(refusal)
    await product('static', period)
    await expect(core.operator.editProduct(SHELL, 'static', { refundHours: hours })).rejects.toMatchObject(
      refusal,
    )
    await core.operator.editProduct(SHELL, 'static', { refundHours: hours - 1 })
    expect(await db.read.product.findFirst()).toMatchObject({ refundHours: hours - 1 })
  },
)

test('Windows that outlast the shortest term are closed by the migration, and no other', async () => {
  const product = (no: string, unit: number, length: number, hours: number, pool = 'NULL') =>
    `INSERT INTO products (product_no, name_en, name_zh, proxy_type, product_type, period_unit, period_length, refund_hours, pool,
       gateway_host, gateway_port, created_at, updated_at)
     VALUES ('${no}', '', '', 103, 1, ${unit}, ${length}, ${hours}, ${pool}, iif(${pool} IS NULL, NULL, 'gw'), iif(${pool} IS NULL, NULL, 1), '', '');`
  const path = await databaseBefore(
    'tiers_of_purchases',
    [
      product('daily', 1, 1, 24),
      product('half a day', 1, 1, 12),
      product('weekly', 1, 7, 24),
      product('thirty days', 1, 30, 672),
      product('monthly', 3, 1, 24),
      product('month and month', 3, 1, 672),
      product('traffic', 0, 0, 24, "'dynamic_1'"),
    ].join(''),
  )
  const db = await openDatabase(`file:${path}`)
  const windows = await db.read.product.findMany({ select: { productNo: true, refundHours: true } })
  await db.close()
  expect(Object.fromEntries(windows.map(({ productNo, refundHours }) => [productNo, refundHours]))).toEqual({
    daily: 0,
    'half a day': 12,
    weekly: 24,
    'thirty days': 0,
    monthly: 24,
    'month and month': 0,
    traffic: 24,
  })
})
