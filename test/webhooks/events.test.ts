import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { endCall } from '../support/end-call.ts'
import { batch, trafficShop, used } from '../support/gateway-wire.ts'
import { openService } from '../support/service.ts'
import { suppliedOrder, withAcme } from '../support/supplied-order.ts'
import { openShop } from '../support/top-ups.ts'
import { withoutFigures } from '../support/masked.ts'
import { FIRST_BODIES, listening, type Told } from '../support/webhook-log.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const GB = 1e9
const typesOf = (events: readonly Told[]) => events.map(({ type }) => type)

test('A renewal by a supplier is told when it is paid and when it has ended, with what was given back', async () => {
  const service = await openService(withAcme())
  const { core, runJobs } = service
  const buyer = await service.agent({ balance: 100 })
  const { orderNo, answers } = await suppliedOrder(service, buyer, {
    supplierExpireTime: '2026-04-01T12:00:00.000Z',
  })
  const told = await listening(service, buyer)
  const renew = () => core.orders.renewStatic(buyer, { order: { orderNo }, appOrderNo: `mine ${orderNo}` })

  const { renewOrderNo } = await renew()
  const renewal = {
    renew_order_no: renewOrderNo,
    app_order_no: `mine ${orderNo}`,
    order_no: orderNo,
    user_id: buyer.id,
    username: buyer.username,
    automatic: false,
    count: 3,
    amount: 3,
  }
  const ended = { renewed_count: 3, refunded_amount: 0, reason: null }
  expect(await told()).toMatchObject([
    { type: 'renewal.processing', data: { ...renewal, status: 'processing', renewed_count: 0 } },
  ])
  await endCall(service, renewOrderNo, {
    instances: await answers([0, 1, 2], { expireTime: '2026-06-01T00:00:00Z' }),
    cost: 1_800_000,
  })
  await runJobs()
  expect(await told()).toMatchObject([
    { type: 'renewal.success', data: { ...renewal, ...ended, status: 'success' } },
  ])

  const again = await core.orders.renewStatic(buyer, { order: { orderNo } })
  await endCall(service, again.renewOrderNo, { reason: 'no such product' })
  await runJobs()
  expect(await told()).toMatchObject([
    { type: 'renewal.processing' },
    {
      type: 'renewal.failed',
      data: {
        renew_order_no: again.renewOrderNo,
        status: 'failed',
        renewed_count: 0,
        refunded_amount: 3,
        reason: 'no such product',
      },
    },
  ])
})

test('Automatic renewals: that the balance will not do, a refusal and its success are told, each once', async () => {
  const service = await openService()
  const { core, clock, runJobs } = service
  await service.product('static')
  await service.stock('static', 1)
  const buyer = await service.agent({ name: 'buyer', balance: 1.5 })
  const { orderNo } = await service.order(buyer)
  await runJobs()
  await core.orders.setAutoRenew(buyer, { orderNo, autoRenew: true })
  const told = await listening(service, buyer)
  const lookAround = async () => {
    for (const sweep of core.jobs.noticeSweeps) await sweep()
  }

  clock.set('2026-03-28T12:00:00.000Z')
  await lookAround()
  clock.advance(HOUR)
  await lookAround()
  expect(await told()).toMatchObject([
    {
      type: 'balance.low',
      data: { user_id: buyer.id, balance: 0.5, needed: 1, until: '2026-04-01T12:00:00.000Z' },
    },
  ])
  clock.set('2026-04-01T11:00:00.000Z')
  await runJobs()
  clock.advance(5 * 60_000)
  await runJobs()
  expect(await told()).toMatchObject([
    {
      type: 'renewal.failed',
      data: { renew_order_no: null, order_no: orderNo, automatic: true, reason: 'insufficient_balance' },
    },
  ])
  await core.operator.adjustBalance(SHELL, { username: 'buyer', amount: 2, remark: 'top-up' })
  clock.advance(10 * 60_000)
  await runJobs()
  expect(await told()).toMatchObject([
    { type: 'renewal.success', data: { order_no: orderNo, automatic: true, renewed_count: 1, amount: 1 } },
  ])
  clock.advance(32 * DAY)
  await core.orders.setAutoRenew(buyer, { orderNo, autoRenew: false })
  await runJobs()
  expect(typesOf(await told())).toEqual(['order.expired'])
})

