import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, refused, tally } from '../../support/service.ts'

/** A shop with a monthly product at 1 and a buyer. */
async function shop({ balance = 100, stock = 10 } = {}) {
  const service = await openService()
  const buyer = await service.agent({ balance })
  await service.product()
  if (stock > 0) await service.stock('static', stock)
  return { ...service, buyer }
}

describe('an accepted order', () => {
  it('debits its price, reserves its proxies and waits for completion', async () => {
    const { order, buyer, balance, core, db, entries, audited } = await shop()
    const { orderNo, replayed } = await order(buyer, { ipCount: 3, remark: 'for the campaign' })
    expect(replayed).toBe(false)
    expect(await balance(buyer)).toBe(97)
    expect(await db.read.stockIp.count({ where: { orderId: { not: null } } })).toBe(3)
    expect((await entries(buyer)).at(-1)).toMatchObject({
      type: 'consumption',
      amount: -3_000_000,
      orderType: 'static',
      orderNo,
    })
    expect(await core.orders.getStatic(buyer, { orderNo })).toMatchObject({
      status: 'processing',
      ipCount: 3,
      successCount: 0,
      totalAmount: 3_000_000,
      remark: 'for the campaign',
      instances: [],
    })
    await audited()
  })

  it('leaves nothing behind when it is refused', async () => {
    const { order, buyer, balance, db, audited } = await shop({ balance: 100, stock: 2 })
    await refused(order(buyer, { ipCount: 3 }), 'out_of_stock', { requested: 3, available: 2 })
    await refused(order(buyer, { ipCount: 101 }), 'insufficient_balance', {
      required: 101,
      balance: 100,
      shortfall: 1,
    })
    expect(await balance(buyer)).toBe(100)
    expect([
      await db.read.staticOrder.count(),
      await db.read.job.count(),
      await db.read.ledgerEntry.count(),
    ]).toEqual([0, 0, 1])
    expect(await db.read.stockIp.count({ where: { orderId: null } })).toBe(2)
    await audited()
  })

  it('may be free of charge, and still has its entry', async () => {
    const { order, buyer, balance, core, entries, runJobs, audited } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 0 })
    await order(buyer, { ipCount: 2 })
    await runJobs()
    expect(await balance(buyer)).toBe(100)
    expect((await entries(buyer)).at(-1)).toMatchObject({ type: 'consumption', amount: 0 })
    await audited()
  })

  it('adds up: a thousand of the smallest amount', async () => {
    const { order, buyer, balance, core, stock, audited } = await shop({ balance: 1 })
    await stock('static', 1000)
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 0.000001 })
    await order(buyer, { ipCount: 500 })
    await Promise.all(Array.from({ length: 500 }, () => order(buyer)))
    expect(await balance(buyer)).toBe(0.999)
    await audited()
  })
})

describe('many at once', () => {
  it('200 orders on a balance for 50: exactly 50 are accepted', async () => {
    const { order, buyer, balance, entries, audited, runJobs } = await shop({ balance: 50, stock: 200 })
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => order(buyer)))
    expect(tally(results)).toEqual({ ok: 50, insufficient_balance: 150 })
    expect(await balance(buyer)).toBe(0)
    expect(await entries(buyer)).toHaveLength(51)
    await runJobs()
    await audited()
  })

  it('200 orders for 50 proxies: no proxy is sold twice', async () => {
    const { order, buyer, balance, db, audited, runJobs } = await shop({ balance: 1000, stock: 50 })
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => order(buyer)))
    expect(tally(results)).toEqual({ ok: 50, out_of_stock: 150 })
    expect(await balance(buyer)).toBe(950)
    await runJobs()
    const sold = await db.read.instance.findMany({ select: { ip: true } })
    expect(new Set(sold.map(({ ip }) => ip)).size).toBe(50)
    await audited()
  })

  it('one address that two want at the same moment goes to one of them', async () => {
    const { order, agent, buyer, balance, product, stock, audited } = await shop()
    const rival = await agent({ balance: 100 })
    await product('assigned', { assignIpSupported: true })
    const [ip = ''] = await stock('assigned', 3)
    const results = await Promise.allSettled(
      [buyer, rival, buyer, rival].map((each) => order(each, { poolId: 'assigned', assignedIp: ip })),
    )
    expect(tally(results)).toEqual({ ok: 1, assigned_ip_unavailable: 3 })
    expect((await balance(buyer)) + (await balance(rival))).toBe(199)
    await audited()
  })
})

