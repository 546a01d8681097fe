import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../core/errors.ts'
import { limitPerAddress } from './limits.ts'

/** Requests a minute per network: far more than checks of a proxy make. Only tokens that the service made are answered. */
const PER_MINUTE = 600

/**
 * `GET /echo/<token>`: the address that checks request through a proxy (rules 5.20). Answers a fresh token of the service with its
 * nonce and the address from which the request came, as plain text; everything else as an unknown route.
 *
 * @param answer text of the answer; undefined for a token that is not valid, or too old
 */
export function echo(
  server: FastifyInstance,
  answer: (token: string, address: string) => string | undefined,
): void {
  server.get<{ Params: { token: string } }>(
    '/echo/:token',
    { logLevel: 'warn', onRequest: limitPerAddress(() => PER_MINUTE) },
    async ({ params, clientAddress }, reply) => {
      const text = answer(params.token, clientAddress)
      if (text === undefined) throw new ServiceError('route_not_found')
      return reply.type('text/plain; charset=utf-8').send(text)
    },
  )
}
