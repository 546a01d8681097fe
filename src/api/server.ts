import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { Core } from '../core/core.ts'
import { ServiceError } from '../core/errors.ts'
import { supplierCallbacks } from './callbacks.ts'
import { clientOf, trustOf } from './client-address.ts'
import { boundConnections, connectionLimits, type ConnectionLimits } from './connections.ts'
import { apiDocs, loadDocsProgram } from './docs.ts'
import { type Endpoint, isIn } from './endpoint.ts'
import { distrustExits } from './exit-peers.ts'
import { echo } from './echo.ts'
import type { HealthCheck } from '../core/operator/readiness.ts'
import { health } from './health.ts'
import { NO_JSON_SCHEMA } from '../no-json-schema.ts'
import { acceptJson, MAX_BODY_BYTES } from './json-body.ts'
import { languageOf } from './language.ts'
import { knownMethods } from './known-methods.ts'
import { createLimiter } from './limits.ts'
import { exposeMetrics, type MetricsOptions } from './metrics.ts'
import { methodNotAllowed, mount, mountLater } from './mount.ts'
import { sessionEndpoints } from './operator/session.ts'
import { isOwnHost } from './own-hosts.ts'
import type { RateLimits } from './rate-limits.ts'
import { refuse } from './refusal.ts'
import { logRequest } from './request-log.ts'
import { ENDPOINTS } from './routes/index.ts'
import { baseAddresses, baseAt } from './variants.ts'

export interface ApiOptions {
  readonly core: Core
  /** The variant that is served at `/api`. */
  readonly defaultVariant: 'A' | 'B'
  readonly logger: Logger
  /** Checks of what the service needs, by the names that /readyz shows. */
  readonly checks: Readonly<Record<string, HealthCheck>>
  /** For tests: every answer is checked against its schema, and fails the request when it does not fit. */
  readonly checkAnswers?: boolean
  /** Milliseconds in which a request must have arrived whole. */
  readonly requestTimeout?: number
  /** Limits on the requests of a minute; none when missing. */
  readonly limits?: RateLimits
  /** How many connections there may be, and how slowly they may read. */
  readonly connections?: ConnectionLimits
  /** Addresses or CIDR ranges of reverse proxies that are trusted to name the client (rules 1.23). */
  readonly trustedProxies?: readonly string[]
  /** URL at which people reach this server, without a slash at the end; when missing, that of each request. */
  readonly publicUrl?: string | undefined
  /** Names and addresses under which requests are answered, besides the loopback ones; any when missing. */
  readonly hosts?: readonly string[] | undefined
  /** Measures requests, and serves all that is measured at `/metrics`. */
  readonly metrics?: MetricsOptions
}

const REQUEST_TIMEOUT_MS = 15_000
/** How long a stop waits for what is being answered. */
const CLOSE_LIMIT_MS = 4_000
/** Time after which an idle connection is ended. Longer than any long poll of the sandbox (50 s). */
const IDLE_TIMEOUT_MS = 70_000

/** Bytes that a connection may buffer before it stops reading: the default of Node.js 20; later versions have four times as much. */
const SOCKET_BUFFER_BYTES = 16 * 1024

/** Headers for browsers: a JSON interface needs no more, and these cost less than helmet does. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * Creates the HTTP server: the interface under its base addresses with its documentation, and the health checks. Not listening yet;
 * other plugins may still be registered, and get the same answers to unknown routes, the same log line and headers.
 */
