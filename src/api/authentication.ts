import type { FastifyRequest } from 'fastify'
import type { Actor } from '../core/access/actor.ts'
import type { ApiKeyUse } from '../core/api-keys/use-api-key.ts'
import type { Core } from '../core/core.ts'
import { ServiceError } from '../core/errors.ts'
import type { OperatorCall } from './endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The acting account; null on public and gateway routes, and until the token has been read. */
    actor: Actor | null
    /** Who acts for the shop; null on all routes but the operator's, and until the token has been read. */
    operatorCall: OperatorCall | null
  }
}

/**
 * Reads the access token or API key of a request (rules 2.3, 1.17) before its body is read, so that a stranger cannot make the
 * server parse anything.
 *
 * @param scope the scopes that an API key needs, one or several; null: no API key will do
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

/** The cookie in which a browser keeps the token of a session of those who run the shop. */
export const SESSION_COOKIE = 'operator_session'

/**
 * Lets in those who run the shop by the token of a session (rules 14.11), as a bearer or in the cookie. With the cookie, what changes
 * something must come from a page of this service.
 *
 * @throws token_missing, token_invalid
 */
export function operatorAuthenticator(core: Core) {
  return async (request: FastifyRequest): Promise<void> => {
    const { authorization, cookie = '' } = request.headers
    const kept = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w-]+)`).exec(cookie)?.[1]
    const byCookie = authorization === undefined && kept !== undefined
    if (byCookie && request.method !== 'GET' && !isOfThisService(request))
      throw new ServiceError('token_invalid')
    const token = byCookie ? kept : bearerToken(request)
    request.operatorCall = { token, ...(await core.people.operatorOfToken(token)) }
  }
}

/** Whether a browser says that a request comes from a page of this service. */
function isOfThisService({ headers: { origin }, host }: FastifyRequest): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Returns the bearer token of a request.
 *
 * @throws token_missing, token_invalid
 */
export function bearerToken({ headers: { authorization } }: FastifyRequest): string {
  if (!authorization) throw new ServiceError('token_missing')
  // The scheme is case-insensitive (RFC 9110, 11.1).
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1]
  if (!token) throw new ServiceError('token_invalid')
  return token
}
