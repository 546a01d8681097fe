import type { IncomingMessage, ServerResponse } from 'node:http'
import { headText } from './forwarded-headers.ts'

/** Headers that the answer to `TRACE` leaves out, as they are not meant for its readers. */
const SENSITIVE = new Set(['proxy-authorization', 'authorization', 'cookie'])

/**
 * Answers a request that goes no further: `OPTIONS *` asks about the gateway itself, and with `Max-Forwards: 0` it is the last recipient
 * (RFC 9110, 7.6.2). `TRACE` gets the request as it came (9.3.8).
 */
export function answerItself(request: IncomingMessage, response: ServerResponse): void {
  const { method, url, httpVersion, rawHeaders } = request
  if (method !== 'TRACE') return void response.writeHead(200, { 'Content-Length': 0 }).end()
  const shown = rawHeaders.filter((_, at) => !SENSITIVE.has(rawHeaders[at - (at % 2)]?.toLowerCase() ?? ''))
  const body = headText(`${method} ${url} HTTP/${httpVersion}`, shown)
  response.writeHead(200, { 'Content-Type': 'message/http' }).end(body, 'latin1')
}
