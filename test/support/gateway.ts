import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, vi } from 'vitest'
import { startProxyServer } from '../../src/emulators/proxy/proxy-server.ts'
import { connectionTo } from '../../src/emulators/proxy/proxy-server.ts'
import { createCrowd } from './crowd.ts'
import type { GatewayConfig } from '../../src/gateway/config.ts'
import { type GatewayTimes, startGateway } from '../../src/gateway/gateway.ts'
import { createLogger } from '../../src/logger.ts'
import { atTheEnd } from './clean-up.ts'
import { startGatewayProcess } from './gateway-process.ts'
import { PATIENCE } from './patience.ts'
import { GATEWAY_TOKEN, type GatewayShop } from './gateway-shop.ts'
import { temporaryDirectory } from './service.ts'

/** The name under which clients reach the origin of a test. */
export const ORIGIN = 'origin.example'
/** A name whose target no exit reaches. */
export const DEAD = 'dead.example'

/** A web server: `/N` answers N bytes, `/open` begins an answer that goes on as long as the connection. It ends with the test. */
export async function startOrigin() {
  const state = { requests: 0, sent: 0 }
  const crowd = createCrowd()
  const server = createServer((request, response) => {
    state.requests += 1
    const { url = '' } = request
    if (url === '/open') return void response.write('begun')
    const body = Buffer.alloc(Number(url.slice(1)), 'x')
    crowd.join(() => void response.writeHead(200, { 'content-length': body.length }).end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.on('connection', (socket) => socket.on('close', () => (state.sent += socket.bytesWritten)))
  atTheEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    /** Answers nobody before so many have asked. */
    waitFor: crowd.waitFor,
  })
}

type ExitFault =
  /** Takes connections and never answers. */
  | 'silent'
  /** Ends each connection at once. */
  | 'broken'
  /** Resets each connection when something is asked. */
  | 'resets'
  /** Says that the target cannot be reached. */
  | 'unreachable'
  /** Takes other credentials. */
  | 'credentials'

/** A proxy that leads everybody to the origin. It ends with the test. Set `fault` to make it fail. */
export async function startExit(origin: { readonly port: number }, protocol: 'http' | 'socks5' = 'http') {
  const state = {
    fault: undefined as ExitFault | undefined,
    connections: 0,
    usernames: [] as string[],
    /** What it was asked for. */
    hosts: [] as string[],
  }
  const server = await startProxyServer({
    protocols: [protocol],
    admit: (socket: Socket) => {
      state.connections += 1
      if (state.fault === 'broken') socket.destroy()
      if (state.fault === 'resets') socket.once('data', () => socket.resetAndDestroy())
      return !['silent', 'broken', 'resets'].includes(state.fault ?? '')
    },
    login: async (username, password) => {
      if (password !== 'pass' || state.fault === 'credentials') return undefined
      return {
        reach: async ({ host }) => {
          state.hosts.push(host)
          // Probes have another target.
          if (host !== '127.0.0.1') state.usernames.push(username)
          if (state.fault === 'unreachable' || host === DEAD) return 'unreachable'
          return connectionTo({ host: '127.0.0.1', port: origin.port })
        },
      }
    },
  })
  atTheEnd(() => server.close())
  return Object.assign(state, {
    url: `${protocol}://user:pass@127.0.0.1:${server.port}`,
    close: () => server.close(),
  })
}

export type Exit = Awaited<ReturnType<typeof startExit>>

interface Options {
  readonly shop: GatewayShop
  readonly origin: { readonly port: number }
  readonly data?: string
  readonly times?: GatewayTimes
  readonly workers?: number
  readonly env?: Readonly<Record<string, string>>
}

/** A gateway in this process; it ends with the test. */
export async function testGateway({ shop, origin, data, times }: Options) {
  const lines: string[] = []
  const target = { address: '127.0.0.1', port: origin.port }
  const config: GatewayConfig = {
    host: '127.0.0.1',
    port: 0,
    shopUrl: shop.url,
    token: GATEWAY_TOKEN,
    data: data ?? (await temporaryDirectory()),
    workers: 1,
    maxConnections: 500,
    probeTarget: { host: '127.0.0.1', port: origin.port },
    knownTargets: new Map([ORIGIN, DEAD].map((name) => [name, target])),
    log: { level: 'debug', format: 'pino' },
  }
  const logger = createLogger(config.log, [GATEWAY_TOKEN], { write: (line) => void lines.push(line) })
  const gateway = await startGateway(config, logger, { drainMs: 1_000, ...times })
  const stop = async () => {
    void gateway.stop()
    await gateway.stop()
  }
  atTheEnd(stop)
  return {
    ...gateway,
    /** What it logged. */
    lines,
    data: config.data,
    /** Like the operator's Ctrl-C. */
    end: () => gateway.stop(),
    /** Without waiting for open connections. */
    stop,
    /** Settles when it serves an account. */
    isReady: () => isReady(gateway),
  }
}

/** A gateway as a process of its own, which can be killed; it ends with the test. */
export async function gatewayProcess({ shop, origin, data, workers = 1, env }: Options) {
  return startGatewayProcess(data ?? (await temporaryDirectory()), {
    GATEWAY_SHOP_URL: shop.url,
    GATEWAY_TOKEN,
    GATEWAY_DATA: 'gateway',
    GATEWAY_WORKERS: String(workers),
    GATEWAY_KNOWN_TARGETS: `${ORIGIN}=127.0.0.1:${origin.port}`,
    GATEWAY_PROBE_TARGET: `127.0.0.1:${origin.port}`,
    ...env,
  })
}

interface Gateway {
  readonly port: number
}

export interface Asked {
  readonly status: number
  /** Why the gateway refused. */
  readonly reason: string | undefined
  /** Open as far as the target, when the status is 200. */
  readonly message: string | undefined
  readonly socket: Socket
}

/** Asks a gateway for a tunnel to the origin; the password of the tests belongs to the username. */
export function tunnel({ port }: Gateway, username: string, host = ORIGIN): Promise<Asked> {
  const credentials = Buffer.from(`${username}:secret`).toString('base64')
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      method: 'CONNECT',
      path: `${host}:80`,
      headers: { 'proxy-authorization': `Basic ${credentials}` },
    })
    asked.on('error', reject)
    asked.on('connect', ({ statusCode = 0, headers }, socket: Socket) => {
      socket.on('error', () => {})
      const reason = headers['x-gateway-error'] as string | undefined
      if (statusCode !== 200) socket.destroy()
      const message = headers['x-gateway-message'] as string | undefined
      resolve({ status: statusCode, reason, message, socket })
    })
    asked.end()
  })
}