export async function createServer(options: ApiOptions): Promise<FastifyInstance> {
  const {
    core,
    defaultVariant,
    logger,
    checks,
    checkAnswers = false,
    requestTimeout = REQUEST_TIMEOUT_MS,
    limits,
    connections = connectionLimits(Infinity),
    trustedProxies = [],
    metrics,
    publicUrl,
    hosts,
  } = options
  const bases = baseAddresses(defaultVariant)
  const isTrusted = trustOf(trustedProxies)
  const answer = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const { path, variant } = baseAt(request.url, bases)
    return refuse(
      request,
      reply,
      error,
      languageOf(request.headers['accept-language'], variant.language),
      path,
    )
  }

  // With pino's own type, the server would take only plugins that are typed for pino.
  const loggerInstance: FastifyBaseLogger = logger
  const server = Fastify({
    loggerInstance,
    // A child logger per request would cost more than the line it writes. Routes with a level of their own keep it.
    childLoggerFactory: (parent, bindings, child) => (child.level ? parent.child(bindings, child) : parent),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout,
    // For the protocol and the host that a trusted proxy names.
    trustProxy: isTrusted,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: {
      headersTimeout: Math.min(requestTimeout, 10_000),
      connectionsCheckingInterval: Math.min(requestTimeout, 1_000),
      highWaterMark: SOCKET_BUFFER_BYTES,
    },
    ...NO_JSON_SCHEMA,
    // Requests that arrive while the server closes are still answered.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id })
      void answer(request, reply, error)
      logRequest(request, reply)
    },
    clientErrorHandler: refuseNonHttp,
  })
  boundConnections(server.server, connections)
  const methodsOf = knownMethods(server)
  const unknownRoute = ({ url, method }: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf(url)
    if (methods.size === 0 || methods.has(method)) return new ServiceError('route_not_found')
    return methodNotAllowed(reply, methods)
  }
  server.decorateRequest('actor', null)
  server.decorateRequest('operatorCall', null)
  server.decorateRequest('uncount', null)
  server.decorateRequest('clientAddress', {
    getter() {
      return clientOf(this.raw, isTrusted)
    },
  })
  server.decorateRequest('refusedWith', null)
  if (trustedProxies.length > 0) distrustExits(server, core.gateway.uncheckedExits)
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS)
    void reply.header('x-request-id', request.id)
    // Refused before the body is read, which may never come.
    if (hosts && !isOwnHost(request.host, hosts))
      void answer(request, reply, new ServiceError('misdirected_request'))
    else if (request.is404) void answer(request, reply, unknownRoute(request, reply))
    else done()
  })
  // A connection without a request would hold up the stop.
  server.addHook('preClose', (done) => {
    const limit = setTimeout(() => server.server.closeAllConnections(), CLOSE_LIMIT_MS).unref()
    server.server.once('close', () => clearTimeout(limit))
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply)
    done()
  })
  server.setErrorHandler((error, request, reply) => answer(request, reply, error))
  server.setNotFoundHandler((request, reply) => answer(request, reply, unknownRoute(request, reply)))

  const limiter = limits && createLimiter(limits, core.database.servers)
  const strangers = limiter?.strangers ?? []
  if (metrics) exposeMetrics(server, metrics, strangers)
  health(server, checks, await core.instance.id())
  echo(server, core.checks.echo)
  supplierCallbacks(server, core, strangers)
  const program = await loadDocsProgram()
  for (const base of bases) {
    await server.register(
      async (scope) => {
        acceptJson(scope)
        const mounting = { core, variant: base.variant, checkAnswers, limiter, publicUrl }
        const endpoints = base.isOfOperator ? sessionEndpoints : ENDPOINTS.filter(isIn(base.variant))
        for (const endpoint of endpoints) mount(scope, endpoint, mounting)
        if (base.isOfOperator) mountLater(scope, () => actionEndpoints(publicUrl), mounting, unknownRoute)
        const documented = async () =>
          base.isOfOperator ? [...endpoints, ...(await actionEndpoints(publicUrl))] : endpoints
        apiDocs(scope, { base, endpoints: documented, program, hooks: strangers })
      },
      { prefix: base.path },
    )
  }
  return server
}

/** Loads all that those who run the shop can ask: few ever do so here. */
async function actionEndpoints(publicUrl: string | undefined): Promise<readonly Endpoint[]> {
  const { endpointsOfActions } = await import('./operator/endpoints.ts')
  return endpointsOfActions(publicUrl)
}

/** Ends a connection on which bytes are no HTTP request, or did not become one in time: there is no request to answer. */
function refuseNonHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = PROTOCOL_ERRORS[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
}

const PROTOCOL_ERRORS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}
