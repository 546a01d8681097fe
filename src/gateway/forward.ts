import { createServer, type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { refuseConnection, serveConnect } from './connect.ts'
import { exchange, readOn } from './exchange.ts'
import { Refused, type Target } from './exit.ts'
import { type FastSocket, fromStream } from './fast-socket.ts'
import type { Gate } from './gate.ts'
import { HttpConnection } from './http-connection.ts'
import { MeteredStream } from './metered-stream.ts'
import { httpRefusal } from './refusals.ts'
import { parseTarget } from './targets.ts'

const MOST_HEAD_BYTES = 16_384
/** A URL up to its path, the path, and what is not sent to servers. */
const ABSOLUTE = /^(?:http|ws):\/\/[^/?#]+([^#]*)/i

/**
 * Serves what is not a tunnel: requests in absolute form, one after the other on a connection, each with its own credentials, exit and
 * connection to the target. Node's HTTP server and client parse both sides: what one of them does not understand is not passed on.
 */
export class Forwarder {
  readonly #gate: Gate
  readonly #server: Server
  readonly #idleMs: number
  readonly #connections = new Map<Socket, HttpConnection>()

  /** @param idleMs how long a client may take until the head of its next request is complete */
  constructor(gate: Gate, idleMs: number) {
    this.#gate = gate
    this.#idleMs = idleMs
    const noTimeouts = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }
    this.#server = createServer({ ...noTimeouts, maxHeaderSize: MOST_HEAD_BYTES, requireHostHeader: false })
    // Their number is bounded by the size of the head.
    this.#server.maxHeadersCount = 0
    const forward = (request: IncomingMessage, response: ServerResponse) =>
      void this.#forward(request, response, false)
    this.#server.on('request', forward).on('checkContinue', forward)
    this.#server.on('connect', (request, socket: Socket, head: Buffer) =>
      this.#connect(request, socket, head),
    )
    this.#server.on('upgrade', (request, socket: Socket, head: Buffer) =>
      this.#upgrade(request, socket, head),
    )
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      this.#refuse(error, socket),
    )
  }

  /** Takes a connection over at the beginning of a request. */
  serve(connection: FastSocket): void {
    const socket = connection.stream()
    this.#connections.set(socket, new HttpConnection(socket, this.#gate.sweeper, this.#idleMs))
    socket.once('close', () => this.#connections.delete(socket))
    // Each of many requests that come at once listens for the end of the connection.
    socket.setMaxListeners(0)
    this.#server.emit('connection', socket)
    socket.resume()
  }

  /** Ends the connections on which no request is served. */
  closeIdle(): void {
    for (const [socket, connection] of this.#connections) if (connection.isIdle) socket.destroy()
  }

  async #forward(request: IncomingMessage, response: ServerResponse, upgrade: boolean): Promise<void> {
    const { socket } = request
    this.#connections.get(socket)?.serve(response)
    response.sendDate = false
    let stream: MeteredStream | undefined
    try {
      const client = this.#gate.logInBasic(socket, request.headers['proxy-authorization'])
      const { target, host, path } = destinationOf(request)
      refuseUnclearBody(request, upgrade)
      const opened = await this.#gate.open(client, target, socket)
      stream = new MeteredStream(opened.target, opened.passage, this.#gate.sweeper, this.#gate.idleMs)
      opened.passage.onClose = () => socket.destroy()
      if (this.#gate.isDraining) response.shouldKeepAlive = false
      await exchange({ request, response, stream, host, path, upgrade })
    } catch (error) {
      stream?.destroy()
      const refused = this.#gate.answerTo(error)
      if (refused) this.#answer(request, response, refused)
    }
  }

  #connect(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const connection = this.#connections.get(socket)
    // The answers to earlier requests are not sent yet.
    if (!connection?.isIdle) return void socket.destroy()
    const { url: authority = '', headers } = request
    // No second attempt on this connection: Node's server has let go of it.
    const asked = { authority, authorization: headers['proxy-authorization'], keepAlive: false }
    void serveConnect(this.#gate, socket, asked, () => {
      connection.handOver()
      const client = fromStream(socket)
      client.unread(head)
      return client
    })
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (!this.#connections.get(socket)?.isIdle) return void socket.destroy()
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => {
      socket.end()
      socket.resume()
    })
    if (head.length > 0) socket.unshift(head)
    void this.#forward(request, response, true)
  }

  #answer(request: IncomingMessage, response: ServerResponse, refused: Refused): void {
    const { status, headers, body } = httpRefusal(refused)
    if (this.#gate.isDraining) response.shouldKeepAlive = false
    response.writeHead(status, STATUS_CODES[status], headers).end(body)
    readOn(request)
  }

  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const isIdle = this.#connections.get(socket)?.isIdle ?? false
    if (!isIdle || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const refused = this.#gate.answerTo(
      new Refused('bad_request', `this is no valid request (${error.code})`),
    )
    if (refused) refuseConnection(socket, refused)
  }
}

/** @throws Refused bad_target */
function destinationOf({ url = '', method }: IncomingMessage) {
  const parsed = URL.parse(url)
  const [, rest] = ABSOLUTE.exec(url) ?? []
  if (!parsed || rest === undefined)
    throw new Refused('bad_target', 'this is a proxy: a URL with http:// is expected')
  const target: Target = parseTarget(parsed.hostname.replace(/^\[(.*)\]$/, '$1'), Number(parsed.port || 80))
  const path = rest.startsWith('/') ? rest : `/${rest}`
  return { target, host: parsed.host, path: rest === '' && method === 'OPTIONS' ? '*' : path }
}

/** @throws Refused bad_request */
function refuseUnclearBody({ headers }: IncomingMessage, upgrade: boolean): void {
  const encoding = headers['transfer-encoding']
  // Node refuses it, too, but only after it has handed the request over.
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    throw new Refused('bad_request', 'only Transfer-Encoding: chunked is understood')
  const hasBody = encoding !== undefined || Number(headers['content-length'] ?? 0) > 0
  // Node ends such a request where the other protocol would begin.
  if (upgrade && hasBody) throw new Refused('bad_request', 'an upgrade cannot have a body')
}
