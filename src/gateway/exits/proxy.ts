import { isIP, isIPv6, type Socket } from 'node:net'
import tls from 'node:tls'
import type { Attempt } from '../attempt.ts'
import { type Connection, ignoreError, StreamConnection } from '../connection.ts'
import type { Target } from '../exit.ts'
import { connectToAny } from './connect-to-any.ts'
import { connectFault, ExitFault, faultOfEnd } from './exit-fault.ts'
import { ExitNames } from './exit-names.ts'
import { Handshake } from './handshake.ts'
import { askSocks5 } from './socks5.ts'
import type { AskedTarget } from './target-names.ts'

/** How long an exit that is a proxy may take (rules 12.5); tests have shorter times. */
export interface ProxyTimes {
  readonly connectMs: number
  /** From then on until the connection is open as far as the target. */
  readonly handshakeMs: number
}

export const PROXY_TIMES: ProxyTimes = { connectMs: 10_000, handshakeMs: 15_000 }

const PORTS = { http: 80, https: 443, socks5: 1080 } as const

export interface Proxy {
  readonly protocol: keyof typeof PORTS
  readonly host: string
  readonly port: number
  /** Empty: the proxy is asked without credentials. */
  readonly username: string
  readonly password: string
}

/**
 * The parts of the address of a proxy, such as `socks5://user:password@host:1080`.
 *
 * @throws ExitFault
 */
export function proxyAt(address: string | null): Proxy {
  try {
    const { protocol, hostname, port, username, password } = new URL(address ?? '')
    const name = protocol.slice(0, -1) as Proxy['protocol']
    return {
      protocol: name,
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || PORTS[name]),
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
    }
  } catch {
    throw new ExitFault('exit_failed', 'exit', 'its address is malformed')
  }
}

/**
 * Connects to the target through a proxy, which resolves the name of the target itself.
 *
 * @throws ExitFault; what the function for the target throws; the reason for which the attempt was given up
 */
export async function connectThrough(
  proxy: Proxy,
  target: AskedTarget,
  attempt: Attempt,
  { connectMs, handshakeMs }: ProxyTimes,
): Promise<Connection> {
  let connection = await connectTo(proxy, connectMs, attempt)
  const timer = setTimeout(() => connection.socket.destroy(tooLate()), handshakeMs)
  try {
    attempt.step((reason) => void connection.socket.destroy(reason))
    const asked = typeof target === 'function' ? await target(connection.socket.remoteAddress ?? '') : target
    if (proxy.protocol === 'https') connection = await encrypted(connection.socket, proxy.host)
    const handshake = new Handshake(connection)
    await (proxy.protocol === 'socks5' ? askSocks5 : askHttp)(handshake, proxy, asked)
    return handshake.openedConnection()
  } catch (error) {
    connection.socket.destroy()
    throw attempt.reason ?? error
  } finally {
    clearTimeout(timer)
    attempt.step(undefined)
  }
}

const names = new ExitNames()

async function connectTo({ host, port }: Proxy, timeoutMs: number, attempt: Attempt): Promise<Connection> {
  const deadline = performance.now() + timeoutMs
  const tooLate = () => Object.assign(new Error(`${host} was not resolved in time`), { code: 'ETIMEDOUT' })
  try {
    const addresses = isIP(host) ? [host] : await attempt.wait(names.addressesOf(host), timeoutMs, tooLate)
    return await connectToAny(addresses, port, deadline, attempt)
  } catch (error) {
    throw attempt.reason ?? connectFault(error)
  }
}

function tooLate(): ExitFault {
  return new ExitFault('exit_timeout', 'unclear', 'no answer in time')
}

function encrypted(socket: Socket, host: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const secure = tls.connect({ socket, ...(!isIP(host) && { servername: host }) })
    const fail = (error?: Error) => {
      const { code = 'closed' } = (error ?? {}) as NodeJS.ErrnoException
      const fault = new ExitFault('exit_failed', 'exit', `no TLS connection (${code})`, { cause: error })
      reject(faultOfEnd(socket, fault))
      secure.destroy()
    }
    secure.on('error', fail).once('close', fail)
    secure.once('secureConnect', () => {
      secure.off('close', fail).off('error', fail).on('error', ignoreError)
      resolve(new StreamConnection(secure))
    })
  })
}

/** Asks an HTTP proxy for a tunnel (RFC 9110, 9.3.6). */
async function askHttp(handshake: Handshake, { username, password }: Proxy, target: Target): Promise<void> {
  const name = `${isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const login = username === '' ? '' : `Proxy-Authorization: Basic ${credentials}\r\n`
  handshake.write(`CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n${login}\r\n`)
  const head = await handshake.read((bytes) => {
    const end = bytes.indexOf('\r\n\r\n')
    return end < 0 ? undefined : { result: bytes.toString('latin1', 0, end), length: end + 4 }
  })
  const status = /^HTTP\/1\.[01] (\d{3})(?: |\r|$)/.exec(head)?.[1]
  if (status?.[0] !== '2') throw faultOfStatus(status)
}

function faultOfStatus(status: string | undefined): ExitFault {
  const detail = status ? (`it answered ${Number(status)}` as const) : 'it does not speak HTTP'
  switch (status) {
    case '401':
    case '402':
    case '407':
      return new ExitFault('exit_failed', 'credentials', detail)
    case '403':
      return new ExitFault('target_refused', 'unclear', detail)
    case '404':
    case '500':
    case '502':
    case '503':
      return new ExitFault('target_unreachable', 'unclear', detail)
    case '504':
      return new ExitFault('target_timeout', 'unclear', detail)
    case undefined:
      return new ExitFault('exit_failed', 'exit', detail)
    default:
      return new ExitFault('exit_failed', 'unclear', detail)
  }
}