test('A top-up is told from its opening to the credit, and when it expires or is cancelled', async () => {
  const shop = await openShop()
  const user = await shop.customer(await shop.agent())
  const told = await listening(shop, user)
  const topUp = await shop.open(user, '100', { client_order_no: 'mine' })
  shop.pay(topUp)
  await shop.settle()
  const about = {
    order_no: topUp.order_no,
    client_order_no: 'mine',
    user_id: user.id,
    amount: '100.00',
    pay_amount: topUp.pay_amount,
    credit_amount: topUp.credit_amount,
    late: false,
  }
  expect(await told()).toMatchObject([
    { type: 'top_up.created', data: { ...about, status: 'pending' } },
    { type: 'top_up.confirming', data: { ...about, status: 'confirming' } },
    { type: 'top_up.paid', data: { ...about, status: 'paid' } },
  ])
  const cancelled = await shop.open(user, '20')
  await (await shop.as(user)).post('/usdt/cancel-order', { order_no: cancelled.order_no })
  await shop.open(user, '30')
  shop.clock.advance(2 * DAY)
  await shop.scan()
  await shop.core.jobs.expireTopUps()
  expect(typesOf(await told())).toEqual([
    'top_up.created',
    'top_up.cancelled',
    'top_up.created',
    'top_up.expired',
  ])
})

test('Traffic that is nearly and all used up is told once each, and again after more was bought', async () => {
  const shop = await trafficShop()
  const { seller, main, sub, gateway, core } = shop
  const told = await listening(shop, seller)
  let sequence = 0
  const use = (bytes: number, account = main) =>
    gateway.count(batch((sequence += 1), { items: [used(account, bytes)] }))
  await use(7.9 * GB)
  expect(await told()).toEqual([])
  await use(0.1 * GB)
  await use(0.1 * GB, sub.username)
  expect(await told()).toMatchObject([
    { type: 'traffic.low', data: { product_no: 'traffic', user_id: seller.id, used: 8, total: 10 } },
  ])
  await use(1.9 * GB, sub.username)
  expect(await told()).toMatchObject([{ type: 'traffic.exhausted', data: { used: 10, total: 10 } }])
  await core.orders.createDynamic(seller, { poolId: 'traffic', trafficAmount: 10 })
  await use(6.5 * GB)
  expect(typesOf(await told())).toEqual(['order.created', 'order.ready', 'traffic.low'])
})

test('No body comes near to 16 KiB, whatever a supplier says', async () => {
  const service = await openService(withAcme())
  const buyer = await service.agent({ name: 'b'.repeat(32), balance: 100 })
  const { orderNo } = await suppliedOrder(service, buyer)
  const told = await listening(service, buyer)
  const order = { orderNo }
  const { renewOrderNo } = await service.core.orders.renewStatic(buyer, {
    order,
    appOrderNo: '\u{1f5c4}'.repeat(32),
  })
  await endCall(service, renewOrderNo, { reason: '\u0001'.repeat(500) })
  await service.runJobs()
  const [, failed] = await told()
  expect(failed).toMatchObject({ type: 'renewal.failed', data: { reason: '\u0001'.repeat(500) } })
  expect(Buffer.byteLength(JSON.stringify(failed))).toBeLessThan(16_384)
})

test('A body of each type has the fields that it had', async () => {
  const bodies = [...FIRST_BODIES.values()].toSorted((one, other) => (one.type < other.type ? -1 : 1))
  await expect(withoutFigures(JSON.stringify(bodies, undefined, 2))).toMatchFileSnapshot('./bodies.txt')
})
