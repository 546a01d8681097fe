import { describe, expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { Actor } from '../../src/core/access/actor.ts'
import {
  type Answer,
  type Api,
  CREATE,
  expectRefusal,
  LIST,
  openApi,
  orderBody,
  outcomes,
  RENEW,
} from '../support/api.ts'
import { shared } from '../support/clean-up.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Instance {
  readonly instance_no: string
  readonly ip: string
  readonly status: string
  readonly expire_time: string
  readonly released_at: string | null
  readonly auto_renew: boolean
}

interface Order {
  readonly orderNo: string
  readonly status: string
  readonly expire_time: string | null
  readonly refunded_amount: number
  readonly renewed_amount: number
  readonly auto_renew: boolean
  readonly instances: readonly Instance[]
}

interface Renewal {
  readonly orderNo: string
  readonly renew_order_no: string
  readonly amount: number
  readonly balance: number
  readonly instances: readonly { instance_no: string; old_expire_time: string; new_expire_time: string }[]
}

interface Cancellation {
  readonly order_no: string
  readonly status: string
  readonly released_instances: readonly string[]
  readonly refund_amount: number
  readonly balance: number
}

const renewalOf = ({ body }: Answer) => body.data as unknown as Renewal
const cancellationOf = ({ body }: Answer) => body.data as unknown as Cancellation
const cancelPath = (orderNo: string) => `/open/app/static/order/${orderNo}/cancel`
const autoRenewPath = (orderNo: string) => `/open/app/static/order/${orderNo}/auto-renew`

/** Calls in the name of an account, which logs in again when the clock has outrun its token. */
function lasting({ as, clock }: Api, actor: Actor) {
  let session: { client: ReturnType<typeof as>; at: number } | undefined
  const client = () => {
    const now = clock.now().getTime()
    if (!session || Math.abs(now - session.at) >= DAY) session = { client: as(actor), at: now }
    return session.client
  }
  return {
    get: async (path: string) => (await client()).get(path),
    post: async (...call: Parameters<Awaited<ReturnType<typeof as>>['post']>) =>
      (await client()).post(...call),
    patch: async (path: string, payload: object) => (await client()).patch(path, payload),
  }
}

/** A buyer with an order that was delivered on 1 March 2026 at 12:00 and ends on 1 April. */
async function shop({ ipCount = 2, stock = 10, balance = 100, price = 1, product = {} } = {}) {
  const api = await openApi()
  await api.product('static', { price, ...product })
  await api.stock('static', stock, { city: 'USNYC' })
  const seller = await api.agent({ name: 'seller', balance: 20 })
  const buyer = await api.customer(seller, { name: 'buyer', balance })
  const client = lasting(api, buyer)
  const agentClient = lasting(api, seller)
  const buy = async (change: object = {}) => {
    const { orderNo } = (await client.post(CREATE, orderBody(buyer.id, { ipCount, ...change }))).body.data
    await api.runJobs()
    return orderNo
  }
  /** As the agent sees it: with the recycle bin. */
  const found = async (orderNo: string): Promise<Order> => {
    const [order] = (await agentClient.get(`${LIST}?orderNo=${orderNo}`)).body.data.items
    return order as unknown as Order
  }
  const orderNo = await buy()
  const numbers = (await found(orderNo)).instances.map(({ instance_no }) => instance_no)
  return { ...api, seller, buyer, client, agentClient, buy, found, orderNo, numbers }
}

/** For cases that change nothing. */
const standing = shared(shop)

