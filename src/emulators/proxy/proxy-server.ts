import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Login, Target } from './exit.ts'
import { serveHttp } from './http-proxy.ts'
import { readUntil } from './read-bytes.ts'
import { serveSocks } from './socks-proxy.ts'

const SOCKS5 = 0x05

interface ProxyServerOptions {
  /** Lets somebody in, or not. */
  readonly login: Login
  /** Sees each connection first; false: it is not served. */
  readonly admit?: (socket: Socket) => boolean
  /** Which protocols it speaks; by default both. */
  readonly protocols?: readonly ('http' | 'socks5')[]
  /** The port; by default any free one. */
  readonly port?: number
}

export interface ProxyServer {
  readonly port: number
  close(): Promise<void>
}

/** A proxy on this machine that speaks HTTP (`CONNECT`, and requests in absolute form) and SOCKS5 on one port. */
export async function startProxyServer({
  login,
  admit = () => true,
  protocols = ['http', 'socks5'],
  port = 0,
}: ProxyServerOptions): Promise<ProxyServer> {
  const sockets = new Set<Socket>()

  async function serve(socket: Socket): Promise<void> {
    const first = await readUntil(socket, (bytes) => ({ result: bytes[0], length: 0 }))
    const protocol = first === SOCKS5 ? 'socks5' : 'http'
    if (!protocols.includes(protocol)) return void socket.destroy()
    await (protocol === 'socks5' ? serveSocks : serveHttp)(socket, login)
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    // A connection that breaks off is closed, and needs no more.
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    if (admit(socket)) void serve(socket).catch(() => void socket.destroy())
  })
  await listening(server, port)
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
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

/** Connects to a target; the connection ends with that of the client. */
export function connectionTo({ host, port }: Target): Promise<Socket | 'unreachable'> {
  return new Promise((resolve) => {
    const target = connect({ host: host === 'localhost' ? '127.0.0.1' : host, port })
    target.on('error', () => resolve('unreachable'))
    target.once('connect', () => resolve(target))
  })
}
