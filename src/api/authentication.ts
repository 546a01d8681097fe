import type { FastifyRequest } from 'fastify'
import type { Actor } from '../core/access/actor.ts'
import type { ApiKeyUse } from '../core/api-keys/use-api-key.ts'
import type { Core } from '../core/core.ts'
import { ServiceError } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null on a public route, and until the token has been read. */
    actor: Actor | null
  }
}

/**
 * Reads the access token or API key of a request (rules 2.3, 1.17) before its body is read, so that a stranger cannot make the
 * server parse anything.
 *
 * @param scope what an API key needs, one scope or several; null: none will do
 * @throws token_missing, token_invalid, address_not_allowed, scope_missing, user_not_found, account_disabled, account_not_activated
 */
export function authenticator(core: Core, scope: ApiKeyUse['scope']) {
  return async (request: FastifyRequest): Promise<void> => {
    const use = { address: request.clientAddress, scope }
    request.actor = {
      ...(await core.accounts.authenticate(bearerToken(request), use)),
      origin: request.clientAddress,
    }
  }
}

/**
 * Lets gateways in by their token (rules 12.1), and nobody else.
 *
 * @throws token_missing, token_invalid
 */
export function gatewayAuthenticator(core: Core) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!core.gateway.accepts(bearerToken(request))) throw new ServiceError('token_invalid')
  }
}

/**
 * What a request identifies itself with.
 *
 * @throws token_missing, token_invalid
 */
export function bearerToken({ headers: { authorization } }: FastifyRequest): string {
  if (!authorization) throw new ServiceError('token_missing')
  // The scheme has no case (RFC 9110, 11.1).
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1]
  if (!token) throw new ServiceError('token_invalid')
  return token
}
