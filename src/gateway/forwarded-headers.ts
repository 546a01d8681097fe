import type { IncomingMessage } from 'node:http'

/** Headers that are meant for one connection only (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/**
 * The headers of a request as the target gets them: names, order and values as the client wrote them, and none that tells of a
 * proxy.
 *
 * @param host of the URL, which counts for a proxy (RFC 9112, 3.2.2)
 * @returns names and values in turn
 */
export function requestHeaders(request: IncomingMessage, host: string, upgrade: boolean): string[] {
  const { headers, method = '' } = request
  const kept = endToEnd(request, ['host', 'content-length'])
  const lengthless = METHODS_WITH_BODY.has(method) ? '0' : undefined
  const length = headers['content-length'] ?? lengthless
  const body = headers['transfer-encoding']
    ? ['Transfer-Encoding', 'chunked']
    : length && ['Content-Length', length]
  const connection = upgrade
    ? ['Connection', 'Upgrade', 'Upgrade', headers.upgrade ?? '']
    : ['Connection', 'close']
  return ['Host', host, ...kept, ...(body || []), ...connection]
}

/** The headers of an answer as the client gets them; Node adds how its body is delimited. */
export function responseHeaders(response: IncomingMessage): string[] {
  const length = response.headers['content-length']
  return [
    ...endToEnd(response, ['content-length']),
    ...(length === undefined ? [] : ['Content-Length', length]),
  ]
}

/** @param but names that are left out, too */
function endToEnd({ rawHeaders, headers }: IncomingMessage, but: readonly string[]): string[] {
  const named = headers.connection?.split(',').map((name) => name.trim().toLowerCase()) ?? []
  const dropped = new Set([...HOP_BY_HOP, ...named, ...but])
  return rawHeaders.filter((_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()))
}
