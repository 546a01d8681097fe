import { createServer, type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { answerHalfClosed } from '../half-closed.ts'
import { refuseConnection, serveConnect } from './connect.ts'
import { StreamConnection } from './connection.ts'
import { exchange, readOn } from './exchange.ts'
import { Refused, type Target } from './exit.ts'
import { answerItself } from './final-hop.ts'
import { hasBody, headText, hopsLeft, isOld } from './forwarded-headers.ts'
import type { Gate } from './gate.ts'
import { HttpConnection, type HttpTimes } from './http-connection.ts'
import { MeteredStream } from './metered-stream.ts'
import { httpRefusal } from './refusals.ts'
import { parseTarget } from './targets.ts'

const MOST_HEAD_BYTES = 16_384
/** A URL up to its path, the path, and what is not sent to servers. */
const ABSOLUTE = /^(?:http|ws):\/\/[^/?#]+([^#]*)/i

/**
 * Serves what is not a tunnel: requests in absolute form, one after the other on a connection, each with its own credentials, exit and
 * connection to the target (rules 12.13). Node's HTTP server and client parse both sides: what one of them does not understand is not
 * passed on.
 */
export class Forwarder {
  readonly #gate: Gate
  readonly #server: Server
  readonly #times: HttpTimes
  readonly #connections = new Map<Socket, HttpConnection>()

  constructor(gate: Gate, times: HttpTimes) {
    this.#gate = gate
    this.#times = times
    const noTimeouts = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }
    this.#server = createServer({ ...noTimeouts, maxHeaderSize: MOST_HEAD_BYTES, requireHostHeader: false })
    answerHalfClosed(this.#server)
    // Their number is bounded by the size of the head.
    this.#server.maxHeadersCount = 0
    const forward = (request: IncomingMessage, response: ServerResponse) =>
      void this.#forward(request, response, false)
    this.#server.on('request', forward).on('checkContinue', forward).on('checkExpectation', forward)
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

  /**
   * Takes a connection over at the beginning of a request.
   *
   * @param since when that has begun, by `performance.now()`
   */
  serve(socket: Socket, since: number): void {
    this.#connections.set(socket, new HttpConnection(socket, this.#gate.sweeper, this.#times, since))
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
    const turn = this.#connections.get(socket)?.serve(request, response)
    if (turn) await turn
    if (isOld(request)) {
      response.shouldKeepAlive = false
      // Such a client may say that it takes chunks; that counts for those of later versions only (RFC 9112, 6.1).
      response.removeHeader('Transfer-Encoding')
    }
    let stream: MeteredStream | undefined
    try {
      const client = this.#gate.logInBasic(socket, request.headers['proxy-authorization'])
      refuseUnclear(request)
      if (request.url === '*' || hopsLeft(request) === 0) return answerItself(request, response)
      const { target, host, path } = destinationOf(request)
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
      const client = new StreamConnection(socket)
      client.unread(head)
      return client
    })
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (!this.#connections.get(socket)?.isIdle) return void socket.destroy()
    if (hasBody(request) || isOld(request)) return this.#withoutUpgrade(request, socket, head)
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

  /**
   * Serves a request as if no other protocol was asked for, which a server is free to do (RFC 9110, 7.8): Node, which has let go of the
   * connection before the body, reads it once more.
   */
  #withoutUpgrade(
    { method, url, httpVersion, rawHeaders }: IncomingMessage,
    socket: Socket,
    head: Buffer,
  ): void {
    const kept = rawHeaders.filter((_, at) => rawHeaders[at - (at % 2)]?.toLowerCase() !== 'upgrade')
    const again = headText(`${method} ${url} HTTP/${httpVersion}`, kept)
    socket.unshift(Buffer.concat([Buffer.from(again, 'latin1'), head]))
    this.#server.emit('connection', socket)
    socket.resume()
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

/** @throws Refused bad_request, coding_unknown */
function refuseUnclear({ headers, rawHeaders }: IncomingMessage): void {
  // It does not count beside the URL, but two of them are meant to be read differently by different servers (RFC 9112, 3.2).
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1)
    throw new Refused('bad_request', 'there is more than one Host')
  const coding = headers['transfer-encoding']?.toLowerCase()
  if (coding === undefined || coding === 'chunked') return
  // Node refuses the other ones, too, but only after it has handed the request over.
  if (!/(?:^|[\s,])chunked$/.test(coding))
    throw new Refused('bad_request', 'the last Transfer-Encoding has to be chunked')
  throw new Refused('coding_unknown')
}
