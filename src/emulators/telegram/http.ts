import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, badRequest } from './api-error.ts'
import { errorBody, type Dispatcher } from './dispatcher.ts'
import { MAX_UPLOAD_BYTES, uploadTooLarge, type FileStore, type Upload } from './files.ts'

/** What a request to one bot needs. */
interface ServedBot {
  readonly dispatcher: Dispatcher
  readonly files: FileStore
}

interface ServerOptions {
  /** Finds the bot that has this token now. */
  readonly find: (token: string) => ServedBot | undefined
  /** Ends what would keep the server from closing: waiting long polls. */
  readonly close: () => void
}

interface RequestBody {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly uploads: ReadonlyMap<string, Upload>
}

/** The Bot API over HTTP: `/bot<token>/<method>` and `/file/bot<token>/<path>`, under any prefix. */
export function botApiPlugin({ find, close }: ServerOptions): FastifyPluginAsync {
  // The token is part of every address: these requests must not be logged.
  const options = { logLevel: 'silent' } as const

  function botOf(token: string): ServedBot {
    const bot = find(token)
    if (!bot) throw new ApiError(401, 'Unauthorized')
    return bot
  }

  return async (app) => {
    await acceptBodies(app)
    app.addHook('preClose', async () => close())
    app.setErrorHandler((error, _request, reply) => {
      const refusal = toApiError(error)
      return sendAnswer(reply, refusal.code, errorBody(refusal))
    })

    app.route<{ Params: { token: string; method: string } }>({
      ...options,
      method: ['GET', 'POST'],
      url: '/bot:token/:method',
      handler: async (request, reply) => {
        const { dispatcher } = botOf(request.params.token)
        const { parameters, uploads } = await readBody(request)
        const all = { ...(request.query as object), ...parameters }
        const outcome = await dispatcher.dispatch(request.params.method, all, {
          uploads,
          gone: goneSignal(reply),
        })
        if (outcome.kind !== 'answer') {
          reply.hijack()
          if (outcome.kind === 'drop') request.raw.socket.destroy()
          return reply
        }
        return sendAnswer(reply, outcome.status, outcome.body)
      },
    })

    app.get<{ Params: { token: string; '*': string } }>(
      '/file/bot:token/*',
      options,
      async (request, reply) => {
        const file = botOf(request.params.token).files.findByPath(request.params['*'])
        if (!file) throw new ApiError(404, 'Not Found')
        return reply.type('application/octet-stream').send(file.content)
      },
    )
  }
}

async function acceptBodies(app: FastifyInstance): Promise<void> {
  // Whatever the surrounding server does with these bodies, Telegram's answers to bad ones differ.
  app.removeContentTypeParser(['application/json', 'application/x-www-form-urlencoded'])
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => {
      if (body.trim() === '') return {}
      try {
        return JSON.parse(body) as unknown
      } catch {
        throw badRequest("can't parse JSON object")
      }
    },
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  // The server around this plugin may take uploads itself; its parser is then here already.
  if (!app.hasContentTypeParser('multipart/form-data')) await app.register(multipart)
}

async function readBody(request: FastifyRequest): Promise<RequestBody> {
  const uploads = new Map<string, Upload>()
  if (!request.isMultipart()) {
    const body = request.body ?? {}
    if (typeof body !== 'object' || Array.isArray(body))
      throw badRequest('JSON object expected as parameters')
    return { parameters: body as Record<string, unknown>, uploads }
  }
  const parameters: Record<string, unknown> = {}
  const limits = { fileSize: MAX_UPLOAD_BYTES, fieldSize: 1024 * 1024, files: 100, fields: 100, parts: 200 }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') parameters[part.fieldname] = part.value
    else {
      const content = await part.toBuffer()
      uploads.set(part.fieldname, { fileName: part.filename, mimeType: part.mimetype, content })
    }
  }
  return { parameters, uploads }
}

/** Returns a signal that is aborted when the client closes the connection, or its side of it, before it has its answer. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const { socket } = reply.request.raw
  const abort = () => controller.abort()
  socket.once('end', abort)
  reply.raw.once('close', () => {
    socket.off('end', abort)
    abort()
  })
  return controller.signal
}

function sendAnswer(reply: FastifyReply, status: number, body: object): FastifyReply {
  if (status === 429) {
    const { parameters } = body as { parameters?: { retry_after?: number } }
    void reply.header('retry-after', parameters?.retry_after ?? 1)
  }
  return reply.code(status).send(body)
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { statusCode, message } = error as { statusCode?: number; message?: string }
  if (statusCode === 413) return uploadTooLarge()
  if (statusCode !== undefined && statusCode < 500) return badRequest(String(message))
  return new ApiError(500, `Internal Server Error: ${String(message)}`)
}