/** Settles when a gateway serves an account. */
export async function isReady(gateway: Gateway, username = 'alice'): Promise<void> {
  const status = async () => {
    const { status, socket } = await tunnel(gateway, username)
    socket.destroy()
    return status
  }
  await expect.poll(status, PATIENCE).toBe(200)
}

/** Opens a tunnel to the origin. */
export async function opened(gateway: Gateway, username: string): Promise<Socket> {
  const asked = await tunnel(gateway, username)
  expect({ status: asked.status, reason: asked.reason }).toEqual({ status: 200, reason: undefined })
  return asked.socket
}

/** Opens a tunnel to the origin as soon as all that serve clients know the account: one of several workers may have just begun. */
export function openedSoon(gateway: Gateway, username: string): Promise<Socket> {
  return vi.waitUntil(async () => {
    const { status, socket } = await tunnel(gateway, username)
    return status === 200 && socket
  }, PATIENCE)
}

/** Asks the origin through an open tunnel, and reads until the connection ends or all is there: how many bytes arrived. */
export async function download(socket: Socket, bytes: number): Promise<number> {
  const sent = `GET /${bytes} HTTP/1.1\r\nHost: ${ORIGIN}\r\nConnection: close\r\n\r\n`
  let received = 0
  socket.on('data', (chunk: Buffer) => (received += chunk.length))
  socket.write(sent)
  await once(socket, 'close')
  return sent.length + received
}
