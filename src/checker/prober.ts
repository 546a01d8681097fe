import { setMaxListeners } from 'node:events'
import net, { type Socket } from 'node:net'
import type { Echo } from '../core/checks/echo.ts'
import { type Probe, PROBE_STAGES, type ProbedProxy, type ProxyProber } from '../core/checks/prober.ts'
import { encrypted, get, refusalOf, tunnel } from './ask-echo.ts'
import { faultAt, ProbeFault } from './probe-fault.ts'
import { throughSocks5 } from './socks5.ts'
import { step } from './wait.ts'

const CONNECT_MS = 5_000
/** The limit of an attempt by one protocol, the connection included; two of them and the rest fit into 15 seconds. */
const ATTEMPT_MS = 7_000
/** How long the answer of the controls counts for all probes; less than the pause between two failures that make a proxy dead. */
const CONTROL_LASTS_MS = 4_000
/** How long a probe that came through proves that the echo can be reached. */
const PROOF_LASTS_MS = 24 * 60 * 60_000

/** Where a connection goes. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

export interface ProberOptions {
  /** Where the echo is reached from outside, without a slash at the end, such as `https://example.com`; empty: nowhere yet. */
  readonly echoUrl: () => string
  readonly echo: Echo
  /** A proxy of which the operator knows that it works. */
  readonly controlProxy?: ProbedProxy | undefined
  /** Aborts what is under way at the shutdown. */
  readonly closing?: AbortSignal | undefined
  /** Redirects connections to proxies, for the sandbox and tests. */
  readonly dial?: ((proxy: Endpoint) => Endpoint) | undefined
}

/** How far an attempt came, while it is under way. */
interface Progress {
  connectMs: number | null
  firstByteMs: number | null
}

/** The implementation of the port {@link ProxyProber}: real connections from this machine. */
export function createProber({
  echoUrl,
  echo,
  controlProxy,
  closing,
  dial = (proxy) => proxy,
}: ProberOptions): ProxyProber {
  // Each connection adds a listener, and there may be many at a time.
  if (closing) setMaxListeners(0, closing)
  let provedAt = -Infinity
  type Way = (socket: Socket, proxy: ProbedProxy, target: Target, deadline: number) => Promise<Reply>

  async function attempt(proxy: ProbedProxy, way: Way): Promise<Probe> {
    const deadline = performance.now() + ATTEMPT_MS
    const progress: Progress = { connectMs: null, firstByteMs: null }
    let socket: Socket | undefined
    try {
      const target = targetOf(echoUrl(), echo.token())
      const begun = performance.now()
      socket = await connect(dial({ host: proxy.ip, port: proxy.port }), closing)
      progress.connectMs = Math.round(performance.now() - begun)
      const { text, firstByteMs } = await way(socket, proxy, target, deadline)
      progress.firstByteMs = firstByteMs
      const exitAddress = echo.addressIn(text, target.token)
      if (exitAddress === undefined) throw new ProbeFault('echo', 'wrong_answer')
      provedAt = performance.now()
      return { ...progress, stage: 'done', reason: null, exitAddress }
    } catch (error) {
      if (closing?.aborted) throw new Error('the service is closing', { cause: error })
      const { stage, reason, local } = faultAt('handshake', error)
      return { ...progress, stage, reason, exitAddress: null, ...(local && { local }) }
    } finally {
      socket?.destroy()
    }
  }

  async function probe(proxy: ProbedProxy): Promise<Probe> {
    const http = await attempt(proxy, byHttp)
    // A refused connection or refused credentials say all there is to know.
    if (http.stage === 'done' || http.stage === 'connect' || http.stage === 'credentials') return http
    const socks = await attempt(proxy, bySocks5)
    return PROBE_STAGES.indexOf(socks.stage) > PROBE_STAGES.indexOf(http.stage) ? socks : http
  }

  async function askDirectly(): Promise<boolean> {
    const deadline = performance.now() + ATTEMPT_MS
    const target = targetOf(echoUrl(), echo.token())
    let socket: Socket | undefined
    try {
      socket = await connect(target, closing)
      const { text } = await getEcho(socket, target, deadline)
      return echo.addressIn(text, target.token) !== undefined
    } catch (error) {
      if (closing?.aborted) throw new Error('the service is closing', { cause: error })
      return false
    } finally {
      socket?.destroy()
    }
  }

  async function askControls(): Promise<boolean> {
    if (!(await askDirectly())) return false
    return controlProxy === undefined || (await probe(controlProxy)).stage === 'done'
  }

  let asked: { readonly at: number; readonly works: Promise<boolean> } | undefined
  return {
    get ready() {
      return echoUrl() !== ''
    },
    probe,
    get proven() {
      return controlProxy !== undefined || performance.now() - provedAt < PROOF_LASTS_MS
    },
    controlWorks: () => {
      const now = performance.now()
      if (!asked || now - asked.at > CONTROL_LASTS_MS) asked = { at: now, works: askControls() }
      return asked.works
    },
  }
}

/** The address of the echo for one probe. */
interface Target extends Endpoint {
  readonly secure: boolean
  readonly url: string
  readonly path: string
  /** The value of the header `Host`. */
  readonly name: string
  readonly token: string
}

function targetOf(base: string, token: string): Target {
  const { protocol, hostname, host, port, pathname, href } = new URL(`${base}/echo/${token}`)
  const secure = protocol === 'https:'
  return {
    secure,
    url: href,
    path: pathname,
    name: host,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    token,
  }
}

async function connect({ host, port }: Endpoint, signal: AbortSignal | undefined): Promise<Socket> {
  const socket = net.connect({ host, port, noDelay: true, ...(signal && { signal }) })
  await step<void>(socket, { stage: 'connect', timeoutMs: CONNECT_MS }, (done) =>
    socket.once('connect', () => done()),
  )
  return socket
}

interface Reply {
  readonly text: string
  readonly firstByteMs: number
}

/** Asks by HTTP: with the whole URL in the request line, or through a tunnel where the echo is encrypted. */
async function byHttp(
  socket: Socket,
  { username, password }: ProbedProxy,
  target: Target,
  deadline: number,
): Promise<Reply> {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const headers: Record<string, string> =
    username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }
  if (target.secure) {
    const name = `${target.name.replace(/:\d+$/, '')}:${target.port}`
    const opened = await tunnel(socket, { path: name, host: name, headers, stage: 'handshake', deadline })
    return getEcho(opened, target, deadline)
  }
  const answer = await get(socket, {
    path: target.url,
    host: target.name,
    headers,
    stage: 'handshake',
    deadline,
  })
  const refusal = refusalOf(answer.status)
  if (refusal) throw refusal
  return answer
}

async function bySocks5(
  socket: Socket,
  proxy: ProbedProxy,
  target: Target,
  deadline: number,
): Promise<Reply> {
  await throughSocks5(socket, proxy, target, deadline)
  return getEcho(socket, target, deadline)
}

/** Asks the echo over a connection that leads to it. */
async function getEcho(socket: Socket, target: Target, deadline: number): Promise<Reply> {
  const way = target.secure ? await encrypted(socket, target.host, deadline) : socket
  return get(way, { path: target.path, host: target.name, stage: 'echo', deadline })
}
