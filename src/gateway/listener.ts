import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { openFileLimit } from '../open-files.ts'
import { clientNetwork } from './client-address.ts'
import { type ConnectRequest, connectRequest, refuseConnection, serveConnect } from './connect.ts'
import { ignoreError } from './connection.ts'
import { Refused } from './exit.ts'
import { Forwarder } from './forward.ts'
import { Gate, type GateFigures, type GateOptions } from './gate.ts'
import { Opening, type Parsed } from './opening.ts'
import { type Listed, Roster } from './roster.ts'
import { serveSocks5 } from './socks5.ts'
import { Sweeper } from './sweeper.ts'

export interface ListenerOptions extends GateOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** How long a client may take to say what it wants. */
  readonly handshakeMs?: number
  /** How long a client may take until its next request begins. */
  readonly keepAliveMs?: number
  /** Connections from one client address at a time. */
  readonly mostPerAddress?: number
  /** Connections at a time; by default as many as the process has descriptors for, two for each tunnel, up to 20,000. */
  readonly mostConnections?: number
  /** How often connections are looked at for their time-outs. */
  readonly sweepMs?: number
}

export interface Listener {
  readonly port: number
  /** Takes the figures since they were taken last. */
  figures(): GateFigures
  /** Accepts nothing more; settles when all tunnels and requests have ended by themselves. */
  drain(): Promise<void>
  /** Ends everything at once. */
  close(): Promise<void>
}

/** A connection of a client. */
interface ClientSocket extends Listed {
  readonly socket: Socket
}

const HANDSHAKE_MS = 10_000
const KEEP_ALIVE_MS = 60_000
const MOST_PER_ADDRESS = 2_000
const MOST_CONNECTIONS = 20_000
/** Descriptors for everything else. */
const OTHER_FILES = 128
const SOCKS4 = 0x04
const SOCKS5 = 0x05
const SOCKS4_REJECTED = Buffer.from([0, 91, 0, 0, 0, 0, 0, 0])

/** Parses the version of SOCKS in which a client speaks, or what it asks for over HTTP. */
function firstRequest(
  bytes: Buffer,
): Parsed<typeof SOCKS4 | typeof SOCKS5 | ConnectRequest | 'other'> | undefined {
  const [version] = bytes
  return version === SOCKS4 || version === SOCKS5 ? { result: version, length: 0 } : connectRequest(bytes)
}

/** Listens on one port for HTTP, tunnels by `CONNECT`, and SOCKS5; the first byte tells which it is. */
export async function startListener({
  host,
  port,
  handshakeMs = HANDSHAKE_MS,
  keepAliveMs = KEEP_ALIVE_MS,
  mostPerAddress = MOST_PER_ADDRESS,
  mostConnections = Math.min(MOST_CONNECTIONS, Math.floor((openFileLimit() - OTHER_FILES) / 2)),
  sweepMs,
  ...options
}: ListenerOptions): Promise<Listener> {
  const sweeper = new Sweeper(sweepMs)
  const gate = new Gate(options, sweeper)
  const forwarder = new Forwarder(gate, { headMs: handshakeMs, idleMs: keepAliveMs })
  const clients = new Roster<ClientSocket>()
  const perAddress = new Map<string, number>()

  function accept(socket: Socket): void {
    socket.on('error', ignoreError)
    const network = clientNetwork(socket.remoteAddress ?? '::')
    const others = perAddress.get(network) ?? 0
    const client: ClientSocket = { place: -1, socket }
    clients.add(client)
    perAddress.set(network, others + 1)
    socket.on('close', () => {
      clients.delete(client)
      const left = (perAddress.get(network) ?? 1) - 1
      if (left === 0) perAddress.delete(network)
      else perAddress.set(network, left)
    })
    const opening = new Opening(socket, sweeper, handshakeMs)
    if (others >= mostPerAddress || clients.size > mostConnections) {
      const refused = gate.answerTo(new Refused('too_many_connections'))
      if (refused) refuseConnection(socket, refused)
    } else void serve(socket, opening)
  }

  async function serve(socket: Socket, opening: Opening): Promise<void> {
    try {
      let request = await opening.read(firstRequest)
      if (request === SOCKS5) return await serveSocks5(gate, socket, opening)
      if (request === SOCKS4) {
        socket.end(SOCKS4_REJECTED)
        return opening.refused()
      }
      for (;;) {
        if (request === 'other') return forwarder.serve(opening.releaseStream(), opening.since)
        const goesOn = await serveConnect(gate, socket, request, () => opening.release())
        opening.refused()
        if (!goesOn) return
        request = await opening.read(connectRequest)
      }
    } catch (error) {
      const refused = gate.answerTo(error)
      if (refused) refuseConnection(socket, refused)
      opening.refused()
    }
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept)
  server.listen({ host, port, backlog: 4_096 })
  await once(server, 'listening')
  // For example when no descriptors are left: the connection is lost, not the gateway.
  server.on('error', (error) => options.logger.error({ err: error }, 'a connection could not be accepted'))

  return {
    port: (server.address() as AddressInfo).port,
    figures: () => gate.figures(),
    drain: () => {
      server.close()
      const drained = gate.drain()
      forwarder.closeIdle()
      return drained
    },
    close: async () => {
      const closed = [new Promise((resolve) => void server.close(resolve))]
      clients.forEach(({ socket }) => {
        closed.push(new Promise((resolve) => void socket.once('close', resolve)))
        socket.destroy()
      })
      await Promise.all(closed)
      sweeper.stop()
    },
  }
}
