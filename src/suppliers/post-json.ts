import { SupplierFault } from '../core/supply/driver.ts'

/** Most bytes of an answer; a catalogue of thousands of offers takes some megabytes. */
const MAX_ANSWER_BYTES = 32_000_000

export interface HttpAnswer {
  readonly status: number
  readonly text: string
  /** From `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined
}

/** Errors of the system calls that come before a connection is there. */
const BEFORE_CONNECTED = new Set(['getaddrinfo', 'connect'])
/** Errors with which a TLS handshake ends before anything is sent. */
const HANDSHAKE_FAILED = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/**
 * Sends one POST request with a JSON body, once, over a connection of its own: a kept one may be closed by the other side at the moment
 * of sending, and nobody knows then whether the request arrived.
 *
 * @throws SupplierFault `not_sent` where the request certainly did not leave, otherwise `unknown`
 */
export async function postJson(url: string, body: unknown, signal: AbortSignal): Promise<HttpAnswer> {
  if (signal.aborted) throw new SupplierFault('not_sent', 'given up before the request')
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', connection: 'close' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    })
    return {
      status: response.status,
      text: await boundedText(response),
      retryAfterMs: retryAfter(response.headers.get('retry-after')),
    }
  } catch (error) {
    throw error instanceof SupplierFault ? error : faultOf(error, signal)
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) throw new SupplierFault('unknown', 'the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined
}

interface SystemError {
  readonly code?: string
  readonly syscall?: string
  readonly message?: string
  /** The errors of an attempt on several addresses. */
  readonly errors?: readonly SystemError[]
}

/** Returns a fault whose message names the error code only: other fields of the error hold the request. */
function faultOf(error: unknown, signal: AbortSignal): SupplierFault {
  if (signal.aborted) return new SupplierFault('unknown', 'no whole answer in time')
  const cause = ((error as Error).cause ?? error) as SystemError
  const attempts = cause.errors ?? [cause]
  const kind = attempts.every(neverConnected) ? 'not_sent' : 'unknown'
  return new SupplierFault(
    kind,
    `no answer: ${cause.code ?? attempts[0]?.code ?? cause.message ?? 'the connection failed'}`,
  )
}

/** Whether nothing was sent; fetch itself refuses the ports of some other services ("bad port"). */
function neverConnected({ code = '', syscall = '', message }: SystemError): boolean {
  if (message === 'bad port') return true
  return BEFORE_CONNECTED.has(syscall) || code === 'UND_ERR_CONNECT_TIMEOUT' || HANDSHAKE_FAILED.has(code)
}
