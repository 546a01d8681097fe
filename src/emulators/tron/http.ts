import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { json, nodeError } from './answers.ts'
import type { Outcome } from './outcome.ts'

/** A request to a server. */
export interface HttpRequest {
  readonly verb: string
  /** Path below the prefix of the server, without the query. */
  readonly path: string
  /** Parameters from the query and the body. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The API key that came along. */
  readonly key: string | undefined
}

const OVERSIZE_BYTES = 100_000_000
const CHUNK = Buffer.alloc(65_536, ' ')
const DRIP_MS = 50

/** Serves one server over HTTP, under any prefix. */
export function tronHttp(handle: (request: HttpRequest) => Outcome): FastifyPluginAsync {
  return async (app) => {
    /** Connections and bodies that are not finished; a close ends them. */
    const waiting = new Set<{ destroy(): void }>()
    app.addHook('preClose', async () => {
      for (const connection of waiting) connection.destroy()
    })

    // The node reads every body as JSON, whatever the header says.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, async (_: FastifyRequest, body: string) => {
      return JSON.parse(body || '{}') as unknown
    })
    app.setErrorHandler((error, _request, reply) => {
      const answer =
        error instanceof SyntaxError
          ? nodeError('class com.alibaba.fastjson.JSONException : syntax error')
          : json({ Error: String(error) }, 500)
      return reply.code(answer.status).type(answer.contentType).send(answer.body)
    })

    app.route<{ Params: { '*': string }; Querystring: Record<string, string> }>({
      method: ['GET', 'POST'],
      url: '/*',
      exposeHeadRoute: false,
      // The shop asks every few seconds, which is not worth a log line.
      logLevel: 'warn',
      handler: (request, reply) => {
        const key = request.headers['tron-pro-api-key']
        const outcome = handle({
          verb: request.method,
          path: `/${request.params['*']}`,
          parameters: { ...request.query, ...(request.body as object | null) },
          key: typeof key === 'string' ? key : undefined,
        })
        return deliver(request, reply, outcome, waiting)
      },
    })
  }
}

function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, delivery }: Outcome,
  waiting: Set<{ destroy(): void }>,
): FastifyReply {
  const { socket } = request.raw
  const keep = (connection: Readable | typeof socket) => {
    waiting.add(connection)
    connection.once('close', () => waiting.delete(connection))
  }
  if (delivery?.kind === 'hang' || delivery?.kind === 'drop') {
    reply.hijack()
    if (delivery.kind === 'drop') socket.destroy()
    else keep(socket)
    return reply
  }
  void reply
    .code(answer.status)
    .type(answer.contentType)
    .headers({ ...answer.headers })
  if (delivery === undefined) return reply.send(answer.body)
  const body = Readable.from(
    delivery.kind === 'drip'
      ? dripping(answer.body, delivery.everyMs ?? DRIP_MS)
      : padded(answer.body, delivery.bytes ?? OVERSIZE_BYTES),
    { objectMode: false },
  )
  keep(body)
  return reply.send(body)
}

async function* dripping(body: string, everyMs: number): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(body)) {
    yield Buffer.of(byte)
    await delay(everyMs)
  }
}

/** Yields the body and spaces: spaces after JSON are still JSON. */
function* padded(body: string, bytes: number): Generator<Buffer> {
  yield Buffer.from(body)
  for (let left = bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left)
}
