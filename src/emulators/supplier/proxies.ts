import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Login, Target } from './exit.ts'
import { serveHttp } from './http-proxy.ts'
import { readUntil } from './read-bytes.ts'
import { serveSocks } from './socks-proxy.ts'
import type { Instance } from './types.ts'

export interface EmulatedProxies {
  readonly port: number
  /** Connections to the proxy with the address end as soon as it knows who asks, or no longer. */
  dead(ip: string, isDead?: boolean): void
  /** The proxy with the address answers so much later. */
  slow(ip: string, ms: number): void
  /** How many connections each proxy carried to a target. */
  carried(ip: string): number
  close(): Promise<void>
}

const SOCKS5 = 0x05
/** The targets of proxies are on this machine: tests reach nobody else. */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * The proxies that the emulator sells: HTTP (`CONNECT`, and requests in absolute form) and SOCKS5 with username and password, all on one
 * port of this machine. Which proxy is meant is known by its credentials.
 *
 * @param instances of the emulator; only those that run let anybody in
 */
export async function startProxies(
  instances: () => readonly Pick<Instance, 'ip' | 'username' | 'password' | 'status'>[],
  listen: { readonly port?: number } = {},
): Promise<EmulatedProxies> {
  const deadOnes = new Set<string>()
  const delays = new Map<string, number>()
  const carried = new Map<string, number>()
  const sockets = new Set<Socket>()

  const login: Login = async (username, password, socket) => {
    const instance = instances().find((one) => one.username === username && one.password === password)
    if (instance?.status !== 3) return undefined
    const { ip } = instance
    const delay = delays.get(ip) ?? 0
    if (delay > 0) await pause(delay, socket)
    if (deadOnes.has(ip)) throw new Error('the proxy is dead')
    return { reach: (target) => reach(ip, target) }
  }

  async function reach(ip: string, { host, port }: Target): Promise<Socket | 'forbidden' | 'unreachable'> {
    if (!LOOPBACK.has(host)) return 'forbidden'
    const target = connect({ host: host === 'localhost' ? '127.0.0.1' : host, port })
    track(target)
    return new Promise((resolve) => {
      target.once('error', () => resolve('unreachable'))
      target.once('connect', () => {
        carried.set(ip, (carried.get(ip) ?? 0) + 1)
        resolve(target)
      })
    })
  }

  function track(socket: Socket): void {
    sockets.add(socket)
    // A connection that breaks off ends there.
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  }

  async function serve(socket: Socket): Promise<void> {
    const first = await readUntil(socket, (bytes) => ({ result: bytes[0], length: 0 }))
    await (first === SOCKS5 ? serveSocks : serveHttp)(socket, login)
  }

  const server = createServer((socket) => {
    track(socket)
    void serve(socket).catch(() => void socket.destroy())
  })
  await listening(server, listen.port ?? 0)

  return {
    port: (server.address() as AddressInfo).port,
    dead: (ip, isDead = true) => void (isDead ? deadOnes.add(ip) : deadOnes.delete(ip)),
    slow: (ip, ms) => void delays.set(ip, ms),
    carried: (ip) => carried.get(ip) ?? 0,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port }, () => resolve())
  })
}

/** Ends early when the connection does. */
function pause(ms: number, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
