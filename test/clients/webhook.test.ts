import { expect, test } from 'vitest'
import { verifyWebhook, WebhookError } from '../../clients/typescript/dist/index.js'

/** Signed by the library of Standard Webhooks. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = '{"test": 2432232314}'
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': SIGNATURE,
}
const at = (seconds: number) => ({ now: () => seconds * 1000 })

test('A delivery that is signed as Standard Webhooks says is taken, by the old and the new secret', async () => {
  const event = { test: 2432232314 }
  expect(await verifyWebhook(SECRET, BODY, HEADERS, at(1614265330))).toEqual(event)
  expect(await verifyWebhook(SECRET, BODY, new Headers(HEADERS), at(1614265330 + 300))).toEqual(event)
  const secrets = ['whsec_bmV3', SECRET]
  const signatures = { ...HEADERS, 'webhook-signature': `v1,bm90 v1a,${SIGNATURE.slice(3)} ${SIGNATURE}` }
  expect(await verifyWebhook(secrets, BODY, signatures, at(1614265330))).toEqual(event)
})

test.each([
  ['another body', `${BODY} `, {}, 0],
  ['another id', BODY, { 'webhook-id': 'msg_2' }, 0],
  ['another version of the signature', BODY, { 'webhook-signature': SIGNATURE.replace('v1', 'v2') }, 0],
  ['a signature that is none', BODY, { 'webhook-signature': 'v1,%%' }, 0],
  ['no signature', BODY, { 'webhook-signature': undefined }, 0],
  ['a time that is none', BODY, { 'webhook-timestamp': 'now' }, 0],
  ['an old delivery', BODY, {}, 301],
  ['one from the future', BODY, {}, -301],
])('%s is not taken', async (_what, body, change, later) => {
  const delivery = verifyWebhook(SECRET, body, { ...HEADERS, ...change }, at(1614265330 + later))
  await expect(delivery).rejects.toBeInstanceOf(WebhookError)
})
