import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import { openApiDocument } from './openapi.ts'
import type { BaseAddress } from './variants.ts'

/** The page has its files from this server and needs nothing from outside; the styles that it sets itself are inline. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** It would advertise the tool that draws the page, and a field for other documents. */
const WITHOUT_TOP_BAR = { filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }

/** `GET {base}/docs`, a page to read and try the interface, and `GET {base}/openapi.json` (contract 10). */
export async function apiDocs(
  scope: FastifyInstance,
  base: BaseAddress,
  endpoints: readonly Endpoint[],
): Promise<void> {
  // The document is made when somebody asks for it first: making it takes longer than everything else at the start.
  await scope.register(swagger, {
    openapi: {},
    transformObject: () => openApiDocument(base, endpoints) as never,
  })
  await scope.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: base.path,
    staticCSP: PAGE_POLICY,
    theme: { title: 'Proxy reseller API', css: [WITHOUT_TOP_BAR] },
  })
  scope.get('/openapi.json', async () => scope.swagger())
}
