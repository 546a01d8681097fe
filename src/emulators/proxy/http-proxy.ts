import type { Socket } from 'node:net'
import { join, type Login, type Target } from './exit.ts'
import { readUntil } from './read-bytes.ts'

interface Head {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** Serves one connection of an HTTP proxy; a request in absolute form ends with its connection. */
export async function serveHttp(socket: Socket, login: Login): Promise<void> {
  const head = await readUntil(socket, parsedHead)
  const [username = '', password = ''] = credentials(head)
  const exit = await login(username, password, socket)
  if (!exit)
    return refuse(socket, '407 Proxy Authentication Required', 'Proxy-Authenticate: Basic realm="proxy"\r\n')

  const target = targetOf(head)
  if (target === undefined) return refuse(socket, '400 Bad Request')
  const far = await exit.reach(target)
  if (far === 'forbidden') return refuse(socket, '403 Forbidden')
  if (far === 'unreachable') return refuse(socket, '502 Bad Gateway')
  if (head.method === 'CONNECT') socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  else far.write(forwarded(head))
  join(socket, far)
}

function parsedHead(bytes: Buffer): { readonly result: Head; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [request = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const [method = '', target = '', version = ''] = request.split(' ')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
  })
  return { result: { method, target, version, headers }, length: end + 4 }
}

function credentials({ headers }: Head): readonly string[] {
  const value = headers.find(([name]) => name.toLowerCase() === 'proxy-authorization')?.[1] ?? ''
  const [, encoded] = /^basic (\S+)$/i.exec(value) ?? []
  if (encoded === undefined) return []
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}

function targetOf({ method, target }: Head): Target | undefined {
  const url = URL.parse(method === 'CONNECT' ? `http://${target}` : target)
  if (url?.protocol !== 'http:') return undefined
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) }
}

/** Returns the head of the request as the target gets it. */
function forwarded({ method, target, version, headers }: Head): string {
  const { pathname, search } = new URL(target)
  const kept = headers.filter(([name]) => !/^(proxy-|connection$|keep-alive$)/i.test(name))
  const lines = [...kept, ['Connection', 'close'] as const].map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${pathname}${search} ${version}\r\n${lines.join('')}\r\n`
}

function refuse(socket: Socket, status: string, header = ''): void {
  socket.end(`HTTP/1.1 ${status}\r\n${header}content-length: 0\r\nconnection: close\r\n\r\n`)
}
