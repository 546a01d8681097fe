import type { Socket } from 'node:net'
import type { Login } from '../proxy/exit.ts'
import { connectionTo, startProxyServer } from '../proxy/proxy-server.ts'
import type { Instance } from './types.ts'

export interface EmulatedProxies {
  readonly port: number
  /** Makes the proxy with the address end its connections after the log-in, or no longer. */
  dead(ip: string, isDead?: boolean): void
  /** Delays the answers of the proxy with the address by `ms`. */
  slow(ip: string, ms: number): void
  /** Returns how many connections the proxy with the address carried to a target. */
  carried(ip: string): number
  close(): Promise<void>
}

/** The targets of proxies are on this machine: tests reach nobody else. */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * The proxies that the emulator sells, all on one port of this machine. Which proxy is meant is known by its credentials.
 *
 * @param instances returns the proxies of the emulator; only those that run let anybody in
 */
export async function startProxies(
  instances: () => readonly Pick<Instance, 'ip' | 'username' | 'password' | 'status'>[],
  listen: { readonly port?: number } = {},
): Promise<EmulatedProxies> {
  const deadOnes = new Set<string>()
  const delays = new Map<string, number>()
  const carried = new Map<string, number>()

  const login: Login = async (username, password, socket) => {
    const instance = instances().find((one) => one.username === username && one.password === password)
    if (instance?.status !== 3) return undefined
    const { ip } = instance
    const delay = delays.get(ip) ?? 0
    if (delay > 0) await pause(delay, socket)
    if (deadOnes.has(ip)) throw new Error('the proxy is dead')
    return {
      reach: async (target) => {
        if (!LOOPBACK.has(target.host)) return 'forbidden'
        const far = await connectionTo(target)
        if (far !== 'unreachable') carried.set(ip, (carried.get(ip) ?? 0) + 1)
        return far
      },
    }
  }

  const server = await startProxyServer({ login, ...listen })
  return {
    port: server.port,
    dead: (ip, isDead = true) => void (isDead ? deadOnes.add(ip) : deadOnes.delete(ip)),
    slow: (ip, ms) => void delays.set(ip, ms),
    carried: (ip) => carried.get(ip) ?? 0,
    close: () => server.close(),
  }
}

/** Waits; ends early when the connection does. */
function pause(ms: number, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
