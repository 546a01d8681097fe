import { on, once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import type { ApiOptions } from '../../src/api/server.ts'
import { openApi } from '../support/api.ts'
import { PATIENCE } from '../support/patience.ts'

const LOGIN = '/api/auth/login'
const SCRIPT = '/api/docs/static/swagger-ui-bundle.js'

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const logIn = (body: string) =>
  `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** A server on a real port that counts the requests which it has in hand. */
async function listening(api: Partial<ApiOptions> = {}) {
  const registry = new Registry()
  const metrics = { registry, text: () => registry.metrics(), token: undefined, local: true }
  const { server, agent, db } = await openApi({ api: { metrics, ...api } })
  const inHand = { now: 0, most: 0, begun: 0 }
  const open = new Set<Socket>()
  server.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    inHand.begun += 1
    inHand.most = Math.max(inHand.most, (inHand.now += 1))
    response.once('close', () => void (inHand.now -= 1))
  })
  server.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return { server, agent, db, inHand, open, socket: () => connect(port, '127.0.0.1').on('error', () => {}) }
}

/** The statuses of the next answers. */
async function answers(socket: Socket, count: number): Promise<number[]> {
  let received = ''
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  for await (const [bytes] of on(socket, 'data', { close: ['close'] })) {
    received += String(bytes)
    if (statuses().length >= count) break
  }
  return statuses()
}

const descriptors = () => readdirSync('/proc/self/fd').length

test.each([
  ['the health check', ask('/healthz')],
  ['an unknown route', ask('/api/nothing')],
  ['the API document', ask('/api/openapi.json')],
  ['the docs page', ask('/api/docs/')],
  ['the script of the docs page', ask(SCRIPT)],
  ['the log-in', logIn('{}')],
  ['a public link', ask('/api/open/app/dynamic/extract/bm8tc3VjaC1saW5r')],
  ['the metrics', ask('/metrics')],
])(
  'Connections that ask for %s 300 times at once and read nothing hold one request each, and leave nothing open',
  async (_, request) => {
    const { inHand, open, socket, server, db } = await listening()
    // Connections to PostgreSQL are made when they are needed, and stay.
    await Promise.all(Array.from({ length: 10 }, () => db.read.account.count()))
    const before = process.platform === 'linux' && descriptors()
    const sockets = Array.from({ length: 10 }, () => {
      const client = socket().pause()
      client.write(request.repeat(300))
      return client
    })
    await vi.waitUntil(() => inHand.begun >= sockets.length, PATIENCE)
    expect(inHand.most).toBeLessThanOrEqual(sockets.length)
    expect((await server.inject('/healthz')).statusCode).toBe(200)
    for (const client of sockets) client.destroy()
    await vi.waitUntil(() => open.size === 0, PATIENCE)
    if (before !== false) expect(descriptors()).toBeLessThanOrEqual(before)
  },
)

test('Requests in a row are all answered in their order, however the bytes are cut', async () => {
  const { socket } = await listening()
  const kinds: readonly (readonly [number, string])[] = [
    [404, ask('/api/nothing')],
    [200, ask('/healthz')],
    [422, logIn('{}')],
    [422, logIn('{\n\n\r\n\r\n}')],
    [
      422,
      `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\n\n\r\n1\r\n}\r\n0\r\n\r\n`,
    ],
    [415, logIn('x'.repeat(40)).replace('application/json', 'text/plain')],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(kinds.length - 1), { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
      async (sequence, cuts) => {
        const wanted = sequence.map((kind) => kinds[kind]?.[0])
        const bytes = sequence.map((kind) => kinds[kind]?.[1]).join('')
        const client = socket().setNoDelay()
        const got = answers(client, wanted.length)
        for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
          const end = at + (cuts[cut % cuts.length] ?? 1)
          await new Promise((sent) => client.write(bytes.slice(at, end), sent))
          at = end
        }
        expect(await got).toEqual(wanted)
        client.destroy()
      },
    ),
    { numRuns: 20 },
  )
})

test('A thousand requests that are sent at once to one connection are all answered', async () => {
  const { socket } = await listening()
  const client = socket()
  client.write(ask('/healthz').repeat(1_000))
  expect(await answers(client, 1_000)).toEqual(Array(1_000).fill(200))
})

test('Of many requests that are sent at once no more than 80 KiB wait in memory', async () => {
  const { server, socket } = await listening()
  let waiting = 0
  server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => (waiting = Math.max(waiting, request.socket.readableLength)))
  })
  const client = socket()
  client.write(ask('/healthz').repeat(6_000))
  expect(await answers(client, 3_000)).toHaveLength(3_000)
  expect(waiting).toBeGreaterThan(16 * 1024)
  expect(waiting).toBeLessThanOrEqual(80 * 1024)
  client.destroy()
})

test('A client that does not read its answers is cut off, one that reads is not', async () => {
  const { socket, open } = await listening({ connections: { connections: 10, readTimeout: 1_500 } })
  const reader = socket()
  reader.write(ask(SCRIPT))
  let read = 0
  reader.on('data', (bytes: Buffer) => (read += bytes.length))
  const idle = socket().pause()
  idle.write(ask(SCRIPT).repeat(20))
  await vi.waitUntil(() => open.size === 2, PATIENCE)
  await vi.waitUntil(() => open.size === 1, PATIENCE)
  expect(read).toBeGreaterThan(1_000_000)
  expect(reader.destroyed).toBe(false)
})

test('Beyond the number of connections the one that was idle for the longest ends, and the new one is served', async () => {
  const { socket } = await listening({ connections: { connections: 3, readTimeout: 60_000 } })
  const served = async (client: Socket) => {
    client.write(ask('/healthz'))
    await once(client, 'data')
    return client
  }
  const [first, second, third] = [await served(socket()), await served(socket()), await served(socket())]
  await served(first)
  const ended = once(second, 'close')
  const fourth = await served(socket())
  await ended
  for (const client of [first, third, fourth]) await served(client)
})
