import http from 'node:http'
import type { Socket } from 'node:net'
import tls from 'node:tls'
import type { ProbeStage } from '../core/checks/prober.ts'
import { ProbeFault } from './probe-fault.ts'
import { step } from './wait.ts'

/** Most bytes of an answer: far more than the echo sends. */
const MAX_BYTES = 4_096

export interface Answer {
  readonly status: number
  readonly text: string
  readonly firstByteMs: number
}

interface Request {
  /** The path, or for a proxy the whole URL. */
  readonly path: string
  readonly host: string
  readonly headers?: Readonly<Record<string, string>>
  /** The stage of a failure before the answer begins. */
  readonly stage: ProbeStage
  /** By `performance.now()`. */
  readonly deadline: number
}

/**
 * Sends one GET over a connected socket, which it ends.
 *
 * @throws ProbeFault
 */
export function get(socket: Socket, request: Request): Promise<Answer> {
  const { path, host, headers, stage, deadline } = request
  const begun = performance.now()
  return step<Answer>(socket, { stage, timeoutMs: deadline - begun }, (done, fail) => {
    const sent = http.request({
      createConnection: () => socket,
      path,
      headers: { host, 'user-agent': 'proxy-check', accept: 'text/plain', connection: 'close', ...headers },
    })
    sent.on('error', fail)
    sent.on('response', (response) => {
      const firstByteMs = Math.round(performance.now() - begun)
      let text = ''
      const end = () => {
        done({ status: response.statusCode ?? 0, text, firstByteMs })
        socket.destroy()
      }
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > MAX_BYTES) end()
      })
      response.on('end', end)
      response.on('error', fail)
    })
    sent.end()
  })
}

/**
 * Asks an HTTP proxy for a tunnel (CONNECT).
 *
 * @throws ProbeFault
 */
export function tunnel(socket: Socket, { path, host, headers, stage, deadline }: Request): Promise<Socket> {
  return step<Socket>(socket, { stage, timeoutMs: deadline - performance.now() }, (done, fail) => {
    const sent = http.request({
      createConnection: () => socket,
      method: 'CONNECT',
      path,
      headers: { host, 'user-agent': 'proxy-check', ...headers },
    })
    sent.on('error', fail)
    sent.on('connect', ({ statusCode = 0 }, tunnelled) => {
      const refusal = refusalOf(statusCode)
      if (refusal) fail(refusal)
      else done(tunnelled)
    })
    sent.on('response', ({ statusCode = 0 }) =>
      fail(refusalOf(statusCode) ?? new ProbeFault(stage, 'not_a_proxy')),
    )
    sent.end()
  })
}

/** Returns the fault that the status of a proxy means; undefined for a success. */
export function refusalOf(status: number): ProbeFault | undefined {
  if (status === 407) return new ProbeFault('credentials', 'credentials_refused')
  if (status >= 500) return new ProbeFault('echo', 'target_refused')
  if (status < 200 || status > 299) return new ProbeFault('handshake', 'not_a_proxy')
  return undefined
}

/**
 * Encrypts a connection to the echo, and checks its certificate.
 *
 * @throws ProbeFault
 */
export function encrypted(socket: Socket, servername: string, deadline: number): Promise<Socket> {
  return step<Socket>(socket, { stage: 'echo', timeoutMs: deadline - performance.now() }, (done, fail) => {
    const secure = tls.connect({ socket, servername })
    secure.once('error', fail)
    secure.once('secureConnect', () => {
      secure.off('error', fail)
      done(secure)
    })
  })
}
