import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body may be missing, even when a content type announces it. */
    bodyOptional?: boolean
  }
}

/** Largest request body in bytes (rules 1.12). */
export const MAX_BODY_BYTES = 256 * 1024

/**
 * Accepts bodies in JSON and UTF-8 only. Also refuses, as `malformed_json`, what JSON.parse lets pass: invalid UTF-8
 * (it would be stored as U+FFFD), lone surrogates (they cannot be stored at all), and keys that would change a prototype.
 */
export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8Charset(request.headers['content-type']) || isEncoded(request.headers['content-encoding']))
      return done(new ServiceError('unsupported_media_type'))
    if (body.length === 0 && request.routeOptions.config.bodyOptional) return done(null)
    if (!isUtf8(body)) return done(new ServiceError('malformed_json'))
    const text = body.toString('utf8')
    if (hasLoneSurrogate(text)) return done(new ServiceError('malformed_json'))
    return parse(request, text, done)
  })
}

function isUtf8Charset(contentType: string | undefined): boolean {
  const charset = contentType && /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1]
  return charset === undefined || charset === '' || /^utf-?8$/i.test(charset)
}

/** Compressed bodies are refused: how much memory they take would be up to the sender. */
function isEncoded(contentEncoding = 'identity'): boolean {
  return contentEncoding.trim().toLowerCase() !== 'identity'
}

/** UTF-8 cannot carry half of a surrogate pair, but an escape in JSON can. */
function hasLoneSurrogate(text: string): boolean {
  if (!/\\ud[89a-f]/i.test(text)) return false
  let found = false
  try {
    JSON.parse(text, (key, value: unknown) => {
      found ||= /\p{Surrogate}/u.test(key) || (typeof value === 'string' && /\p{Surrogate}/u.test(value))
      return value
    })
  } catch {
    // Not JSON at all: the parser, which comes next, refuses it.
  }
  return found
}
