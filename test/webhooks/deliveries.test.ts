import { expect, test, vi } from 'vitest'
import { refused } from '../support/service.ts'
import { PATIENCE } from '../support/patience.ts'
import { hang, status, verified, webhookReceiver } from '../support/webhook-receiver.ts'
import { openWebhookShop, WEBHOOKS } from '../support/webhook-shop.ts'

const HOUR = 3_600_000

test('What happens to an order reaches its webhook in order, signed as Standard Webhooks says', async () => {
  const shop = await openWebhookShop()
  const receiver = await webhookReceiver()
  const { id, secret } = await shop.make(receiver.url)
  const { orderNo } = await shop.order(shop.user, { ipCount: 2 })
  await shop.runJobs()
  await shop.client.post(`/open/app/static/order/${orderNo}/cancel`, {})
  const received = await receiver.got(3)
  expect(receiver.types()).toEqual(['order.created', 'order.ready', 'order.released'])
  for (const one of received) {
    expect(verified(one, secret)).toMatchObject({ type: one.type, data: { order_no: orderNo } })
    expect(one.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'proxy-reseller/test',
      'webhook-id': expect.stringMatching(/^msg_[0-9A-Z]{26}$/) as string,
    })
    expect(() => verified({ ...one, body: `${one.body} ` }, secret)).toThrow()
  }
  expect(received.map(({ data }) => data['status'])).toEqual(['processing', 'active', 'cancelled'])
  expect(received[1]?.data).toEqual({
    order_type: 'static',
    order_no: orderNo,
    app_order_no: expect.any(String) as string,
    product_no: 'static',
    user_id: shop.user.id,
    username: shop.user.username,
    status: 'active',
    ip_count: 2,
    success_count: 2,
    traffic_amount: null,
    amount: 2,
    refunded_amount: 0,
    expire_time: expect.any(String) as string,
  })
  await vi.waitUntil(async () => (await shop.log(id, { status: 'delivered' })).length === 3, PATIENCE)
  const log = await shop.log(id)
  expect(log.map(({ event }) => event.type)).toEqual(['order.released', 'order.ready', 'order.created'])
  expect(log.map(({ messageId }) => messageId)).toEqual(received.map(({ id: each }) => each).toReversed())
  expect(JSON.stringify(received)).not.toContain('secret')
})

test('An agent hears of its sub-users, each only what it has chosen, and nobody of strangers', async () => {
  const shop = await openWebhookShop()
  const [ofAgent, ofUser] = [await webhookReceiver(), await webhookReceiver()]
  await shop.make(ofAgent.url, {}, shop.agentClient)
  await shop.make(ofUser.url, { events: ['renewal.*', 'order.ready'] })
  const stranger = await shop.customer(await shop.agent(), { balance: 10 })
  await shop.buyTraffic(stranger)
  await shop.buyTraffic(shop.user)
  // Events of other subjects may overtake them.
  await Promise.all([ofUser.got(1), ofAgent.got(2)])
  await shop.agentClient.patch(`/open/app/agent/sub-users/${shop.user.id}/status`, { status: 'disabled' })
  await ofAgent.got(3)
  expect(ofAgent.types()).toEqual(['order.created', 'order.ready', 'sub_user.disabled'])
  expect(ofUser.types()).toEqual(['order.ready'])
  expect(ofAgent.received.every(({ data }) => data['user_id'] === shop.user.id)).toBe(true)
})

test('A later event of an order waits for the earlier one; other orders do not', async () => {
  const shop = await openWebhookShop()
  const receiver = await webhookReceiver(status(500))
  const { id } = await shop.make(receiver.url)
  const { orderNo } = await shop.order(shop.user)
  await shop.runJobs()
  await receiver.got(1)
  await vi.waitUntil(async () => (await shop.log(id)).some(({ attempts }) => attempts === 1), PATIENCE)
  receiver.answer(status(204))
  await shop.buyTraffic(shop.user)
  await receiver.got(3)
  expect(receiver.types()).toEqual(['order.created', 'order.created', 'order.ready'])
  const waiting = await vi.waitUntil(async () => {
    const log = await shop.log(id, { status: 'waiting' })
    return log.length === 2 && log
  }, PATIENCE)
  expect(waiting).toMatchObject([
    { event: { type: 'order.ready', facts: { orderNo } }, attempts: 0, nextAt: null },
    {
      event: { type: 'order.created' },
      attempts: 1,
      responseStatus: 500,
      nextAt: expect.any(String) as string,
    },
  ])
  shop.later(6_000)
  await receiver.got(5)
  expect(receiver.received.slice(3).map(({ type, data }) => [type, data['order_no']])).toEqual([
    ['order.created', orderNo],
    ['order.ready', orderNo],
  ])
  // The repetition can be told by its id.
  expect(receiver.received[3]?.id).toBe(receiver.received[0]?.id)
})

