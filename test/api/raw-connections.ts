import { on } from 'node:events'
import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Registry } from 'prom-client'
import { expect, vi } from 'vitest'
import type { ApiOptions } from '../../src/api/server.ts'
import { openApi } from '../support/api.ts'
import { PATIENCE } from '../support/patience.ts'

export const LOGIN = '/api/auth/login'
export const SCRIPT = '/api/docs/static/swagger-ui-bundle.js'

export const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
export const logIn = (body: string) =>
  `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** A server on a real port that counts the requests which it has in hand. */
export async function listening(api: Partial<ApiOptions> = {}) {
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
export async function answers(socket: Socket, count: number): Promise<number[]> {
  let received = ''
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  for await (const [bytes] of on(socket, 'data', { close: ['close'] })) {
    received += String(bytes)
    if (statuses().length >= count) break
  }
  return statuses()
}

const descriptors = () => readdirSync('/proc/self/fd').length

/** Ten connections ask for something 300 times at once and read nothing: each holds one request, and nothing stays open. */
export async function expectOneInHand(request: string): Promise<void> {
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
}
