import type { FastifyReply, FastifyRequest } from 'fastify'
import { databaseUnavailable } from '../core/database/sqlite-error.ts'
import { type ErrorCode, ServiceError } from '../core/errors.ts'
import { errorBody } from './error-body.ts'
import { errorPageOf, ERROR_STATUS } from './errors.ts'
import type { Language } from './language.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The error that was answered, for the log line. */
    refusedWith: ErrorCode | null
  }
}

/** Fastify's own refusals that a caller can cause. Clients do not see its codes. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_BAD_URL: 'route_not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'route_not_found',
  FST_ERR_NOT_FOUND: 'route_not_found',
  // The connection broke in the middle of the body.
  ECONNRESET: 'malformed_json',
}

/** Returns the header `WWW-Authenticate` of a 401 (RFC 6750, 3). */
function challenge({ headers }: FastifyRequest, code: ErrorCode): string {
  const refused = headers.authorization !== undefined && code !== 'invalid_credentials'
  return refused ? 'Bearer error="invalid_token"' : 'Bearer'
}

/** Seconds after which a retry makes sense when the service itself could not say (rules 1.14). */
const RETRY_AFTER_SECONDS = 1

/**
 * Answers an error, whatever was thrown, in the caller's language (rules 1.3).
 *
 * @param base address of the interface below which the page of the error is
 */
export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  language: Language,
  base: string,
): FastifyReply {
  const error = toServiceError(thrown)
  const status = ERROR_STATUS[error.code]
  if (status >= 500) logFailure(request, error, thrown)
  request.refusedWith = error.code
  // A 503 does not count against the limit of the client (rules 10.25).
  if (status === 503) request.uncount?.()

  const retryAfter = error.retryAfter ?? (status === 429 || status === 503 ? RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  void reply.header('link', `<${base}/${errorPageOf(error.code)}>; rel="help"`)
  if (status === 401) void reply.header('www-authenticate', challenge(request, error.code))
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error, language, request.id)))
}

function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  const code =
    thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  const known = FRAMEWORK_ERRORS[code]
  if (known) return new ServiceError(known)
  return new ServiceError(databaseUnavailable(thrown) ? 'unavailable' : 'internal_error', { cause: thrown })
}

/** Logs bugs and outages whole; the client learns only the code and the request id. */
function logFailure(request: FastifyRequest, { code, cause }: ServiceError, thrown: unknown): void {
  request.log.error(
    { id: request.id, route: request.routeOptions.url, error: code, err: cause ?? thrown },
    'a request failed',
  )
}
