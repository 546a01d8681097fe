import { expect, test } from 'vitest'
import { expectRefusal, openApi, RENEW } from '../support/api.ts'
import { endCall } from '../support/end-call.ts'
import { suppliedOrder, withAcme } from '../support/supplied-order.ts'

const renewalPath = (number: string) => `/open/app/static/renewals/${number}`
const resetPath = (number: string) => `/open/app/static/instances/${number}/reset-credentials`

/** A sub-user with an order of 3 proxies from a connection, its agent, and somebody else. */
async function shop() {
  const api = await openApi(withAcme())
  const seller = await api.agent({ name: 'seller', balance: 1000 })
  const buyer = await api.customer(seller, { name: 'buyer', balance: 100 })
  const order = await suppliedOrder(api, buyer)
  return {
    ...api,
    ...order,
    buyer,
    client: await api.as(buyer),
    agentClient: await api.as(seller),
    stranger: await api.as(await api.agent()),
  }
}

test('A renewal is processing, and can be read, and repeated, as it stands', async () => {
  const api = await shop()
  const { client, agentClient, stranger, orderNo, answers, runJobs, balance, buyer } = api
  const body = { order_no: orderNo, appOrderNo: 'MINE' }
  const renewed = await client.post(RENEW, body)
  expect(renewed.body.data).toMatchObject({
    status: 'processing',
    fail_reason: null,
    amount: 3,
    refunded_amount: 0,
    balance: 94,
    instances: [1, 2, 3].map(() => ({ status: 'processing', old_expire_time: '2026-04-01T12:00:00.000Z' })),
  })
  const { renew_order_no: number } = renewed.body.data as unknown as { renew_order_no: string }
  for (const [who, which] of [
    [client, number],
    [client, 'MINE'],
    [agentClient, number],
  ] as const)
    expect((await who.get(renewalPath(which))).body.data).toEqual(renewed.body.data)
  expectRefusal(await stranger.get(renewalPath(number)), 404, 'order_not_found')
  expectRefusal(await agentClient.get(renewalPath('MINE')), 404, 'order_not_found')
  expectRefusal(await client.post(RENEW, { order_no: orderNo }), 409, 'order_processing')

  await endCall(api, number, { instances: await answers([0]), reason: 'two are gone' })
  await runJobs()
  const ended = await client.get(renewalPath(number))
  expect(ended.body.data).toMatchObject({
    status: 'success',
    fail_reason: 'two are gone',
    refunded_amount: 2,
    instances: [
      { status: 'success', new_expire_time: '2026-05-01T12:00:00.000Z' },
      { status: 'failed', new_expire_time: '2026-04-01T12:00:00.000Z' },
      { status: 'failed', new_expire_time: '2026-04-01T12:00:00.000Z' },
    ],
  })
  const again = await client.post(RENEW, body)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.body.data).toEqual(ended.body.data)
  expect(await balance(buyer)).toBe(96)
  await api.audited()
})

test('Other credentials are asked for under a key once', async () => {
  const api = await shop()
  const { client, agentClient, stranger, found, answers, runJobs } = api
  const instanceNo = (await found()).instances[0]?.instanceNo ?? ''
  const options = { headers: { 'idempotency-key': 'KEY' } }
  expectRefusal(await stranger.post(resetPath(instanceNo)), 404, 'instance_not_found')
  const asked = await client.post(resetPath(instanceNo), undefined, options)
  const again = await client.post(resetPath(instanceNo), undefined, options)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.body.data).toEqual(asked.body.data)
  const later = await agentClient.post(resetPath(instanceNo))
  expectRefusal(later, 429, 'rate_limited')
  expect(Number(later.headers['retry-after'])).toBe(3600)
  const { reset_no: resetNo } = asked.body.data as unknown as { reset_no: string }
  await endCall(api, resetNo, { instances: await answers([0], { username: 'u', password: 'new' }) })
  await runJobs()
  expect((await found()).instances[0]).toMatchObject({ username: 'u', password: 'new' })
})
