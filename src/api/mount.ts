import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import type { Core } from '../core/core.ts'
import { InvalidInput, parseInput, ServiceError } from '../core/errors.ts'
import { GatewayId } from '../core/gateway/wire.ts'
import { RequestKey } from '../core/requests/request-key.ts'
import { authenticator, bearerToken, gatewayAuthenticator, operatorAuthenticator } from './authentication.ts'
import { answerSchema, type Endpoint } from './endpoint.ts'
import { success, successHead, successSchema } from './envelope.ts'
import { MAX_BODY_BYTES } from './json-body.ts'
import { languageOf } from './language.ts'
import type { Limiter } from './limits.ts'
import { sendJson } from './send-json.ts'
import type { Variant } from './variants.ts'

interface MountOptions {
  readonly core: Core
  readonly variant: Variant
  readonly checkAnswers: boolean
  /** URL at which people reach this server; undefined: that of each request. */
  readonly publicUrl: string | undefined
  /** Limits on requests; undefined: none. */
  readonly limiter: Limiter | undefined
}

/** Returns the query parameters that an endpoint knows. Pages and texts take any (undefined): other services add theirs to links. */
function queryNames({ query, mediaType }: Endpoint): ReadonlySet<string> | undefined {
  if (mediaType) return undefined
  return new Set(query instanceof z.ZodObject ? Object.keys(query.shape) : [])
}

/** @throws InvalidInput that names all unknown parameters: a misspelled filter must not show everything */
function refuseUnknown(names: ReadonlySet<string> | undefined, query: unknown): void {
  const unknown = Object.keys(query ?? {}).filter((name) => names && !names.has(name))
  if (unknown.length > 0)
    throw new InvalidInput(
      unknown.map((name) => ({
        code: 'custom',
        path: [name],
        message: 'unknown_parameter',
        input: undefined,
      })),
    )
}

const IdempotencyHeader = z.object({ 'Idempotency-Key': RequestKey.optional() })

/** Makes an endpoint a route: token, validation, handler and envelope. Schemas and texts are prepared here, once. */
export function mount(scope: FastifyInstance, endpoint: Endpoint, options: MountOptions): void {
  const { body, mediaType } = endpoint
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    // A HEAD request must not do what opening the page does.
    exposeHeadRoute: !mediaType,
    config: { bodyOptional: !body || body.safeParse(undefined).success },
    // A gateway calls every second: only warnings are logged.
    ...(endpoint.gateway && { logLevel: 'warn' as const, bodyLimit: endpoint.bodyLimit ?? MAX_BODY_BYTES }),
    ...partsOf(scope, endpoint, options),
  })
}

/**
 * Mounts endpoints that are loaded at the first request to one of them, with nothing but their names in the path.
 *
 * @param load called once
 * @param unknownRoute makes the refusal of a request that none of them takes
 */
export function mountLater(
  scope: FastifyInstance,
  load: () => Promise<readonly Endpoint[]>,
  options: MountOptions,
  unknownRoute: (request: FastifyRequest, reply: FastifyReply) => ServiceError,
): void {
  let loading: Promise<ReadonlyMap<string, ReadonlyMap<string, RouteParts>>> | undefined
  const loaded = async () => {
    const found = new Map<string, Map<string, RouteParts>>()
    for (const endpoint of await load()) {
      const parts = partsOf(scope, endpoint, options)
      const at = found.get(endpoint.path) ?? new Map<string, RouteParts>()
      at.set(endpoint.method, parts)
      if (endpoint.method === 'GET') at.set('HEAD', parts)
      found.set(endpoint.path, at)
    }
    return found
  }
  const partsFor = new WeakMap<FastifyRequest, RouteParts>()
  scope.all<{ Params: { '*': string } }>('/*', {
    config: { bodyOptional: true },
    onRequest: async function enter(request, reply) {
      const at = (await (loading ??= loaded())).get(`/${request.params['*']}`)
      const parts = at?.get(request.method)
      if (!parts) throw at ? methodNotAllowed(reply, at.keys()) : unknownRoute(request, reply)
      partsFor.set(request, parts)
      for (const hook of parts.onRequest) await hook.call(this, request, reply)
    },
    handler: (request, reply) => partsFor.get(request)?.handler(request, reply),
  })
}

/** Makes the answer to a method that an address does not take (RFC 9110, 15.5.6). */
export function methodNotAllowed(reply: FastifyReply, methods: Iterable<string>): ServiceError {
  void reply.header('allow', [...methods].toSorted().join(', '))
  return new ServiceError('method_not_allowed')
}

