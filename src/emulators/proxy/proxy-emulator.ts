import net, { type AddressInfo, type Socket } from 'node:net'
import { httpProxy } from './http.ts'
import type { Endpoint, ProxyFault, ProxyRules } from './rules.ts'
import { serveSocks5 } from './socks5.ts'

export interface ProxyEmulatorOptions {
  /** Whether it takes these credentials; by default any. */
  readonly accepts?: (username: string, password: string) => boolean
  /** Which protocols it speaks; by default both. */
  readonly protocols?: readonly ('http' | 'socks5')[]
  /** Where it leads to: it is open to everybody on this machine. */
  readonly mayReach: (target: Endpoint) => boolean
}

export interface ProxyEmulator {
  readonly port: number
  /** Connections that it took. */
  readonly connections: number
  /** Set to make it fail, and to undefined to repair it. */
  fault: ProxyFault | undefined
  close(): Promise<void>
}

/** A proxy on this machine that speaks HTTP and SOCKS5 on one port. */
export async function startProxyEmulator({
  accepts = () => true,
  protocols = ['http', 'socks5'],
  mayReach,
}: ProxyEmulatorOptions): Promise<ProxyEmulator> {
  const sockets = new Set<Socket>()
  const state = { fault: undefined as ProxyFault | undefined, connections: 0 }
  const rules: ProxyRules = {
    accepts,
    fault: () => state.fault,
    reach: async (target) => (mayReach(target) ? connect(target, sockets) : undefined),
  }
  const web = httpProxy(rules)
  const server = net.createServer((socket) => {
    state.connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (state.fault === 'hang') return
    if (state.fault === 'close') {
      socket.destroy()
      return
    }
    socket.once('data', (first) => {
      socket.pause()
      socket.unshift(first)
      const protocol = first[0] === 5 ? 'socks5' : 'http'
      if (!protocols.includes(protocol)) socket.destroy()
      else if (protocol === 'http') {
        web.emit('connection', socket)
        socket.resume()
      } else void serveSocks5(socket, rules).catch(() => socket.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    get connections() {
      return state.connections
    },
    get fault() {
      return state.fault
    },
    set fault(fault) {
      state.fault = fault
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function connect({ host, port }: Endpoint, sockets: Set<Socket>): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const target = net.connect({ host, port })
    sockets.add(target)
    target.on('close', () => sockets.delete(target))
    target.once('connect', () => resolve(target))
    target.on('error', () => resolve(undefined))
  })
}
