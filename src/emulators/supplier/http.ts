import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Hit } from './faults.ts'
import { METHODS, type Method } from './types.ts'

/** The answer to send, and the fault that hits it. */
export interface Outcome {
  readonly reqId: string
  readonly code: number
  readonly msg: string
  /** Encrypted data; empty: none. */
  readonly data: string
  readonly hit: Hit | undefined
}

const PAGE = '<html><head><title>Bad Gateway</title></head><body>nginx</body></html>'

/** The API over HTTP, under any prefix. */
export function supplierHttp(handle: (method: Method, body: unknown) => Outcome): FastifyPluginAsync {
  return async (app) => {
    /** Connections that get no answer and stay open. */
    const waiting = new Set<{ destroy(): void }>()
    app.addHook('preClose', async () => {
      for (const connection of waiting) connection.destroy()
    })
    for (const method of METHODS) {
      app.post(`/api/open/app/${method}/v2`, { logLevel: 'warn' }, (request, reply) =>
        deliver(request, reply, handle(method, request.body), waiting),
      )
    }
  }
}

function deliver(
  { raw: { socket } }: FastifyRequest,
  reply: FastifyReply,
  { hit, ...answer }: Outcome,
  waiting: Set<{ destroy(): void }>,
): FastifyReply {
  const body = JSON.stringify(answer)
  switch (hit?.what) {
    case undefined:
    case 'refuse':
      return reply.type('application/json').send(body)
    case 'garbage':
      return reply
        .type('application/json')
        .send(JSON.stringify({ ...answer, data: randomBytes(48).toString('base64') }))
    case 'status_502':
      return reply.code(502).type('text/html').send(PAGE)
    case 'status_429':
      return reply.code(429).header('retry-after', '7').type('text/html').send(PAGE)
    case 'redirect':
      return reply.code(302).header('location', 'http://elsewhere.invalid/').send()
    case 'truncate':
      reply.hijack()
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
          `connection: close\r\n\r\n${body.slice(0, body.length / 2)}`,
      )
      return reply
    case 'lose_answer':
    case 'lose_request':
      reply.hijack()
      socket.destroy()
      return reply
    case 'hang':
      reply.hijack()
      waiting.add(socket)
      socket.once('close', () => waiting.delete(socket))
      return reply
  }
}