test('A delivery is repeated for three days with growing pauses, then given up, and the next one of its subject sent', async () => {
  const shop = await openWebhookShop()
  const receiver = await webhookReceiver(status(503))
  const { id } = await shop.make(receiver.url)
  await shop.order(shop.user)
  await shop.runJobs()
  const begun = shop.clock.now().getTime()
  for (let attempt = 1; attempt < 14; attempt += 1) {
    const [, first] = await vi.waitUntil(async () => {
      const log = await shop.log(id)
      return log[1]?.attempts === attempt && log
    }, PATIENCE)
    shop.later(Date.parse(first?.nextAt ?? '') - shop.clock.now().getTime())
  }
  const [second, first] = await vi.waitUntil(async () => {
    const log = await shop.log(id)
    return log[0]?.attempts === 1 && log
  }, PATIENCE)
  expect(first).toMatchObject({ status: 'failed', attempts: 14, nextAt: null, responseStatus: 503 })
  expect(second).toMatchObject({ status: 'waiting', attempts: 1 })
  const days = (shop.clock.now().getTime() - begun) / (24 * HOUR)
  expect(days).toBeGreaterThan(2.99)
  expect(days).toBeLessThan(3.31)
})

test('Retry-After is kept to, redirections are not followed, and a receiver that hangs is left in time', async () => {
  const shop = await openWebhookShop({ answerMs: 1_500 })
  const other = await webhookReceiver()
  const receiver = await webhookReceiver(status(429, { 'retry-after': '3600' }))
  const { id } = await shop.make(receiver.url)
  const tested = async () => {
    const { messageId } = await shop.test(id)
    return vi.waitUntil(
      async () => (await shop.log(id)).find((one) => one.messageId === messageId && one.attempts === 1),
      PATIENCE,
    )
  }
  const limited = await tested()
  expect(Date.parse(limited.nextAt ?? '') - shop.clock.now().getTime()).toBe(HOUR)
  receiver.answer(status(307, { location: other.url }))
  expect(await tested()).toMatchObject({ status: 'waiting', responseStatus: 307 })
  expect(other.received).toEqual([])
  receiver.answer(hang)
  expect(await tested()).toMatchObject({ status: 'waiting', responseStatus: null, error: 'timeout' })
  // The head has come: that is an answer, however long the rest takes.
  receiver.answer((response) => response.writeHead(200).write('…'))
  expect(await tested()).toMatchObject({ status: 'delivered', responseStatus: 200 })
  // A body without end is not read to its end.
  receiver.answer((response) => {
    response.writeHead(200)
    const more = () => response.write('x'.repeat(65_536), () => response.destroyed || setImmediate(more))
    more()
  })
  expect(await tested()).toMatchObject({ status: 'delivered', responseStatus: 200 })
})

test('A receiver that answers 410 is not called again, and its account is told', async () => {
  const shop = await openWebhookShop()
  const receiver = await webhookReceiver(status(410))
  const { id } = await shop.make(receiver.url)
  await shop.buyTraffic(shop.user)
  await vi.waitUntil(async () => (await shop.webhook(id)).status === 'gone', PATIENCE)
  await shop.buyTraffic(shop.user)
  shop.later(HOUR)
  expect(receiver.received).toHaveLength(1)
  receiver.answer(status(200))
  const on = await shop.client.patch(`${WEBHOOKS}/${id}`, { enabled: true })
  expect(on.body.data).toMatchObject({ status: 'active', failing_since: null })
  // What waited is sent; what happened while it was off was not kept.
  await receiver.got(3)
  expect(receiver.types()).toEqual(['order.created', 'order.created', 'order.ready'])
})

test('A webhook to which nothing could be delivered for a week is switched off', async () => {
  const shop = await openWebhookShop()
  const receiver = await webhookReceiver(status(500))
  const { id } = await shop.make(receiver.url)
  await shop.test(id)
  await vi.waitUntil(async () => (await shop.webhook(id)).failingSince, PATIENCE)
  shop.later(7 * 24 * HOUR - 1000)
  await receiver.got(2)
  await vi.waitUntil(async () => (await shop.log(id))[0]?.attempts === 2, PATIENCE)
  expect(await shop.webhook(id)).toMatchObject({ status: 'active' })
  await shop.test(id)
  shop.later(2000)
  await vi.waitUntil(async () => (await shop.webhook(id)).status === 'failing', PATIENCE)
  await refused(shop.test(id), 'invalid_state', { status: 'failing' })
})