describe('renewing', () => {
  test('a whole order for the 30 days that are one month prolongs every proxy and charges once', async () => {
    const { client, orderNo, numbers, found, balance, buyer, entries, audited } = await shop()
    const answer = await client.post(RENEW, { order_no: orderNo })
    expect(answer.status).toBe(200)
    const item = (instance_no = '') => ({
      instance_no,
      status: 'success',
      old_expire_time: '2026-04-01T12:00:00.000Z',
      new_expire_time: '2026-05-01T12:00:00.000Z',
    })
    expect(answer.body.data).toEqual({
      orderNo,
      order_no: orderNo,
      renew_order_no: expect.stringMatching(/^R\d{17}[0-9A-Z]{8}$/),
      status: 'success',
      fail_reason: null,
      amount: 2,
      refunded_amount: 0,
      instances: [item(numbers[0]), item(numbers[1])],
      balance: 96,
      user_id: buyer.id,
      username: 'buyer',
      automatic: false,
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
    })
    expect(await found(orderNo)).toMatchObject({
      status: 'active',
      expire_time: '2026-05-01T12:00:00.000Z',
      renewed_amount: 2,
    })
    expect(await balance(buyer)).toBe(96)
    expect((await entries(buyer)).at(-1)).toMatchObject({
      type: 'consumption',
      amount: -2_000_000,
      orderType: 'static',
      orderNo,
      source: `renewal:${renewalOf(answer).renew_order_no}`,
    })
    await audited()
  })

  test.each(['order_no', 'orderNo', 'order_id', 'application number'])(
    'finds the order by %s',
    async (by) => {
      const { client, buy } = await shop()
      const orderNo = await buy({ appOrderNo: 'mine' })
      const id = 2
      const key =
        by === 'order_id'
          ? { order_id: id }
          : { [by.includes(' ') ? 'order_no' : by]: by.includes(' ') ? 'mine' : orderNo }
      expect(renewalOf(await client.post(RENEW, key)).orderNo).toBe(orderNo)
    },
  )

  test('chosen proxies, as text or objects with a term of their own', async () => {
    const { client, orderNo, numbers, found, audited } = await shop({ ipCount: 3 })
    const answer = await client.post(RENEW, {
      orderNo,
      instances: [numbers[0], { instance_no: numbers[2], duration: 1, unit: 4 }],
      duration: 2,
      unit: 3,
    })
    expect(renewalOf(answer).amount).toBe(14)
    expect((await found(orderNo)).instances.map(({ expire_time }) => expire_time.slice(0, 10))).toEqual([
      '2026-06-01',
      '2026-04-01',
      '2027-04-01',
    ])
    expect((await found(orderNo)).expire_time).toBe('2027-04-01T12:00:00.000Z')
    await audited()
  })

  test('costs what a new order of as many IPs would cost the user, tiers included', async () => {
    const { client, agentClient, core, orderNo, numbers, buyer, seller, balance } = await shop({ ipCount: 3 })
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 0.8, username: 'buyer' })
    await core.operator.setPrice(SHELL, {
      productNo: 'static',
      price: 0.5,
      username: 'buyer',
      minQuantity: 3,
    })
    expect(renewalOf(await client.post(RENEW, { orderNo, instances: numbers.slice(1) })).amount).toBe(1.6)
    expect(renewalOf(await agentClient.post(RENEW, { orderNo })).amount).toBe(1.5)
    expect([await balance(buyer), await balance(seller)]).toEqual([93.9, 20])
  })

  test('ends on the last day of a shorter month', async () => {
    const { client, buy, clock } = await shop()
    clock.set('2027-12-31T08:00:00.000Z')
    const orderNo = await buy()
    const term = async (body: object) =>
      renewalOf(await client.post(RENEW, { orderNo, ...body })).instances[0]?.new_expire_time
    expect(await term({ duration: 1, unit: 3 })).toBe('2028-02-29T08:00:00.000Z')
    expect(await term({ duration: 1, unit: 4 })).toBe('2029-02-28T08:00:00.000Z')
  })

  test('twice at once with one number is one renewal, with two numbers two', async () => {
    const { client, orderNo, found, balance, buyer, audited } = await shop()
    const once = { orderNo, appOrderNo: 'once' }
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => client.post(RENEW, once)),
      client.post(RENEW, { orderNo }, { headers: { 'idempotency-key': 'once' } }),
    ])
    expect(outcomes(answers)).toEqual({ ok: 9 })
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    expect(await balance(buyer)).toBe(96)
    await Promise.all([client.post(RENEW, { orderNo }), client.post(RENEW, { orderNo })])
    expect(await balance(buyer)).toBe(92)
    expect((await found(orderNo)).expire_time).toBe('2026-07-01T12:00:00.000Z')
    expectRefusal(await client.post(RENEW, { ...once, duration: 60 }), 409, 'idempotency_conflict')
    expectRefusal(
      await client.post(CREATE, orderBody(buyer.id, { appOrderNo: 'once' })),
      409,
      'idempotency_conflict',
    )
    await client.post(CREATE, orderBody(buyer.id, { appOrderNo: 'order' }))
    expectRefusal(await client.post(RENEW, { orderNo, appOrderNo: 'order' }), 409, 'idempotency_conflict')
    await audited()
  })

  test('a number whose first use was refused for money can be used again', async () => {
    const { client, core, orderNo, audited } = await shop({ balance: 3 })
    const body = { orderNo, appOrderNo: 'later' }
    const poor = await client.post(RENEW, body)
    expectRefusal(poor, 402, 'insufficient_balance')
    expect(poor.body.data).toEqual({ required: 2, balance: 1, shortfall: 1 })
    await core.operator.adjustBalance(SHELL, { username: 'buyer', amount: 1, remark: 'top-up' })
    expect((await client.post(RENEW, body)).status).toBe(200)
    await audited()
  })

  test('a lower price of the client than ours refuses it', async () => {
    const { client, orderNo } = await shop({ price: 5 })
    const dearer = await client.post(RENEW, { orderNo, totalAmount: 9.99 })
    expectRefusal(dearer, 409, 'price_changed')
    expect(dearer.body.data).toEqual({ unit_price: 5, total_amount: 10 })
    expect((await client.post(RENEW, { orderNo, totalAmount: 10, unitPrice: 5 })).status).toBe(200)
  })

  test('brings an expired order back to life for 24 hours, from then on and not from its expiry, and no longer', async () => {
    const { client, orderNo, found, clock, runJobs, audited } = await shop()
    clock.set('2026-04-01T12:00:00.000Z')
    await runJobs()
    expect((await found(orderNo)).status).toBe('expired')
    clock.set('2026-04-02T11:59:59.999Z')
    await runJobs()
    await client.post(RENEW, { orderNo })
    expect(await found(orderNo)).toMatchObject({ status: 'active', expire_time: '2026-05-02T11:59:59.999Z' })
    await audited()
    clock.set('2026-05-03T11:59:59.999Z')
    const late = await client.post(RENEW, { orderNo })
    expectRefusal(late, 409, 'invalid_state')
    await runJobs()
    expectRefusal(await client.post(RENEW, { orderNo }), 409, 'invalid_state')
    await audited()
  })

  test('is refused where there is nothing to renew, with the reason', async () => {
    const { client, orderNo, numbers, buyer, agent, as, runJobs } = await shop()
    const processing = (await client.post(CREATE, orderBody(buyer.id))).body.data.orderNo
    expectRefusal(await client.post(RENEW, { orderNo: processing }), 409, 'order_processing')
    await runJobs()
    await client.post(cancelPath(orderNo), { instances: [numbers[0]] })
    const released = await client.post(RENEW, { orderNo, instances: [numbers[0]] })
    expectRefusal(released, 409, 'invalid_state')
    expect(released.body.data).toMatchObject({ instance_no: numbers[0], instance_status: 'released' })
    expect(renewalOf(await client.post(RENEW, { orderNo })).instances).toHaveLength(1)
    await client.post(cancelPath(orderNo))
    expectRefusal(await client.post(RENEW, { orderNo }), 409, 'invalid_state')
    expectRefusal(await client.post(RENEW, { orderNo, instances: ['I0'] }), 409, 'invalid_state')
    expectRefusal(
      await client.post(RENEW, { orderNo: processing, instances: ['I0'] }),
      404,
      'instance_not_found',
    )
    expectRefusal(
      await client.post(RENEW, { orderNo: processing, duration: 45 }),
      422,
      'duration_not_supported',
    )
    expectRefusal(
      await client.post(RENEW, { orderNo: processing, duration: 30, cycleTimes: 36, unit: 3 }),
      422,
      'duration_not_supported',
    )
    const stranger = await as(await agent())
    for (const key of [{ orderNo: processing }, { order_id: 1 }, { orderNo: 'S0' }])
      expectRefusal(await stranger.post(RENEW, key), 404, 'order_not_found')
  })

  test.each([
    [{}, 'order_no'],
    [{ order_id: '1' }, 'order_id'],
    [{ order_no: 'S', instances: [] }, 'instances'],
    [{ order_no: 'S', instances: ['I', 'I'] }, 'instances'],
    [{ order_no: 'S', instances: [{}] }, 'instances.0.instance_no'],
    [{ order_no: 'S', duration: -1 }, 'duration'],
    [{ order_no: 'S', unit: 2 }, 'unit'],
    [{ order_no: 'S', cycleTimes: 1.5 }, 'cycleTimes'],
    [{ order_no: 'S', totalAmount: 0.1 + 0.2 }, 'totalAmount'],
  ])('with a body like %j is refused', async (body, field) => {
    const { client } = standing()
    const answer = await client.post(RENEW, body)
    expectRefusal(answer, 422, 'validation_error')
    expect(answer.body.data.errors[0]?.field).toMatch(new RegExp(`^${field}|^instances`))
  })

  test('an agent does not renew for a sub-user who is disabled, who would pay', async () => {
    const { agentClient, orderNo, db, buyer } = await shop()
    await db.write((tx) => tx.account.update({ where: { id: buyer.id }, data: { status: 'disabled' } }))
    expectRefusal(await agentClient.post(RENEW, { orderNo }), 403, 'account_disabled')
  })
})

