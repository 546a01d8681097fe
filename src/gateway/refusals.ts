import type { Refusal, Refused } from './exit.ts'

interface Answer {
  readonly status: number
  /** Code of the SOCKS5 reply (RFC 1928). */
  readonly reply: number
  /** For people, where nothing more exact is known. */
  readonly text: string
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
  bad_request: { status: 400, reply: GENERAL_FAILURE, text: 'this is no request that a proxy understands' },
  coding_unknown: {
    status: 501,
    reply: GENERAL_FAILURE,
    text: 'of transfer codings only chunked is understood',
  },
  bad_target: { status: 400, reply: BAD_ADDRESS, text: 'host and port are expected' },
  bad_parameter: { status: 400, reply: NOT_ALLOWED, text: 'a part of the username is not understood' },
  unknown_country: { status: 400, reply: NOT_ALLOWED, text: 'the product does not have this country' },
  unknown_city: { status: 400, reply: NOT_ALLOWED, text: 'the product does not have this city' },
  credentials_needed: {
    status: 407,
    reply: NOT_ALLOWED,
    text: 'this proxy asks for a username and a password',
  },
  credentials_wrong: {
    status: 407,
    reply: NOT_ALLOWED,
    text: 'username or password is wrong, or the credential is disabled',
  },
  too_many_failed_logins: {
    status: 429,
    reply: NOT_ALLOWED,
    text: 'too many wrong passwords came from this address',
    retryAfter: 60,
  },
  traffic_exhausted: { status: 402, reply: NOT_ALLOWED, text: 'no traffic is left' },
  target_refused: {
    status: 403,
    reply: NOT_ALLOWED,
    text: 'private, local and reserved addresses cannot be reached',
  },
  port_refused: { status: 403, reply: NOT_ALLOWED, text: 'the port is closed to all' },
  too_many_connections: {
    status: 429,
    reply: GENERAL_FAILURE,
    text: 'too many connections are open',
    retryAfter: 1,
  },
  target_unreachable: { status: 502, reply: HOST_UNREACHABLE, text: 'the target cannot be reached' },
  target_timeout: { status: 504, reply: TIMED_OUT, text: 'the target did not answer in time' },
  exit_failed: { status: 502, reply: GENERAL_FAILURE, text: 'the exit failed' },
  exit_timeout: { status: 504, reply: TIMED_OUT, text: 'the exit did not answer in time' },
  no_exit: { status: 503, reply: GENERAL_FAILURE, text: 'no exit works at the moment', retryAfter: 10 },
  shop_unreachable: {
    status: 503,
    reply: GENERAL_FAILURE,
    text: 'traffic cannot be counted at the moment',
    retryAfter: 10,
  },
  draining: { status: 503, reply: GENERAL_FAILURE, text: 'the gateway is being restarted', retryAfter: 1 },
}

/** SOCKS5 replies for an unreachable target, by error code of the system. */
const REPLIES_BY_CODE: Readonly<Record<string, number>> = {
  ENETUNREACH: NETWORK_UNREACHABLE,
  ECONNREFUSED: CONNECTION_REFUSED,
}

export interface HttpRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Returns the answer over HTTP: the reason in a header, a message for people in another one and as text. Clients of tunnels hardly ever
 * show the text.
 */
export function httpRefusal({ refusal, detail }: Refused): HttpRefusal {
  const { status, retryAfter, text } = ANSWERS[refusal]
  const message = detail || text
  const body = `${refusal}: ${message}\n`
  const headers = {
    ...(status === 407 && { 'Proxy-Authenticate': 'Basic realm="proxy"' }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    'X-Gateway-Error': refusal,
    // The message may quote characters of a client that a header cannot hold.
    'X-Gateway-Message': message.replaceAll(/[^ -~]/g, '?'),
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  return { status, headers, body }
}

/** Returns the code of the SOCKS5 reply. */
export function socksRefusal({ refusal, cause }: Refused): number {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
  return (refusal === 'target_unreachable' ? REPLIES_BY_CODE[code] : undefined) ?? ANSWERS[refusal].reply
}