interface RouteParts {
  readonly onRequest: onRequestAsyncHookHandler[]
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

function partsOf(
  scope: FastifyInstance,
  endpoint: Endpoint,
  { core, variant, checkAnswers, limiter, publicUrl }: MountOptions,
): RouteParts {
  const { query, body, idempotent = false, mediaType } = endpoint
  const heads = successHead(endpoint)
  const authenticate = endpoint.gateway
    ? gatewayAuthenticator(core)
    : endpoint.operator
      ? operatorAuthenticator(core)
      : authenticator(core, endpoint.public ? null : endpoint.scope)
  const gateways = endpoint.gateway ? waitingGateways(scope) : undefined
  const names = queryNames(endpoint)
  // Made on demand: only tests check answers, and making the schemas of all endpoints takes long.
  let schemaOfAnswer: z.ZodType | undefined

  return {
    onRequest: [
      ...(endpoint.form ? [asNoContent] : []),
      ...(limiter?.hooks(endpoint, authenticate) ?? (endpoint.public ? [] : [authenticate])),
    ],
    handler: async (request, reply) => {
      const { headers } = request
      refuseUnknown(names, request.query)
      const language = languageOf(headers['accept-language'], variant.language)
      const call = {
        core,
        variant,
        language,
        baseUrl: `${publicUrl ?? `${request.protocol}://${request.host}`}${scope.prefix}`,
        address: request.clientAddress,
        program: headers['user-agent'] ?? '',
        token: endpoint.public || endpoint.operator ? undefined : bearerToken(request),
        params: request.params as Readonly<Record<string, string>>,
        query: query && parseInput(query, request.query),
        body: body && parseInput(body, request.body),
        idempotencyKey: idempotent
          ? parseInput(IdempotencyHeader, { 'Idempotency-Key': headers['idempotency-key'] })[
              'Idempotency-Key'
            ]
          : undefined,
        via: idsIn(headers['x-reseller-via']),
        setHeader: (name: string, value: string) => void reply.header(name, value),
        replayed: <Result extends { readonly replayed: boolean }>(result: Result) => {
          if (result.replayed) void reply.header('idempotency-replayed', 'true')
          return result
        },
        setStatus: (status: number) => void reply.code(status),
      }
      const data = await (endpoint.public
        ? endpoint.handle(call)
        : endpoint.gateway
          ? endpoint.handle(call, { id: gatewayId(headers), gone: gateways?.goneSignal(reply) })
          : endpoint.operator
            ? endpoint.handle(call, actorOf(request.operatorCall))
            : endpoint.handle(call, actorOf(request.actor)))
      const answerText = mediaType ? String(data) : await success(heads[language], data)
      if (checkAnswers) {
        schemaOfAnswer ??= mediaType
          ? answerSchema(endpoint, variant)
          : successSchema(answerSchema(endpoint, variant))
        check(schemaOfAnswer, mediaType ? data : JSON.parse(answerText))
      }
      // Gateways get no ETag and no compression: they ask every second, on the same machine as a rule.
      if (!mediaType && !endpoint.gateway) return sendJson(request, reply, answerText)
      void reply.header('content-type', `${mediaType ?? 'application/json'}; charset=utf-8`)
      return answerText
    },
  }
}

/** Drops the content type that a form sends with its empty body: no parser here accepts it. */
const asNoContent: onRequestAsyncHookHandler = async ({ headers }) => {
  delete headers['content-type']
}

const GatewayHeader = z.object({ 'Gateway-Id': GatewayId })

/** @throws validation_error */
function gatewayId(headers: FastifyRequest['headers']): string {
  return parseInput(GatewayHeader, { 'Gateway-Id': headers['gateway-id'] })['Gateway-Id']
}

/** Tracks gateways that wait for an answer, and ends their waits when the service stops. */
function waitingGateways(scope: FastifyInstance) {
  const waiting = new Map<AbortController, FastifyReply>()
  scope.addHook('preClose', (done) => {
    for (const [gateway, reply] of waiting) {
      // Otherwise the stop would wait for the idle connection.
      void reply.header('connection', 'close')
      gateway.abort()
    }
    done()
  })
  return {
    /** Returns a signal that aborts when the gateway disconnects or ends its side, or the service stops. */
    goneSignal(reply: FastifyReply): AbortSignal {
      const gateway = new AbortController()
      const { socket } = reply.request.raw
      const abort = () => gateway.abort()
      waiting.set(gateway, reply)
      socket.once('end', abort)
      reply.raw.once('close', () => {
        socket.off('end', abort)
        waiting.delete(gateway)
        abort()
      })
      return gateway.signal
    },
  }
}

function idsIn(header: string | string[] | undefined): string[] {
  const ids = [header ?? []].flat().flatMap((text) => text.split(','))
  return ids.map((id) => id.trim()).filter((id) => id !== '')
}

function actorOf<Actor>(actor: Actor | null): Actor {
  if (!actor) throw new ServiceError('token_missing')
  return actor
}

/** @throws Error, which is no refusal, when the answer does not fit: it fails the test that caused it */
function check(schema: z.ZodType, answer: unknown): void {
  const result = schema.safeParse(answer)
  if (!result.success) throw new Error(`the answer does not fit its schema: ${z.prettifyError(result.error)}`)
}
