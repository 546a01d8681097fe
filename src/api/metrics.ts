import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import { ServiceError } from '../core/errors.ts'

export interface MetricsOptions {
  /** Where requests are counted. */
  readonly registry: Registry
  /** All that is measured, in the text format of Prometheus. */
  readonly text: () => Promise<string>
  /** Token with which the metrics may be read. */
  readonly token: string | undefined
  /** Whether this machine may read them when there is no token. */
  readonly local: boolean
}

/** Upper bounds in seconds: from the time that a read takes to that after which people give up. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts and times all requests, and serves all that is measured at `GET /metrics` (Prometheus). */
export function exposeMetrics(
  server: FastifyInstance,
  { registry, text, token, local }: MetricsOptions,
  hooks: readonly onRequestAsyncHookHandler[],
): void {
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the arrival of a request to its answer',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [registry],
  })
  server.addHook('onResponse', (request, reply, done) => {
    // The pattern, not the address, so that there are only as many series as routes.
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    requests.inc({ method, route, status: reply.statusCode })
    durations.observe({ method, route }, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', { logLevel: 'warn', onRequest: [...hooks] }, async (request, reply) => {
    if (!mayRead(request, token, local)) throw new ServiceError('route_not_found')
    void reply.header('content-type', registry.contentType)
    return text()
  })
}

/** A request that a proxy on this machine forwards does not count as local. */
function mayRead({ headers, socket }: FastifyRequest, token: string | undefined, local: boolean): boolean {
  if (token !== undefined) return same(headers.authorization ?? '', `Bearer ${token}`)
  const forwarded = Object.keys(headers).some((name) => FORWARDING.test(name))
  return local && !forwarded && isLoopback(socket.remoteAddress ?? '')
}

/** Headers that proxies add to what they forward. */
const FORWARDING = /forwarded|^via$|real-ip|client-ip|connecting-ip/

function isLoopback(address: string): boolean {
  return (
    address === '::1' || (isIP(address.replace(/^::ffff:/, '')) === 4 && /^(::ffff:)?127\./.test(address))
  )
}

/** Compares in a time that does not depend on where the texts differ. */
function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
