import type { IncomingMessage } from 'node:http'

/** Headers that are meant for one connection only (RFC 9110, 7.6.1), and those of proxies (11.7). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const METHODS_WITH_HOPS = new Set(['TRACE', 'OPTIONS'])
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Returns the headers of a request as the target gets them: names, order and values as the client wrote them, and none that tells of
 * a proxy.
 *
 * @param host the host of the URL, which replaces the `Host` header for a proxy (RFC 9112, 3.2.2)
 * @returns names and values in turn
 */
export function requestHeaders(request: IncomingMessage, host: string, upgrade: boolean): string[] {
  const { headers, method = '' } = request
  const hops = hopsLeft(request)
  // `Expect` of a client of HTTP/1.0 is ignored (RFC 9110, 10.1.1).
  const dropped = [hops === undefined ? [] : 'max-forwards', isOld(request) ? 'expect' : []]
  const kept = endToEnd(request, ['host', 'content-length', ...dropped.flat()])
  const lengthless = METHODS_WITH_BODY.has(method) ? '0' : undefined
  const length = headers['content-length'] ?? lengthless
  const body = headers['transfer-encoding']
    ? ['Transfer-Encoding', 'chunked']
    : length && ['Content-Length', length]
  const connection = upgrade
    ? ['Connection', 'Upgrade', 'Upgrade', headers.upgrade ?? '']
    : ['Connection', 'close']
  const hop = hops === undefined ? [] : ['Max-Forwards', String(hops - 1)]
  return ['Host', host, ...kept, ...hop, ...(body || []), ...connection]
}

/** Whether a client speaks HTTP/1.0, which knows neither interim answers nor chunks nor upgrades. */
export function isOld({ httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMinor < 1
}

/** How many recipients a request may still have; undefined: as many as it takes. Only two methods count them (RFC 9110, 7.6.2). */
export function hopsLeft({ method = '', headers }: IncomingMessage): number | undefined {
  const { 'max-forwards': hops = '' } = headers
  return METHODS_WITH_HOPS.has(method) && /^\d{1,9}$/.test(String(hops)) ? Number(hops) : undefined
}

/** Whether a body follows the head of a request. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Returns a head as it is sent. */
export function headText(startLine: string, headers: readonly string[]): string {
  const fields = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  return `${startLine}\r\n${fields.join('')}\r\n`
}

/** Returns the headers of an answer as the client gets them; Node adds a missing date, and how the body is delimited. */
export function responseHeaders(response: IncomingMessage): string[] {
  // Without content there is no length (RFC 9110, 8.6).
  const length = response.statusCode === 204 ? undefined : response.headers['content-length']
  return [
    ...endToEnd(response, ['content-length']),
    ...(length === undefined ? [] : ['Content-Length', length]),
  ]
}

/**
 * Returns the headers that are not meant for one connection only.
 *
 * @param but names that are left out, too
 */
export function endToEnd(
  { rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  but: readonly string[] = [],
): string[] {
  const named = headers.connection?.split(',').map((name) => name.trim().toLowerCase()) ?? []
  const dropped = new Set([...HOP_BY_HOP, ...named, ...but])
  return rawHeaders.filter((_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()))
}
