import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests are those of a monitor, which are logged at `debug`. */
    isProbe?: true
  }
}

const DENIED_STATUSES: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * Logs one line per request. It holds neither the address as it was typed (which may carry secrets) nor headers or bodies; `id`
 * is what the caller has as X-Request-Id.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, routeOptions, actor, refusedWith, clientAddress } = request
  request.log[routeOptions.config.isProbe ? 'debug' : 'info'](
    {
      id,
      method,
      route: routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(actor ? { user: actor.id } : {}),
      ...(refusedWith ? { error: refusedWith } : {}),
      // The address of a client is logged when it was refused access, and only then.
      ...(DENIED_STATUSES.has(reply.statusCode) ? { from: clientAddress } : {}),
    },
    'request',
  )
}
