import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import type { Echo } from '../core/checks/echo.ts'
import type { ExitProber, TriedExit, TriedTarget } from '../core/gateway/exit-probe.ts'
import { encrypted, get, tunnel } from './ask-echo.ts'
import { faultAt, ProbeFault } from './probe-fault.ts'
import { throughSocks5 } from './socks5.ts'
import { step } from './wait.ts'

const CONNECT_MS = 10_000
/** The limit of a trial, the connection included. */
const TRIAL_MS = 20_000

interface ExitProberOptions {
  readonly echo: Echo
  /** Where the echo is reached from outside, without a slash at the end. */
  readonly echoUrl: string | undefined
  /** The target that is tried when nothing outside reaches the echo. */
  readonly probeTarget: TriedTarget
}

/** The implementation of the port {@link ExitProber}: one real connection from this machine, by the protocol of the exit. */
export function createExitProber({ echo, echoUrl, probeTarget }: ExitProberOptions): ExitProber {
  return async (exit, wanted) => {
    const begun = performance.now()
    const deadline = begun + TRIAL_MS
    const elapsed = () => Math.round(performance.now() - begun)
    const trial = {
      connectMs: null as number | null,
      totalMs: null as number | null,
      exitAddress: null as string | null,
    }
    const base = wanted === undefined && echoUrl !== undefined ? new URL(echoUrl) : undefined
    const target = base ? targetOf(base) : (wanted ?? probeTarget)
    let socket: Socket | undefined
    try {
      socket = await connect(exit, target)
      trial.connectMs = elapsed()
      const opened = exit ? await through(socket, exit, target, deadline) : socket
      if (base) trial.exitAddress = await addressByEcho(echo, base, opened, deadline)
      return { ...trial, totalMs: elapsed(), failure: null }
    } catch (error) {
      const { stage, reason } = faultAt(trial.connectMs === null ? 'connect' : 'handshake', error)
      return { ...trial, failure: { stage, reason } }
    } finally {
      socket?.destroy()
    }
  }
}

/** Connects to the exit, or without one to the target; encrypts the way to an https proxy. */
async function connect(exit: TriedExit, target: TriedTarget): Promise<Socket> {
  const url = exit && new URL(exit.address)
  const { host, port } = url ? targetOf(url) : target
  const socket = net.connect({ host, port, noDelay: true })
  await step<void>(socket, { stage: 'connect', timeoutMs: CONNECT_MS }, (done) =>
    socket.once('connect', () => done()),
  )
  if (url?.protocol !== 'https:') return socket
  return step<Socket>(socket, { stage: 'handshake', timeoutMs: CONNECT_MS }, (done, fail) => {
    const secure = tls.connect({ socket, ...(net.isIP(host) === 0 && { servername: host }) })
    secure.once('error', fail)
    secure.once('secureConnect', () => {
      secure.off('error', fail)
      done(secure)
    })
  })
}

async function through(
  socket: Socket,
  exit: NonNullable<TriedExit>,
  target: TriedTarget,
  deadline: number,
): Promise<Socket> {
  const { username, password } = exit.credentials ?? { username: '', password: '' }
  const { hostname, port } = new URL(exit.address)
  if (exit.address.startsWith('socks5:')) {
    await throughSocks5(socket, { ip: hostname, port: Number(port), username, password }, target, deadline)
    return socket
  }
  const name = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  return tunnel(socket, {
    path: name,
    host: name,
    headers: username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` },
    stage: 'handshake',
    deadline,
  })
}

/** @throws ProbeFault when another server answers */
async function addressByEcho(echo: Echo, base: URL, socket: Socket, deadline: number): Promise<string> {
  const token = echo.token()
  const { pathname } = new URL(`${base.href.replace(/\/$/, '')}/echo/${token}`)
  const way = base.protocol === 'https:' ? await encrypted(socket, base.hostname, deadline) : socket
  const { text } = await get(way, { path: pathname, host: base.host, stage: 'echo', deadline })
  const address = echo.addressIn(text, token)
  if (address === undefined) throw new ProbeFault('echo', 'wrong_answer')
  return address
}

/** Host and port of a URL. */
function targetOf({ protocol, hostname, port }: URL): TriedTarget {
  const usual = protocol === 'https:' ? 443 : 80
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usual : Number(port) }
}
