import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { lead, type ProxyRules } from './rules.ts'

const NO_SUCH_CREDENTIALS = { 'proxy-authenticate': 'Basic realm="proxy"' }

/** The server's side of an HTTP proxy: requests with a whole URL, and tunnels. */
export function httpProxy(rules: ProxyRules): http.Server {
  const server = http.createServer((request, response) => {
    void forward(rules, request, response).catch(() => response.destroy())
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    void openTunnel(rules, request, socket).catch(() => socket.destroy())
  })
  return server
}

function mayPass({ accepts }: ProxyRules, { headers }: IncomingMessage): boolean {
  const [, encoded = ''] = /^Basic (.+)$/.exec(headers['proxy-authorization'] ?? '') ?? []
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return accepts(username, password.join(':'))
}

async function forward(rules: ProxyRules, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!mayPass(rules, request)) {
    response.writeHead(407, NO_SUCH_CREDENTIALS).end()
    return
  }
  const fault = rules.fault()
  if (fault === 'wrong_answer') {
    response.end('<html></html>\n')
    return
  }
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined
  const target =
    url && fault !== 'no_exit'
      ? await rules.reach({ host: url.hostname, port: Number(url.port) || 80 })
      : undefined
  if (!url || !target) {
    response.writeHead(502).end()
    return
  }
  const forwarded = http.request(
    {
      createConnection: () => target,
      path: url.pathname + url.search,
      headers: { host: url.host, connection: 'close' },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  forwarded.on('error', () => response.destroy())
  forwarded.end()
}

async function openTunnel(rules: ProxyRules, request: IncomingMessage, socket: Socket): Promise<void> {
  if (!mayPass(rules, request)) {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
    return
  }
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(request.url ?? '') ?? []
  const target = rules.fault() === 'no_exit' ? undefined : await rules.reach({ host, port: Number(port) })
  if (!target) {
    socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    return
  }
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  lead(socket, target, rules.fault())
}
