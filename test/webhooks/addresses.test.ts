import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { webhookUrl } from '../../src/core/webhooks/webhook-url.ts'
import { createWebhookSender } from '../../src/webhooks/sender.ts'
import { selfSigned } from '../support/certificate.ts'
import { atTheEnd } from '../support/clean-up.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const closing = new AbortController().signal
const message = { headers: { 'webhook-id': 'msg_1' }, body: '{"type":"order.ready"}' }
const ruleOf = (url: string, loopback = false) =>
  webhookUrl(loopback).safeParse(url).error?.issues[0]?.message

test.each([
  'https://example.com/hooks',
  'https://example.com:8443/hooks?shop=1',
  'https://93.184.215.14/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook',
  ' HTTPS://EXAMPLE.COM ',
])('%s may be a webhook', (url) => expect(ruleOf(url)).toBeUndefined())

test.each([
  ['http://example.com/', 'webhook_not_encrypted'],
  ['https://127.0.0.1/', 'webhook_not_public'],
  ['https://2130706433/', 'webhook_not_public'],
  ['https://0x7f.1/', 'webhook_not_public'],
  ['https://0177.0.0.1/', 'webhook_not_public'],
  ['https://127.1:443/', 'webhook_not_public'],
  ['https://１２７.0.0.1/', 'webhook_not_public'],
  ['https://0/', 'webhook_not_public'],
  ['https://10.1.2.3/', 'webhook_not_public'],
  ['https://192.168.0.1/', 'webhook_not_public'],
  ['https://172.16.0.1/', 'webhook_not_public'],
  ['https://169.254.169.254/latest/meta-data', 'webhook_not_public'],
  ['https://100.64.0.1/', 'webhook_not_public'],
  ['https://224.0.0.1/', 'webhook_not_public'],
  ['https://255.255.255.255/', 'webhook_not_public'],
  ['https://[::1]/', 'webhook_not_public'],
  ['https://[::]/', 'webhook_not_public'],
  ['https://[::ffff:127.0.0.1]/', 'webhook_not_public'],
  ['https://[::ffff:7f00:1]/', 'webhook_not_public'],
  ['https://[::127.0.0.1]/', 'webhook_not_public'],
  ['https://[64:ff9b::7f00:1]/', 'webhook_not_public'],
  ['https://[2002:7f00:1::]/', 'webhook_not_public'],
  ['https://[fe80::1]/', 'webhook_not_public'],
  ['https://[fd00::1]/', 'webhook_not_public'],
  ['https://localhost/', 'webhook_not_public'],
  ['https://localhost./', 'webhook_not_public'],
  ['https://api.localhost/', 'webhook_not_public'],
  ['https://db.internal/', 'webhook_not_public'],
  ['https://printer.local/', 'webhook_not_public'],
  ['https://intranet/', 'webhook_not_public'],
  ['https://example.com:25/', 'webhook_port_closed'],
  ['https://example.com:22/', 'webhook_port_closed'],
  ['https://user:password@example.com/', 'not_a_webhook_url'],
  ['https://example.com/#part', 'not_a_webhook_url'],
  ['https://example.com\\@127.0.0.1/', 'not_a_webhook_url'],
  ['ftp://example.com/', 'not_a_webhook_url'],
  ['example.com', 'not_a_webhook_url'],
])('%s may not: %s', (url, rule) => expect(ruleOf(url)).toBe(rule))

test('This machine may be one where that is allowed, and no other private address', () => {
  for (const url of ['http://127.0.0.1:3000/', 'http://localhost:3000/', 'http://[::1]:80/'])
    expect(ruleOf(url, true)).toBeUndefined()
  expect(ruleOf('http://10.0.0.1/', true)).toBe('webhook_not_encrypted')
  expect(ruleOf('https://10.0.0.1/', true)).toBe('webhook_not_public')
})

test('A name that leads to this machine, or to any address that is not public, is not called', async () => {
  const receiver = await webhookReceiver()
  const { port } = new URL(receiver.url)
  const answers = [
    ['127.0.0.1'],
    ['::1'],
    ['93.184.215.14', '127.0.0.1'],
    ['10.0.0.1'],
    ['::ffff:169.254.169.254'],
  ]
  for (const addresses of answers) {
    const resolve = () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    const send = createWebhookSender({ loopback: false, closing, resolve })
    const answer = await send({ ...message, url: `http://rebound.example.com:${port}/` })
    expect(answer).toEqual({ error: 'address_not_allowed' })
  }
  // An address in the URL is not resolved, and checked all the same.
  const send = createWebhookSender({ loopback: false, closing })
  expect(await send({ ...message, url: receiver.url })).toEqual({ error: 'address_not_allowed' })
  expect(receiver.received).toEqual([])
})

test('A name is resolved once for a connection, which goes to the address that was checked', async () => {
  const receiver = await webhookReceiver()
  const { port } = new URL(receiver.url)
  let asked = 0
  // The second answer would lead elsewhere.
  const resolve = () =>
    Promise.resolve([{ address: (asked += 1) === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }])
  const send = createWebhookSender({ loopback: true, closing, resolve })
  for (let times = 0; times < 3; times += 1)
    expect(await send({ ...message, url: `http://rebound.example.com:${port}/` })).toMatchObject({
      status: 204,
    })
  expect(asked).toBe(1)
  expect(receiver.received).toHaveLength(3)
  expect(receiver.received[0]?.headers.host).toBe(`rebound.example.com:${port}`)
})

test('A certificate that nobody vouches for is refused', async () => {
  let requests = 0
  const server = createServer(await selfSigned('localhost'), (_request, response) => {
    requests += 1
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atTheEnd(() => server.close())
  const send = createWebhookSender({ loopback: true, closing })
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  expect(await send({ ...message, url })).toEqual({ error: 'certificate_refused' })
  expect(requests).toBe(0)
})

test('What cannot be reached is named', async () => {
  const send = createWebhookSender({
    loopback: true,
    closing,
    resolve: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
  })
  expect(await send({ ...message, url: 'https://nobody.example.com/' })).toEqual({ error: 'name_not_found' })
  expect(await send({ ...message, url: 'http://127.0.0.1:1/' })).toEqual({ error: 'connection_refused' })
})
