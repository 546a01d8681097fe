import type { Login } from '../emulators/proxy/exit.ts'
import { startProxyServer } from '../emulators/proxy/proxy-server.ts'
import type { Origin, Sites } from './sites.ts'

/** An exit of the sandbox: a proxy on this machine that seems to be elsewhere. */
export interface SandboxExit extends Origin {
  readonly pool: 'dynamic_1' | 'dynamic_3'
  readonly protocol: 'http' | 'socks5'
  readonly username: string
}

/** Exits with addresses for benchmarks (RFC 2544); two in each country, so that rotation and failure can be seen. */
export const EXITS: readonly SandboxExit[] = [
  ...atPlace('dynamic_1', 'US', 'New York', 1),
  ...atPlace('dynamic_1', 'GB', 'London', 3),
  ...atPlace('dynamic_1', 'DE', 'Frankfurt', 5),
  ...atPlace('dynamic_1', 'JP', 'Tokyo', 7),
  ...atPlace('dynamic_3', 'CN', 'Shanghai', 9),
]

/** Password of all exits; they can be reached on this machine only. */
export const EXIT_PASSWORD = 'sandbox'

export interface Exits {
  readonly port: number
  /** Makes an exit dead or alive. A dead one closes connections as soon as it has read their login. */
  setDead(username: string, isDead: boolean): void
  isDead(username: string): boolean
  close(): Promise<void>
}

/**
 * Starts all exits on one port of this machine; the username tells which one is meant.
 *
 * @param wanted the port; another one when it is not free
 */
export async function startExits(sites: Sites, wanted = 0): Promise<Exits> {
  const dead = new Set<string>()
  const login: Login = async (username, password) => {
    const exit = EXITS.find((one) => one.username === username)
    if (!exit || password !== EXIT_PASSWORD) return undefined
    if (dead.has(username)) throw new Error('the exit is dead')
    return {
      reach: async ({ host, port }) => (sites.has(host, port) ? sites.connectFrom(exit) : 'unreachable'),
    }
  }
  const server = await startProxyServer({ login, port: wanted }).catch(() => startProxyServer({ login }))
  return {
    port: server.port,
    setDead: (username, isDead) => void (isDead ? dead.add(username) : dead.delete(username)),
    isDead: (username) => dead.has(username),
    close: () => server.close(),
  }
}

/** Returns two exits in a place: one speaks HTTP, the other one SOCKS5. */
function atPlace(pool: SandboxExit['pool'], country: string, city: string, first: number): SandboxExit[] {
  return (['http', 'socks5'] as const).map((protocol, at) => ({
    pool,
    country,
    city,
    protocol,
    address: `198.18.7.${first + at}`,
    username: `${country.toLowerCase()}${at + 1}`,
  }))
}