describe('cancelling', () => {
  test('inside the refund window gives back all that was paid, renewals included, and frees the addresses', async () => {
    const { client, core, orderNo, numbers, found, balance, buyer, clock, db, buy, audited } = await shop({
      stock: 2,
    })
    await client.post(RENEW, { orderNo, instances: [numbers[0]] })
    expect(await balance(buyer)).toBe(97)
    clock.advance(DAY)
    const answer = await client.post(cancelPath(orderNo), { reason: 'not needed' })
    expect(answer.body.data).toEqual({
      order_no: orderNo,
      status: 'cancelled',
      released_instances: numbers,
      refund_amount: 3,
      balance: 100,
    })
    const order = await found(orderNo)
    expect(order).toMatchObject({ status: 'cancelled', refunded_amount: 3, renewed_amount: 1 })
    expect(order.instances.map(({ status, released_at }) => [status, released_at])).toEqual(
      Array.from({ length: 2 }, () => ['released', '2026-03-02T12:00:00.000Z']),
    )
    expect(await db.read.stockIp.count({ where: { orderId: null } })).toBe(2)
    await core.operator.releaseResting(SHELL, { productNo: 'static' })
    const again = await found(await buy())
    expect(again.instances.map(({ ip }) => ip)).toEqual(order.instances.map(({ ip }) => ip))
    await audited()
  })

  test('after the window releases without a refund', async () => {
    const { client, orderNo, clock, balance, buyer, entries, audited } = await shop()
    clock.advance(DAY + 1)
    const answer = await client.post(cancelPath(orderNo))
    expect(cancellationOf(answer)).toMatchObject({ status: 'cancelled', refund_amount: 0, balance: 98 })
    expect(await balance(buyer)).toBe(98)
    expect((await entries(buyer)).map(({ type }) => type)).not.toContain('refund')
    await audited()
  })

  test('keeps to the window of the product', async () => {
    const { client, orderNo, clock } = await shop({ product: { refundHours: 72 } })
    clock.advance(3 * DAY)
    expect(cancellationOf(await client.post(cancelPath(orderNo))).refund_amount).toBe(2)
  })

  test('of some proxies leaves the order with the others', async () => {
    const { client, orderNo, numbers, found, audited } = await shop({ ipCount: 3 })
    await client.post(RENEW, { orderNo, instances: [numbers[1]] })
    const first = await client.post(cancelPath(orderNo), { instances: [{ instanceNo: numbers[1] }] })
    expect(cancellationOf(first)).toMatchObject({
      status: 'active',
      released_instances: [numbers[1]],
      refund_amount: 2,
    })
    expect(await found(orderNo)).toMatchObject({ status: 'active', expire_time: '2026-04-01T12:00:00.000Z' })
    const rest = await client.post(cancelPath(orderNo))
    expect(cancellationOf(rest)).toMatchObject({ status: 'cancelled', refund_amount: 2 })
    expect(cancellationOf(rest).released_instances).toEqual([numbers[0], numbers[2]])
    const again = await client.post(cancelPath(orderNo))
    expect(cancellationOf(again)).toEqual(cancellationOf(rest))
    await audited()
  })

  test('ten times at once refunds once, and every answer says the same', async () => {
    const { client, orderNo, balance, buyer, entries, audited } = await shop()
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.post(cancelPath(orderNo))))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
    expect(await balance(buyer)).toBe(100)
    expect((await entries(buyer)).filter(({ type }) => type === 'refund')).toHaveLength(1)
    await audited()
  })

  test('against a renewal at the same moment: whichever is first, the money is right', async () => {
    const { client, orderNo, balance, buyer, audited } = await shop()
    const [renewal, cancellation] = await Promise.all([
      client.post(RENEW, { orderNo }),
      client.post(cancelPath(orderNo)),
    ])
    expect(cancellation.status).toBe(200)
    expect([200, 409]).toContain(renewal.status)
    expect(await balance(buyer)).toBe(100)
    await audited()
  })

  test('while the order is processing, or has nothing to release, is refused', async () => {
    const { client, orderNo, numbers, buyer, clock, runJobs, seller, customer, as } = await shop()
    const processing = (await client.post(CREATE, orderBody(buyer.id))).body.data.orderNo
    expectRefusal(await client.post(cancelPath(processing)), 409, 'order_processing')
    await runJobs()
    expectRefusal(await client.post(cancelPath(processing), { instances: ['I0'] }), 404, 'instance_not_found')
    const sibling = await as(await customer(seller))
    for (const number of [orderNo, 'S0', '%'])
      expectRefusal(await sibling.post(cancelPath(encodeURIComponent(number))), 404, 'order_not_found')
    clock.set('2026-04-01T12:00:00.000Z')
    // Before the loop has come round: expiry is exact.
    expectRefusal(await client.post(cancelPath(orderNo)), 409, 'invalid_state')
    expectRefusal(await client.post(cancelPath(orderNo), { instances: [numbers[0]] }), 409, 'invalid_state')
  })

  test.each([{ instances: [] }, { instances: [5] }, { reason: 'x'.repeat(256) }, { instances: 'all' }, []])(
    'with a body like %j is refused',
    async (body) => {
      const { client, orderNo, found } = standing()
      expectRefusal(await client.post(cancelPath(orderNo), body), 422, 'validation_error')
      expect((await found(orderNo)).status).toBe('active')
    },
  )

  test('by the agent gives the money back to the user who paid', async () => {
    const { agentClient, orderNo, balance, buyer, seller } = await shop()
    expect(cancellationOf(await agentClient.post(cancelPath(orderNo))).balance).toBe(100)
    expect([await balance(buyer), await balance(seller)]).toEqual([100, 20])
  })
})

