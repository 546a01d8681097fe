import { expect, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { type KillPoint, killPoints } from './kill-points.ts'
import { PATIENCE } from './patience.ts'
import { AGENT } from './product.ts'
import { openShopToKill } from './shop-to-kill.ts'
import { hang, type Received, status, verified, webhookReceiver } from './webhook-receiver.ts'

const EVENT = '^insert into "webhook_deliveries"'
const RESULT = '^update "webhook_deliveries" set "status"'
const TYPES = ['order.created', 'order.ready']

/** A kill on the way of an order, its completion and the two deliveries of what happened. */
interface Kill {
  readonly point: KillPoint | 'while the receiver has it'
  /** Whether something comes twice: what was on its way, or had arrived without being noted. */
  readonly repeats: 'no' | 'once' | 'perhaps'
}

/** Before the first result is stored, the first of the two events may be on its way. */
export const KILLS: readonly Kill[] = [
  { point: { statement: EVENT, count: 1, moment: 'before' }, repeats: 'no' },
  { point: { statement: EVENT, count: 1, moment: 'committed' }, repeats: 'perhaps' },
  { point: { statement: EVENT, count: 2, moment: 'before' }, repeats: 'perhaps' },
  { point: { statement: EVENT, count: 2, moment: 'committed' }, repeats: 'perhaps' },
  { point: { statement: RESULT, count: 1, moment: 'before' }, repeats: 'once' },
  { point: { statement: RESULT, count: 1, moment: 'committed' }, repeats: 'no' },
  { point: { statement: RESULT, count: 2, moment: 'before' }, repeats: 'once' },
  { point: 'while the receiver has it', repeats: 'once' },
]
const TIMES = { no: [0], once: [1], perhaps: [0, 1] }

/** Kills a shop at steps of webhooks: no event is lost, and what is repeated has its id. */
export async function proveKillsOfWebhooks(kills: readonly Kill[]): Promise<void> {
  const points = await killPoints()
  const shop = await openShopToKill(
    [{ ...AGENT, balance: 100 }],
    { ...points.settings, WEBHOOK_LOOPBACK: 'on' },
    async ({ operator }) => {
      await operator.addProduct(SHELL, { productNo: 'ISP', names: { en: 'ISP', zh: 'ISP' }, price: 1 })
      const seats = kills.map((_, seat) => `ISP,192.0.2.${seat + 1},8000,user${seat},secret,US,NY,USNYC,`)
      const head = 'product_no,ip,port,username,password,country_code,state,city_code,cidr'
      await operator.importStock(SHELL, [head, ...seats].join('\n'))
    },
  )
  let running = await shop.start()
  let token = ''
  const post = async (path: string, body: object, key = '') => {
    const headers = {
      'content-type': 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(key !== '' && { 'idempotency-key': key }),
    }
    const answer = await fetch(`${running.address}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { code: number; data: { token: string; secret: string } }
  }
  token = (await post('/auth/login', AGENT)).data.token
  const receiver = await webhookReceiver()
  const { secret } = (await post('/open/app/user/webhooks', { url: receiver.url })).data

  const { rows } = shop.beside
  const isSettled = async () =>
    (await rows(`SELECT 1 FROM static_orders WHERE status = 'processing'`)).length === 0 &&
    (await rows(`SELECT 1 FROM webhook_deliveries WHERE status <> 'delivered'`)).length === 0

  for (const [index, { point, repeats }] of kills.entries()) {
    const before = receiver.received.length
    const order = { poolId: 'ISP', userId: shop.ids[0], ipCount: 1, duration: 1, unit: 3 }
    const terms = { orderType: 'static_proxy', unitPrice: 0, totalAmount: 0, cycleTimes: 1, ...order }
    const buy = () => post('/open/app/static/order/create-standard/v2', terms, `order ${index}`)
    if (point === 'while the receiver has it') {
      receiver.answer(hang)
      await buy()
      await receiver.got(before + 1)
      receiver.answer(status(204))
    } else {
      points.set(point)
      // The answer may be lost.
      await Promise.allSettled([buy()])
      await vi.waitUntil(() => !points.isSet(), PATIENCE)
    }
    await running.kill()
    running = await shop.start()
    expect(await buy()).toMatchObject({ code: 0 })
    await vi.waitUntil(isSettled, PATIENCE)
    expect(TIMES[repeats], JSON.stringify(point)).toContain(receiver.received.length - before - TYPES.length)
  }
  const orders = await rows<{ orderNo: string }>(
    'SELECT order_no AS "orderNo" FROM static_orders ORDER BY id',
  )
  expect(orders).toHaveLength(kills.length)
  const firsts = new Map<string, Received>()
  for (const one of receiver.received) {
    expect(verified(one, secret)).toMatchObject({ type: one.type })
    const first = firsts.get(one.id) ?? one
    expect(one.body).toBe(first.body)
    firsts.set(one.id, first)
  }
  const told = [...firsts.values()].map(({ type, data }) => `${String(data['order_no'])} ${type}`)
  expect(told).toEqual(orders.flatMap(({ orderNo }) => TYPES.map((type) => `${orderNo} ${type}`)))
  const deliveries = await rows<{ messageId: string }>(
    'SELECT message_id AS "messageId" FROM webhook_deliveries ORDER BY id',
  )
  expect([...firsts.keys()]).toEqual(deliveries.map(({ messageId }) => messageId))
}
