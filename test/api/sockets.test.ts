import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { ApiOptions } from '../../src/api/server.ts'
import { BALANCE, openApi } from '../support/api.ts'

/** A server on a real port. */
async function listening(options: Partial<ApiOptions> = {}) {
  const api = await openApi({ api: options })
  await api.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.server.address() as AddressInfo
  return { ...api, port, socket: () => connect(port, '127.0.0.1') }
}

/** Sends bytes as they are, and answers all that comes back until the server ends the connection. */
async function exchange(socket: Socket, bytes: string): Promise<string> {
  socket.write(bytes)
  return text(socket)
}

const statusLine = (answer: string) => answer.split('\r\n')[0]

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['a method that does not exist', `FETCH /api${BALANCE} HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
  ['no Host', `GET /api${BALANCE} HTTP/1.1\r\n\r\n`, 400],
  [
    'Content-Length and Transfer-Encoding',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'two Content-Lengths',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
    400,
  ],
  ['20 KB of headers', `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Filler: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('A request with %s ends the connection and names no framework', async (_, bytes, status) => {
  const { socket } = await listening()
  const answer = await exchange(socket(), bytes)
  expect(statusLine(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).not.toMatch(/FST_|Fastify|Client Error|HPE_/i)
})

test('A request whose headers or body do not arrive in time is given up', async () => {
  const { socket } = await listening({ requestTimeout: 300 })
  const answers = await Promise.all([
    exchange(socket(), 'GET /healthz HTTP/1.1\r\nHost: x\r\n'),
    exchange(
      socket(),
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"username":',
    ),
  ])
  expect(answers.map(statusLine)).toEqual(Array(2).fill('HTTP/1.1 408 Request Timeout'))
})

test('An endless chunked body is cut off at 256 KiB with an envelope', async () => {
  const { socket } = await listening()
  const client = socket()
  const answer = text(client)
  client.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  client.on('error', () => {})
  for (let sent = 0; sent < 100 && client.writable; sent += 1) {
    if (!client.write(chunk)) await Promise.race([once(client, 'drain'), once(client, 'close')])
  }
  const [head, body] = (await answer).split('\r\n\r\n') as [string, string]
  expect(statusLine(head)).toBe('HTTP/1.1 413 Payload Too Large')
  expect(head.toLowerCase()).toContain('connection: close')
  expect(JSON.parse(body)).toMatchObject({ code: 413, error: 'payload_too_large' })
})

test('A client that ends its side after its requests gets the answers, and then the end', async () => {
  const { socket } = await listening()
  const body = JSON.stringify({ username: 'nobody', password: 'wrong' })
  const post = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  for (const [asked, statuses] of [
    [post, [401]],
    [get.repeat(3) + post, [200, 200, 200, 401]],
  ] as const) {
    const client = socket()
    client.end(asked)
    const answer = await text(client)
    expect(answer.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(9)))).toEqual(statuses)
  }
})

test('A client that leaves in the middle of its body is no failure of ours', async () => {
  const { socket, log, call } = await listening()
  const client = socket()
  client.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  await once(client, 'connect')
  client.destroy()
  await once(client, 'close')
  expect((await call('GET', '/nope')).status).toBe(404)
  expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([])
})

test('What is asked on an open connection while the server closes is still answered, and ends the connection', async () => {
  const { socket, server, as, agent } = await listening()
  const { token } = await as(await agent())
  const client = socket()
  const answer = text(client)
  const request = `GET /api${BALANCE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  client.write(request.slice(0, 30))
  await once(server.server, 'connection')
  const closed = server.close()
  client.write(request.slice(30))
  expect(statusLine(await answer)).toBe('HTTP/1.1 200 OK')
  await closed
})
