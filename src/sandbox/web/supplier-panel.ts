import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Upstream, UPSTREAM_FAULTS } from '../upstream.ts'
import { PageError } from './page-error.ts'

const balanceBody = z.object({ change: z.enum(['add', 'empty']) })
const faultBody = z.object({ fault: z.enum(UPSTREAM_FAULTS), isOn: z.boolean() })
const proxyBody = z.object({ instanceNo: z.string(), isDead: z.boolean() })

/** Registers the routes of the supplier panel; each answers with the state of the supplier after the request. */
export function supplierPanel(upstream: Upstream): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/supplier', (_request, reply) =>
      reply.header('cache-control', 'no-store').send(upstream.state()),
    )

    app.post('/api/supplier/balance', { schema: { body: balanceBody } }, ({ body: { change } }) => {
      upstream.changeBalance(change)
      return upstream.state()
    })

    app.post('/api/supplier/faults', { schema: { body: faultBody } }, ({ body: { fault, isOn } }) => {
      upstream.switchFault(fault, isOn)
      return upstream.state()
    })

    app.post('/api/supplier/proxies', { schema: { body: proxyBody } }, ({ body: { instanceNo, isDead } }) => {
      if (!upstream.switchProxy(instanceNo, isDead))
        throw new PageError(404, 'no-proxy', 'The supplier has no such proxy')
      return upstream.state()
    })
  }
}