describe('the number of the caller', () => {
  it('is one order, however often and however parallel it is sent', async () => {
    const { order, buyer, balance, db, audited } = await shop()
    const results = await Promise.all(
      Array.from({ length: 64 }, () => order(buyer, { appOrderNo: 'app-1', ipCount: 2 })),
    )
    expect(new Set(results.map(({ orderNo }) => orderNo)).size).toBe(1)
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await db.read.ledgerEntry.count({ where: { type: 'consumption' } })).toBe(1)
    expect(await balance(buyer)).toBe(98)

    expect(await order(buyer, { appOrderNo: 'app-1', ipCount: 2 })).toEqual({ ...results[0], replayed: true })
    await audited()
  })

  it('with another order is a conflict, and nothing happens', async () => {
    const { order, buyer, balance, audited } = await shop()
    await order(buyer, { appOrderNo: 'app-1' })
    for (const change of [
      { ipCount: 2 },
      { duration: 2 },
      { remark: 'x' },
      { totalAmount: 50 },
      { cycleTimes: 2 },
    ]) {
      await refused(order(buyer, { appOrderNo: 'app-1', ...change }), 'idempotency_conflict', {
        app_order_no: 'app-1',
      })
    }
    expect(await balance(buyer)).toBe(99)
    await audited()
  })

  it('with two different orders at the same moment is one order and a conflict', async () => {
    const { order, buyer, balance, audited } = await shop()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        order(buyer, { appOrderNo: 'app-1', ipCount: 1 + (index % 2) }),
      ),
    )
    expect(tally(results)).toEqual({ ok: 10, idempotency_conflict: 10 })
    expect([98, 99]).toContain(await balance(buyer))
    await audited()
  })

  it('is not used up by a refusal: after a deposit the same order goes through', async () => {
    const { order, buyer, balance, core, audited } = await shop({ balance: 1 })
    const attempt = () => order(buyer, { appOrderNo: 'app-1', ipCount: 5 })
    await refused(attempt(), 'insufficient_balance')
    await refused(attempt(), 'insufficient_balance')
    await core.operator.adjustBalance(SHELL, { username: buyer.username, amount: 9, remark: 'deposit' })
    expect(await attempt()).toMatchObject({ replayed: false })
    expect(await attempt()).toMatchObject({ replayed: true })
    expect(await balance(buyer)).toBe(5)
    await audited()
  })

  it('belongs to the caller: another one may use the same', async () => {
    const { order, buyer, customer, audited, db } = await shop()
    const user = await customer(buyer, { balance: 10 })
    await order(buyer, { appOrderNo: 'app-1' })
    await order(user, { appOrderNo: 'app-1' })
    expect(await db.read.staticOrder.count({ where: { appOrderNo: 'app-1' } })).toBe(2)
    await audited()
  })

  it('answers a repeat although the stock or the price has changed since', async () => {
    const { order, buyer, core } = await shop({ stock: 1 })
    const first = await order(buyer, { appOrderNo: 'app-1', totalAmount: 1 })
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 7 })
    expect(await order(buyer, { appOrderNo: 'app-1', totalAmount: 1 })).toEqual({ ...first, replayed: true })
  })
})

describe('what a client sends as price', () => {
  it('is never charged: the server price is', async () => {
    const { order, buyer, balance } = await shop()
    await order(buyer, { ipCount: 2, unitPrice: 40, totalAmount: 80 })
    expect(await balance(buyer)).toBe(98)
  })

  it.each([
    ['unit price', { unitPrice: 0.999999 }],
    ['total', { totalAmount: 1.999999 }],
    ['total, with a generous unit price', { unitPrice: 100, totalAmount: 0.01 }],
  ])('is a ceiling: a lower %s refuses the order', async (_title, ceiling) => {
    const { order, buyer, balance } = await shop()
    await refused(order(buyer, { ipCount: 2, ...ceiling }), 'price_changed', {
      unit_price: 1,
      total_amount: 2,
    })
    expect(await balance(buyer)).toBe(100)
  })

  it('that is exact, or 0, or missing lets the order pass', async () => {
    const { order, buyer, balance } = await shop()
    for (const ceiling of [{ unitPrice: 1, totalAmount: 2 }, { unitPrice: 0, totalAmount: 0 }, {}]) {
      await order(buyer, { ipCount: 2, ...ceiling })
    }
    expect(await balance(buyer)).toBe(94)
  })

  it('and other nonsense is refused before anything happens', async () => {
    const { order, buyer, balance, db } = await shop()
    const nonsense = [
      { ipCount: -1 },
      { ipCount: 0 },
      { ipCount: 1e9 },
      { ipCount: 501 },
      { ipCount: 1.5 },
      { ipCount: Number.NaN },
      { duration: -1 },
      { duration: 0 },
      { duration: 1e9 },
      { duration: 0.5 },
      { cycleTimes: -1 },
      { cycleTimes: 0 },
      { cycleTimes: 37 },
      { unit: 2 as 3 },
      { unit: 5 as 3 },
      { unitPrice: -1 },
      { totalAmount: -0.01 },
      { totalAmount: 0.0000001 },
      { totalAmount: Infinity },
      { userId: 0 },
      { userId: 1.5 },
      { userId: '1' as unknown as number },
      { appOrderNo: '' },
      { appOrderNo: 'x'.repeat(65) },
      { assignedIp: '256.1.1.1' },
      { cidrBlocks: [{ cidr: '10.0.0.0/8', count: -1 }] },
    ]
    for (const change of nonsense) await refused(order(buyer, change), 'validation_error')
    expect(await balance(buyer)).toBe(100)
    expect(await db.read.staticOrder.count()).toBe(0)
  })

  it('cannot make an order whose total is beyond all balances', async () => {
    const { order, buyer, core } = await shop()
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 1e9 })
    await refused(order(buyer, { ipCount: 500, duration: 10, unit: 4 }), 'validation_error')
  })
})
