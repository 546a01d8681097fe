import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyRequest } from 'fastify'
import { onTestFinished } from 'vitest'
import type { ProductProcess } from './process.ts'

/** A server that has not answered by then is passed over: longer than any request that is held open. */
const ANSWER_MS = 40_000
/** Of one connection, not of what it carries. */
const HOP_BY_HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])

/**
 * Hands each request to the next of several servers, and to the one after it when that cannot be reached. It ends with the test.
 *
 * @param options.twice hands what is posted over twice and tells what was answered to the second time, as after the end of a server
 *   that had done its work
 */
export async function openBalancer({ twice = false } = {}) {
  const servers: ProductProcess[] = []
  /** How many requests each server has answered. */
  const answered = new Map<ProductProcess, number>()
  let turn = 0
  let last: FastifyRequest | undefined

  async function forwarded(request: FastifyRequest) {
    last = request
    turn += 1
    for (let next = 0; next < servers.length; next += 1) {
      const server = servers[(turn + next) % servers.length] as ProductProcess
      const answer = await forward(server, request).catch(() => undefined)
      if (!answer) continue
      answered.set(server, (answered.get(server) ?? 0) + 1)
      return answer
    }
    return { status: 502, type: null, body: '' }
  }

  const balancer = Fastify({ forceCloseConnections: true })
  balancer.removeAllContentTypeParsers()
  balancer.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  balancer.all('/*', async (request, reply) => {
    if (twice && request.method === 'POST') await forwarded(request)
    const { status, type, body } = await forwarded(request)
    if (type !== null) reply.type(type)
    return reply.code(status).send(body)
  })
  await balancer.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => balancer.close())
  return {
    servers,
    address: `http://127.0.0.1:${(balancer.server.address() as AddressInfo).port}`,
    /** Hands the last request over once more, and answers with the status: as those do who have not heard the answer. */
    repeat: async () => last && (await forwarded(last)).status,
    answeredBy: (server: ProductProcess) => answered.get(server) ?? 0,
  }
}

async function forward({ address }: ProductProcess, { method, url, headers, body }: FastifyRequest) {
  const response = await fetch(`${address}${url}`, {
    method,
    headers: Object.entries(headers).filter(
      (header): header is [string, string] => !HOP_BY_HOP.has(header[0]),
    ),
    ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: await response.text(),
  }
}
