import type { Refusal, Refused } from './exit.ts'

interface Answer {
  readonly status: number
  /** Code of the SOCKS5 reply (RFC 1928). */
  readonly reply: number
  /** After how many seconds another attempt makes sense. */
  readonly retryAfter?: number
}

const GENERAL_FAILURE = 1
const NOT_ALLOWED = 2
const NETWORK_UNREACHABLE = 3
const HOST_UNREACHABLE = 4
const CONNECTION_REFUSED = 5
const TIMED_OUT = 6
const BAD_ADDRESS = 8

/** How each refusal is answered (rules 12.12). */
const ANSWERS: Readonly<Record<Refusal, Answer>> = {
  bad_request: { status: 400, reply: GENERAL_FAILURE },
  bad_target: { status: 400, reply: BAD_ADDRESS },
  bad_parameter: { status: 400, reply: NOT_ALLOWED },
  unknown_country: { status: 400, reply: NOT_ALLOWED },
  unknown_city: { status: 400, reply: NOT_ALLOWED },
  credentials_needed: { status: 407, reply: NOT_ALLOWED },
  credentials_wrong: { status: 407, reply: NOT_ALLOWED },
  too_many_failed_logins: { status: 429, reply: NOT_ALLOWED, retryAfter: 60 },
  traffic_exhausted: { status: 402, reply: NOT_ALLOWED },
  target_refused: { status: 403, reply: NOT_ALLOWED },
  port_refused: { status: 403, reply: NOT_ALLOWED },
  too_many_connections: { status: 429, reply: GENERAL_FAILURE, retryAfter: 1 },
  target_unreachable: { status: 502, reply: HOST_UNREACHABLE },
  target_timeout: { status: 504, reply: TIMED_OUT },
  exit_failed: { status: 502, reply: GENERAL_FAILURE },
  exit_timeout: { status: 504, reply: TIMED_OUT },
  no_exit: { status: 503, reply: GENERAL_FAILURE, retryAfter: 10 },
  shop_unreachable: { status: 503, reply: GENERAL_FAILURE, retryAfter: 10 },
  draining: { status: 503, reply: GENERAL_FAILURE, retryAfter: 1 },
}

/** Why the target is unreachable, where the system says more. */
const REPLIES_BY_CODE: Readonly<Record<string, number>> = {
  ENETUNREACH: NETWORK_UNREACHABLE,
  ECONNREFUSED: CONNECTION_REFUSED,
}

export interface HttpRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answer over HTTP: the reason in a header and as text. */
export function httpRefusal({ refusal, detail }: Refused): HttpRefusal {
  const { status, retryAfter } = ANSWERS[refusal]
  const body = detail ? `${refusal}: ${detail}\n` : `${refusal}\n`
  const headers = {
    ...(status === 407 && { 'Proxy-Authenticate': 'Basic realm="proxy"' }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    'X-Gateway-Error': refusal,
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  return { status, headers, body }
}

/** The code of the SOCKS5 reply. */
export function socksRefusal({ refusal, cause }: Refused): number {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return (refusal === 'target_unreachable' ? REPLIES_BY_CODE[code] : undefined) ?? ANSWERS[refusal].reply
}
