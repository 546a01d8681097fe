import {
  connect as connectSocket,
  type AddressInfo,
  createServer as createNetServer,
  type Server,
  type Socket,
} from 'node:net'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { once } from 'node:events'
import { pino } from 'pino'
import type { AccountsPage, GatewayAccount, GatewayProduct } from '../../src/core/gateway/wire.ts'
import { Accounts } from '../../src/gateway/accounts.ts'
import type { Exits, ExitWish } from '../../src/gateway/exit.ts'
import { DirectExit } from '../../src/gateway/exits/direct.ts'
import { type ListenerOptions, startListener } from '../../src/gateway/listener.ts'
import { Meters } from '../../src/gateway/meters.ts'
import { type Lead, Targets } from '../../src/gateway/targets.ts'
import { selfSigned } from './certificate.ts'
import { atTheEnd } from './clean-up.ts'

interface FrontOptions extends Partial<ListenerOptions> {
  /** Hosts that lead to servers of the test. */
  readonly known?: Readonly<Record<string, Lead>>
  readonly resolve?: (name: string) => Promise<readonly string[]>
  readonly timeoutMs?: number
}

export type Front = Awaited<ReturnType<typeof startFront>>

/** An account as the shop tells of it: `alice` with the password `secret` and 1 GB. */
export function gatewayAccount(facts: Partial<GatewayAccount> = {}): GatewayAccount {
  return {
    username: 'alice',
    password: 'secret',
    status: 'active',
    product_no: 'dynamic-1',
    pool: 'dynamic_1',
    remaining_bytes: 1_000_000_000,
    revision: 1,
    flush: null,
    targets: true,
    allow: [],
    ...facts,
  }
}

/** A page of the shop's feed. */
export function accountsPage(
  accounts: readonly GatewayAccount[],
  facts: Partial<AccountsPage> = {},
): AccountsPage {
  return {
    cursor: 'c',
    reset: false,
    more: false,
    sequence: 0,
    accounts: [...accounts],
    products: null,
    exits: null,
    ...facts,
  }
}

/** The gateway's side of the clients on a free port, with the direct exit; it ends with the test. */
export async function startFront({ known = {}, resolve, timeoutMs, ...options }: FrontOptions = {}) {
  const meters = new Meters()
  const accounts = new Accounts(meters)
  accounts.apply(accountsPage([gatewayAccount()], { reset: true }))
  const targets = new Targets({ known: new Map(Object.entries(known)) })
  const wishes: ExitWish[] = []
  /** Bytes of connections that have ended, as exits are told. */
  const carried: number[] = []
  const direct = new DirectExit({ targets, ...(resolve && { resolve }), ...(timeoutMs && { timeoutMs }) })
  const exits: Exits = {
    connect: async (wish, target, attempt) => {
      wishes.push(wish)
      return {
        socket: await direct.connect(target, attempt),
        exitId: 1,
        ended: (bytes) => void carried.push(bytes),
      }
    },
  }
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    accounts,
    exits,
    targets,
    logger: pino({ level: 'silent' }),
    ...options,
  })
  atTheEnd(() => listener.close())
  return {
    listener,
    port: listener.port,
    meters,
    accounts,
    targets,
    wishes,
    carried,
    /** The shop tells of accounts. */
    tell: (...changed: Partial<GatewayAccount>[]) =>
      accounts.apply(accountsPage(changed.map(gatewayAccount))),
    sell: (...products: GatewayProduct[]) => accounts.apply(accountsPage([], { products })),
    /** Bytes that were counted for an account since the last time. */
    used: (username = 'alice') => {
      const { items } = meters.drain(1)
      return items.filter(({ account }) => account === username).reduce((sum, { bytes }) => sum + bytes, 0)
    },
    proxy: (username = 'alice', password = 'secret') =>
      `http://${username}:${password}@127.0.0.1:${listener.port}`,
  }
}

/** What a server saw on its connections, to the byte. */
export interface Origin {
  readonly port: number
  /** Sums over all connections; those that are closed keep counting. */
  received(): number
  sent(): number
  readonly sockets: Set<Socket>
}

/** A plain server for tunnels, which does with a connection what it is told. */
export function startOrigin(serve: (socket: Socket) => void): Promise<Origin> {
  return listening(createNetServer({ allowHalfOpen: true }, serve))
}

/** A web server. */
export function startWebOrigin(serve: RequestListener): Promise<Origin> {
  return listening(createHttpServer({ keepAliveTimeout: 60_000 }, serve))
}

/** An origin of `https:`, with a certificate that nobody vouches for. */
export async function startSecureOrigin(name: string, serve: RequestListener): Promise<Origin> {
  return listening(createHttpsServer(await selfSigned(name), serve))
}

async function listening(server: Server): Promise<Origin> {
  const all = new Set<Socket>()
  server.prependListener('connection', (socket: Socket) => {
    all.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(() => {
    for (const socket of all) socket.destroy()
    server.close()
  })
  const sum = (count: (socket: Socket) => number) => () =>
    [...all].reduce((bytes, socket) => bytes + count(socket), 0)
  return {
    port: (server.address() as AddressInfo).port,
    received: sum(({ bytesRead }) => bytesRead),
    sent: sum(({ bytesWritten }) => bytesWritten),
    sockets: all,
  }
}

/** A connection to the gateway, which ends with the test. */
export async function connectTo(
  port: number,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<Socket> {
  const socket = connectSocket({ host: '127.0.0.1', port, ...options })
  socket.on('error', () => {})
  atTheEnd(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Everything that comes until the other side ends. */
export async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  if (!socket.closed) await once(socket, 'close')
  return Buffer.concat(chunks)
}

/** Reads until a text has come; what follows it stays. */
export async function readPast(socket: Socket, end: string): Promise<string> {
  let bytes = Buffer.alloc(0)
  while (true) {
    const chunk = socket.read() as Buffer | null
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed)
        throw new Error(`the connection ended after: ${bytes.toString()}`)
      await Promise.race([once(socket, 'readable'), once(socket, 'close'), once(socket, 'end')])
      continue
    }
    bytes = Buffer.concat([bytes, chunk])
    const at = bytes.indexOf(end)
    if (at < 0) continue
    const length = at + Buffer.byteLength(end)
    if (length < bytes.length) socket.unshift(bytes.subarray(length))
    return bytes.toString('utf8', 0, length)
  }
}

export function basic(username = 'alice', password = 'secret'): string {
  return `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}\r\n`
}

/** Opens a tunnel; what the gateway answered, and the connection. */
export async function tunnel(port: number, authority: string, headers = basic(), allowHalfOpen = false) {
  const socket = await connectTo(port, { allowHalfOpen })
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${headers}\r\n`)
  const head = await readPast(socket, '\r\n\r\n')
  return { socket, head, status: Number(head.split(' ')[1]) }
}