describe('renewing by itself', () => {
  test('happens shortly before the end, by the term that was bought, and once', async () => {
    const { client, orderNo, clock, runJobs, found, balance, buyer, audited } = await shop()
    const answer = await client.patch(autoRenewPath(orderNo), { auto_renew: true })
    expect(answer.body.data).toMatchObject({ orderNo, auto_renew: true })
    clock.set('2026-04-01T10:59:59.000Z')
    await runJobs()
    expect(await balance(buyer)).toBe(98)
    clock.set('2026-04-01T11:00:00.000Z')
    for (let round = 0; round < 3; round += 1) await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'active', expire_time: '2026-05-01T12:00:00.000Z' })
    expect(await balance(buyer)).toBe(96)
    clock.advance(-HOUR)
    await runJobs()
    clock.advance(DAY)
    await runJobs()
    expect(await balance(buyer)).toBe(96)
    await audited()
  })

  test('is tried until the end while the money is missing, and then left', async () => {
    const { client, core, orderNo, clock, runJobs, found, audited, db } = await shop({ balance: 2 })
    await client.patch(autoRenewPath(orderNo), { auto_renew: true })
    clock.set('2026-04-01T11:00:00.000Z')
    await runJobs()
    expect((await found(orderNo)).expire_time).toBe('2026-04-01T12:00:00.000Z')
    await core.operator.adjustBalance(SHELL, { username: 'buyer', amount: 2, remark: 'top-up' })
    clock.advance(5 * 60_000)
    await runJobs()
    expect((await found(orderNo)).expire_time).toBe('2026-05-01T12:00:00.000Z')
    clock.set('2026-05-01T11:30:00.000Z')
    await runJobs()
    clock.set('2026-05-01T12:00:00.000Z')
    await runJobs()
    expect((await found(orderNo)).status).toBe('expired')
    clock.advance(HOUR)
    await runJobs()
    expect(await db.read.job.count()).toBe(0)
    await audited()
  })

  test('also when nothing ran at the end of the term, but not long after it', async () => {
    const { client, orderNo, buy, clock, runJobs, found, balance, buyer, audited } = await shop()
    await client.patch(autoRenewPath(orderNo), { auto_renew: true })
    clock.set('2026-04-02T11:00:00.000Z')
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'active', expire_time: '2026-05-02T11:00:00.000Z' })
    const other = await buy()
    await client.patch(autoRenewPath(other), { auto_renew: true })
    expect(await balance(buyer)).toBe(94)
    clock.advance(400 * DAY)
    await runJobs()
    expect([(await found(orderNo)).status, (await found(other)).status]).toEqual(['expired', 'expired'])
    expect(await balance(buyer)).toBe(94)
    await audited()
  })

  test('is set for some proxies, for an order that is still processing, and taken back', async () => {
    const { client, orderNo, numbers, buyer, found, runJobs } = await shop()
    const some = await client.patch(autoRenewPath(orderNo), { auto_renew: true, instances: [numbers[1]] })
    expect(some.body.data).toMatchObject({
      auto_renew: true,
      instances: [{ auto_renew: false }, { auto_renew: true }],
    })
    const off = await client.patch(autoRenewPath(orderNo), { auto_renew: false, instances: [numbers[1]] })
    expect(off.body.data).toMatchObject({ auto_renew: false })
    const { orderNo: processing } = (await client.post(CREATE, orderBody(buyer.id))).body.data
    await client.patch(autoRenewPath(processing), { auto_renew: true })
    await runJobs()
    expect(await found(processing)).toMatchObject({ auto_renew: true, instances: [{ auto_renew: true }] })
    // With the last of its proxies that renews itself the order stops renewing itself.
    await client.patch(autoRenewPath(orderNo), { auto_renew: true, instances: [numbers[1]] })
    await client.post(cancelPath(orderNo), { instances: [numbers[1]] })
    expect(await found(orderNo)).toMatchObject({ status: 'active', auto_renew: false })
  })

  test('is not for those who may not, nor for what is over', async () => {
    const { client, orderNo, numbers, agent, as } = await shop()
    const stranger = await as(await agent())
    expectRefusal(await stranger.patch(autoRenewPath(orderNo), { auto_renew: true }), 404, 'order_not_found')
    expectRefusal(await client.patch(autoRenewPath(orderNo), { auto_renew: 'yes' }), 422, 'validation_error')
    const unknown = { auto_renew: true, instances: ['I0'] }
    expectRefusal(await client.patch(autoRenewPath(orderNo), unknown), 404, 'instance_not_found')
    await client.post(cancelPath(orderNo), { instances: [numbers[0]] })
    const released = { auto_renew: true, instances: [numbers[0]] }
    expectRefusal(await client.patch(autoRenewPath(orderNo), released), 409, 'invalid_state')
    await client.post(cancelPath(orderNo))
    expectRefusal(await client.patch(autoRenewPath(orderNo), { auto_renew: true }), 409, 'invalid_state')
  })

  test('does not charge an account that was disabled', async () => {
    const { client, orderNo, clock, runJobs, db, buyer, balance } = await shop()
    await client.patch(autoRenewPath(orderNo), { auto_renew: true })
    await db.write((tx) => tx.account.update({ where: { id: buyer.id }, data: { status: 'disabled' } }))
    clock.set('2026-04-01T11:30:00.000Z')
    await runJobs()
    expect(await balance(buyer)).toBe(98)
  })
})
