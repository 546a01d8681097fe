import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** Where a request seems to come from, for the site that gets it. */
export interface Origin {
  readonly address: string
  /** ISO 3166 alpha-2. */
  readonly country: string
  readonly city: string
}

export interface Sites {
  /** Port on this machine at which all sites answer. */
  readonly port: number
  /** Whether there is a site at this host and port. */
  has(host: string, port: number): boolean
  /** Opens a connection that seems to come from elsewhere. */
  connectFrom(origin: Origin): Promise<Socket>
  close(): Promise<void>
}

/** Names for documentation (RFC 2606), which nobody can register. */
export const SITE_HOSTS = ['example', 'www.example'].flatMap((name) =>
  ['com', 'net', 'org'].map((end) => `${name}.${end}`),
)
const HTTP_PORT = 80
const MOST_BYTES = 1_000_000_000
const CHUNK = Buffer.alloc(64 * 1024, 'proxy ')

/**
 * Starts sites to reach through the gateway of the sandbox: each tells from where a request came (`/` as text, `/ip` as JSON), and
 * `/bytes/1000000` answers that number of bytes.
 */
export async function startSites(): Promise<Sites> {
  /** Origins by the port on this machine from which a connection really comes. */
  const origins = new Map<number, Origin>()
  const server = createServer((request, response) =>
    answer(request, response, origins.get(request.socket.remotePort ?? 0)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    has: (host, wanted) => wanted === HTTP_PORT && SITE_HOSTS.includes(host),
    connectFrom: (origin) =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port }, () => {
          const { localPort = 0 } = socket
          // Nothing has been sent yet, so that no request comes before its origin is known.
          origins.set(localPort, origin)
          socket.once('close', () => origins.delete(localPort))
          resolve(socket)
        })
        socket.once('error', reject)
      }),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

function answer({ url = '/', headers }: IncomingMessage, response: ServerResponse, origin?: Origin): void {
  const { pathname } = new URL(url, 'http://example.com')
  const [, count] = /^\/bytes\/(\d{1,10})$/.exec(pathname) ?? []
  if (count !== undefined && Number(count) <= MOST_BYTES) return sendBytes(response, Number(count))
  if (pathname === '/ip') {
    const { address, country, city } = origin ?? { address: '127.0.0.1', country: null, city: null }
    response.setHeader('content-type', 'application/json')
    return void response.end(`${JSON.stringify({ ip: address, country, city })}\n`)
  }
  response.statusCode = pathname === '/' ? 200 : 404
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  const from = origin ? `${origin.address} (${origin.city}, ${origin.country})` : 'this machine'
  response.end(pathname === '/' ? `${headers.host} was asked from ${from}.\n` : 'There is no such page.\n')
}

function sendBytes(response: ServerResponse, count: number): void {
  response.setHeader('content-type', 'application/octet-stream')
  response.setHeader('content-length', count)
  let left = count
  const send = () => {
    while (left > 0) {
      const chunk = CHUNK.subarray(0, Math.min(left, CHUNK.length))
      left -= chunk.length
      if (!response.write(chunk)) return void response.once('drain', send)
    }
    response.end()
  }
  send()
}
