import { describe, expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { type Answer, expectRefusal, openApi, outcomes } from '../support/api.ts'
import { numbersOf } from '../support/renewed.ts'

const TOGETHER = '/open/app/static/renew'
const AUTO = '/open/app/static/auto-renew'
const KEY = { headers: { 'idempotency-key': 'all' } }

interface Renewal {
  readonly order_no: string
  readonly amount: number
  readonly instances: readonly { readonly new_expire_time: string }[]
}

const renewalsIn = ({ body }: Answer) =>
  (body.data as unknown as { readonly renewals: readonly Renewal[] }).renewals

/** A buyer with orders of 2 and of 3 proxies at 5 each, 4 from the fourth on, whose time for a refund is over. */
async function shop({ counts = [2, 3], balance = 100 } = {}) {
  const api = await openApi()
  await api.product('static', { price: 5 })
  await api.core.operator.setPrice(SHELL, { productNo: 'static', price: 4, minQuantity: 4 })
  await api.stock('static', 20, { city: 'USNYC' })
  const seller = await api.agent({ name: 'seller', balance: 1000 })
  const buyer = await api.customer(seller, { name: 'buyer', balance })
  const orders = []
  for (const ipCount of counts) orders.push((await api.order(buyer, { ipCount })).orderNo)
  await api.runJobs()
  api.clock.advance(25 * 3_600_000)
  const numbers = await Promise.all(orders.map((orderNo) => numbersOf(api, buyer, orderNo)))
  return { ...api, seller, buyer, orders, numbers, client: await api.as(buyer) }
}

describe('renewing proxies of several orders', () => {
  test('prices those of one product by their number together, in a renewal for each order', async () => {
    const { client, numbers, orders, balance, buyer, audited, core } = await shop()
    const before = await balance(buyer)
    const instances = [...(numbers[0] ?? []), ...(numbers[1] ?? []).slice(1)]
    const answer = await client.post(TOGETHER, { instances, duration: 1, unit: 3 })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ total_amount: 16, balance: before - 16 })
    expect(
      renewalsIn(answer).map(({ order_no, amount, instances }) => [order_no, amount, instances.length]),
    ).toEqual([
      [orders[0], 8, 2],
      [orders[1], 8, 2],
    ])
    expect(await balance(buyer)).toBe(before - 16)
    const [first] = (await core.orders.getStatic(buyer, { orderNo: orders[1] ?? '' })).instances
    expect(first?.expireTime).toBe('2026-04-01T12:00:00.000Z')
    await audited()
  })

  test('without a term, each by that of its order', async () => {
    const { as, numbers, order, buyer, runJobs, clock, core } = await shop({ counts: [1] })
    const { orderNo } = await order(buyer, { ipCount: 1, duration: 3, unit: 3 })
    await runJobs()
    clock.advance(25 * 3_600_000)
    const [second = ''] = await numbersOf({ core }, buyer, orderNo)
    const client = await as(buyer)
    const answer = await client.post(TOGETHER, { instances: [second, ...(numbers[0] ?? [])] })
    expect(renewalsIn(answer).map(({ instances: [one] }) => one?.new_expire_time)).toEqual([
      '2026-05-01T12:00:00.000Z',
      '2026-09-02T13:00:00.000Z',
    ])
  })

  test('what can still be given back does not lower the price of the rest', async () => {
    const { client, numbers, order, buyer, runJobs, core, audited } = await shop({ counts: [2] })
    const { orderNo } = await order(buyer, { ipCount: 3 })
    await runJobs()
    const fresh = await numbersOf({ core }, buyer, orderNo)
    const answer = await client.post(TOGETHER, { instances: [...(numbers[0] ?? []), ...fresh] })
    expect(renewalsIn(answer).map(({ amount }) => amount)).toEqual([10, 15])
    await audited()
  })

  test('renews all of them or none', async () => {
    const { client, numbers, orders, balance, buyer, core, audited } = await shop({ balance: 40 })
    const before = await balance(buyer)
    const instances = numbers.flat()
    expectRefusal(await client.post(TOGETHER, { instances, totalAmount: 19 }), 409, 'price_changed')
    const short = await client.post(TOGETHER, { instances })
    expectRefusal(short, 402, 'insufficient_balance')
    expect(short.body.data).toEqual({ required: 20, balance: before, shortfall: 20 - before })
    await core.orders.cancelStatic(buyer, { orderNo: orders[0] ?? '' })
    expectRefusal(await client.post(TOGETHER, { instances: instances.slice(0, 3) }), 409, 'invalid_state')
    expectRefusal(await client.post(TOGETHER, { instances: ['nothing'] }), 404, 'instance_not_found')
    expect(await balance(buyer)).toBe(before)
    await audited()
  })

  test('refuses proxies of two users, and those of a stranger', async () => {
    const { as, order, seller, agent, numbers, runJobs, core } = await shop({ counts: [1] })
    const { orderNo } = await order(seller, { ipCount: 1 })
    await runJobs()
    const own = await numbersOf({ core }, seller, orderNo)
    const client = await as(seller)
    expectRefusal(
      await client.post(TOGETHER, { instances: [...own, ...numbers.flat()] }),
      422,
      'validation_error',
    )
    expect((await client.post(TOGETHER, { instances: numbers.flat() })).status).toBe(200)
    const stranger = await as(await agent({ name: 'rival' }))
    expectRefusal(await stranger.post(TOGETHER, { instances: own }), 404, 'instance_not_found')
  })

  test('once for each key, however many ask at the same time', async () => {
    const { client, numbers, balance, buyer, db, audited } = await shop()
    const before = await balance(buyer)
    const body = { instances: numbers.flat() }
    const answers = await Promise.all([1, 2, 3].map(() => client.post(TOGETHER, body, KEY)))
    expect(outcomes(answers)).toEqual({ ok: 3 })
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(2)
    expect(await balance(buyer)).toBe(before - 20)
    expect(await db.read.renewal.count()).toBe(2)
    expectRefusal(await client.post(TOGETHER, { instances: numbers[0] }, KEY), 409, 'idempotency_conflict')
    await audited()
  })
})

test('proxies of several orders renew themselves, or do not, in one request', async () => {
  const { client, numbers, orders, buyer, core } = await shop()
  const instances = [numbers[0]?.[0] ?? '', ...(numbers[1] ?? [])]
  expect((await client.patch(AUTO, { auto_renew: true, instances })).body.data).toEqual({
    auto_renew: true,
    count: 4,
  })
  const flags = async () =>
    Promise.all(
      orders.map(async (orderNo) => {
        const { autoRenew, instances: all } = await core.orders.getStatic(buyer, { orderNo })
        return [autoRenew, all.filter((each) => each.autoRenew).length]
      }),
    )
  expect(await flags()).toEqual([
    [true, 1],
    [true, 3],
  ])
  await client.patch(AUTO, { auto_renew: false, instances: numbers[0] })
  expect(await flags()).toEqual([
    [false, 0],
    [true, 3],
  ])
  await core.orders.cancelStatic(buyer, { orderNo: orders[0] ?? '' })
  expectRefusal(
    await client.patch(AUTO, { auto_renew: false, instances: numbers.flat() }),
    409,
    'invalid_state',
  )
  expect((await flags())[1]).toEqual([true, 3])
})