test('After a rotation both secrets sign for a day, then the new one alone', async () => {
  const shop = await openWebhookShop()
  const receiver = await webhookReceiver()
  const { id, secret } = await shop.make(receiver.url)
  const rotated = (await shop.client.post(`${WEBHOOKS}/${id}/secret`)).body.data as unknown as {
    readonly secret: string
  }
  expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(rotated.secret).not.toBe(secret)
  await shop.test(id)
  const [both] = await receiver.got(1)
  if (!both) throw new Error('nothing came')
  for (const each of [secret, rotated.secret])
    expect(verified(both, each)).toMatchObject({ type: 'webhook.test' })
  const ago = shop.clock.now()
  vi.useFakeTimers({ toFake: ['Date'], now: ago.getTime() + 24 * HOUR + 1000 })
  shop.later(24 * HOUR + 1000)
  await shop.test(id)
  const [, alone] = await receiver.got(2)
  if (!alone) throw new Error('nothing came')
  expect(verified(alone, rotated.secret)).toMatchObject({ type: 'webhook.test' })
  expect(() => verified(alone, secret)).toThrow()
  vi.useRealTimers()
})

test('What was given up can be sent again, one by one or all since a time, in order and with the same ids', async () => {
  const shop = await openWebhookShop()
  const receiver = await webhookReceiver(status(500))
  const { id } = await shop.make(receiver.url)
  const { orderNo } = await shop.order(shop.user)
  await shop.runJobs()
  await shop.buyTraffic(shop.user)
  await vi.waitUntil(
    async () => (await shop.log(id)).filter((one) => one.attempts === 1).length === 2,
    PATIENCE,
  )
  // Three days later.
  const givenUp = { status: 'failed', nextAt: null } as const
  await shop.db.write((tx) => tx.webhookDelivery.updateMany({ data: givenUp }))
  const failed = await shop.log(id)
  expect(failed.map((one) => one.status)).toEqual(['failed', 'failed', 'failed', 'failed'])
  receiver.answer(status(200))
  receiver.received.length = 0
  const last = failed[0]?.messageId ?? ''
  const client = await shop.as(shop.user)
  const again = await client.post(`${WEBHOOKS}/${id}/deliveries/${last}/replay`)
  expect(again.body.data).toMatchObject({
    message_id: last,
    status: 'waiting',
    attempts: 0,
  })
  await receiver.got(1)
  await vi.waitUntil(async () => (await shop.log(id, { status: 'delivered' })).length === 1, PATIENCE)
  const all = await client.post(`${WEBHOOKS}/${id}/deliveries/replay`, { since: '2020-01-01T00:00:00Z' })
  expect(all.body.data).toEqual({ count: 3 })
  await receiver.got(4)
  expect(receiver.received.map((one) => one.id).toSorted()).toEqual(
    failed.map((one) => one.messageId).toSorted(),
  )
  const ofOrder = receiver.received.filter(({ data }) => data['order_no'] === orderNo)
  expect(ofOrder.map(({ type }) => type)).toEqual(['order.created', 'order.ready'])
  const none = await client.post(`${WEBHOOKS}/${id}/deliveries/replay`, {
    since: '2999-01-01T00:00:00Z',
  })
  expect(none.body.data).toEqual({ count: 0 })
  const wrong = await client.post(`${WEBHOOKS}/${id}/deliveries/replay`, { since: 'yesterday' })
  expect(wrong).toMatchObject({
    status: 422,
    body: { data: { errors: [{ field: 'since', rule: 'not_a_time' }] } },
  })
})

test('Under one Idempotency-Key a test is sent once, and a delivery sent again once', async () => {
  const shop = await openWebhookShop()
  const receiver = await webhookReceiver()
  const { id } = await shop.make(receiver.url)
  const tried = async (path: string, key: string) =>
    shop.client.post(`${WEBHOOKS}/${id}/${path}`, undefined, { headers: { 'idempotency-key': key } })
  const [first, second] = [await tried('test', 'one'), await tried('test', 'one')]
  expect(second.body.data).toEqual(first.body.data)
  expect(second.headers['idempotency-replayed']).toBe('true')
  await vi.waitUntil(async () => (await shop.log(id, { status: 'delivered' })).length === 1, PATIENCE)
  const replay = `deliveries/${receiver.received[0]?.id}/replay`
  expect((await tried(replay, 'one')).status).toBe(409)
  expect((await tried(replay, 'two')).status).toBe(200)
  await vi.waitUntil(async () => (await shop.log(id, { status: 'delivered' })).length === 1, PATIENCE)
  expect((await tried(replay, 'two')).headers['idempotency-replayed']).toBe('true')
  await shop.test(id)
  // The last one came, and nothing between.
  await receiver.got(3)
  expect(new Set(receiver.received.map((one) => one.id)).size).toBe(2)
  expect(receiver.received).toHaveLength(3)
})
