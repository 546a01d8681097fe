import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Core } from '../core/core.ts'
import { ServiceError } from '../core/errors.ts'

/**
 * `GET /suppliers/:name/:secret`: where a supplier says that something has happened to an order (rules 11.15). Not part of the
 * documented interface. An address that nobody has is answered as any other unknown route.
 */
export function supplierCallbacks(
  server: FastifyInstance,
  core: Core,
  hooks: readonly onRequestAsyncHookHandler[],
): void {
  // The address holds a secret, so it is not logged unless something is wrong.
  server.get<{ Params: { name: string; secret: string } }>(
    '/suppliers/:name/:secret',
    { logLevel: 'warn', exposeHeadRoute: false, onRequest: [...hooks] },
    async ({ params, query }) => {
      const texts = Object.entries(query as Record<string, unknown>).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value] as const] : [],
      )
      const taken = await core.supply.callback(params.name, params.secret, Object.fromEntries(texts))
      if (!taken) throw new ServiceError('route_not_found')
      return taken.answer
    },
  )
}
