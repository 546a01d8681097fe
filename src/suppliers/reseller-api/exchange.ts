import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { SupplierFault } from '../../core/supply/driver.ts'

/** Largest answer that is read. */
const MAX_BYTES = 32 * 1024 * 1024

export interface Exchange {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The body in JSON. */
  readonly body?: string | undefined
  readonly signal: AbortSignal
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/**
 * Sends a request on a connection of its own, so that no request is lost on one that the other side has closed meanwhile. Redirects
 * are answers like any other.
 *
 * @throws SupplierFault `not_sent` when there was no connection yet, `unknown` afterwards
 */
export function exchange({ method, url, headers, body, signal }: Exchange): Promise<RawAnswer> {
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    // The request leaves this machine only when this is true.
    let connected = false
    const fail = (error: unknown) => reject(faultOf(error, connected, url))
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method,
      signal,
      agent: false,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
    })
    request.on('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true
      }),
    )
    request.on('error', fail)
    request.on('response', (answer) => {
      read(answer).then(
        (text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        fail,
      )
    })
    request.end(body)
  })
}

async function read(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function faultOf(error: unknown, connected: boolean, { host }: URL): SupplierFault {
  const { code, name, message } = error as NodeJS.ErrnoException
  const reason = name === 'AbortError' ? 'no answer in time' : (code ?? message)
  return connected
    ? new SupplierFault('unknown', `No whole answer from ${host}: ${reason}`)
    : new SupplierFault('not_sent', `No connection to ${host}: ${reason}`)
}
