import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { SandboxGateway } from '../sandbox-gateway.ts'
import { PageError } from './page-error.ts'

const exitBody = z.object({ username: z.string(), isDead: z.boolean() })

/** Registers the routes of the gateway panel; each answers with the state of the gateway after the request. */
export function gatewayPanel(gateway: SandboxGateway): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/gateway', (_request, reply) =>
      reply.header('cache-control', 'no-store').send(gateway.state()),
    )

    app.post('/api/gateway/exits', { schema: { body: exitBody } }, ({ body: { username, isDead } }) => {
      if (!gateway.switchExit(username, isDead)) throw new PageError(404, 'no-exit', 'There is no such exit')
      return gateway.state()
    })
  }
}
