import { createServer as createHttpServer } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { type ApiOptions, createServer } from '../../src/api/server.ts'

/**
 * The HTTP server of the product, whose routes are made when the first request comes: that takes as long as the rest of a start, and most
 * tests of conversations make no request. Connections are not bounded, and no other plugin gets its hooks.
 */
export async function lazyServer(options: ApiOptions): Promise<FastifyInstance> {
  let made: Promise<FastifyInstance> | undefined
  const make = async () => {
    const server = await createServer(options)
    await server.ready()
    return server
  }
  const http = createHttpServer((request, response) => {
    made ??= make()
    made.then(
      (server) => server.routing(request, response),
      (error: Error) => response.destroy(error),
    )
  })
  const server = Fastify({ serverFactory: () => http })
  server.addHook('preClose', async () => {
    await (await made)?.close()
    http.closeIdleConnections()
  })
  return server
}
