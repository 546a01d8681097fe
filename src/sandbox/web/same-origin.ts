import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request comes from the page itself or from a program, and not from a web page of another origin.
 * Browsers state it in `Sec-Fetch-Site`; older ones, and pages over plain http, only send `Origin`.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}
