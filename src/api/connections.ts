import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerHalfClosed } from '../half-closed.ts'

/** Bounds on what connections may cost. */
export interface ConnectionLimits {
  /** Most open connections; beyond it, the one that has made no request for the longest is ended. */
  readonly connections: number
  /** Milliseconds within which a client must have read what was written to it. */
  readonly readTimeout: number
}

const MOST_CONNECTIONS = 2_000
const READ_TIMEOUT_MS = 60_000

/**
 * The usual bounds. Half of the descriptors are left for the database, Telegram and everything else.
 *
 * @param openFileLimit descriptors that the process may have
 */
export function connectionLimits(openFileLimit: number): ConnectionLimits {
  return {
    connections: Math.min(MOST_CONNECTIONS, Math.floor(openFileLimit / 2)),
    readTimeout: READ_TIMEOUT_MS,
  }
}

/** Number of checks for unread answers within one read timeout. */
const CHECKS_PER_TIMEOUT = 10
/** Turns of the event loop in a row that are left to new connections while they keep coming. */
const TURNS_FOR_NEW_CONNECTIONS = 15
/** Bytes of the longest chunk that counts as a usual request. */
const LONG_CHUNK = 4_096
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** Pieces into which a request may be cut in one turn: its head, its body, and each empty line in a body of unknown length. */
const PIECES_PER_TURN = 64

/**
 * Bounds what connections cost, whatever comes over them:
 *
 * - A connection that owes an answer gives no further request to the server before the answer is with the client's machine
 *   (pipelining stays possible, the requests are answered in turn). Node itself parses, and hands to the routes, as many requests
 *   as fit into 64 KiB at once, whether or not their answers are read. Of what waits, no more than 80 KiB are in memory; the rest
 *   stays with the operating system.
 * - A client that does not read its answers in time is cut off.
 * - A client that ends its side after a complete request is answered.
 * - Beyond a number of connections the one that was idle for the longest ends, so that descriptors are left for everything else,
 *   and new clients can connect.
 *
 * @param server not listening yet
 */
export function boundConnections(server: Server, limits: ConnectionLimits): void {
  /** Least recently used first. */
  const connections = new Map<Socket, Connection>()
  const turns = new Turns()
  answerHalfClosed(server)

  server.on('connection', (socket: Socket) => {
    const connection = new Connection(socket, turns)
    turns.letIn()
    connections.set(socket, connection)
    socket.once('close', () => connections.delete(socket))
    if (connections.size <= limits.connections) return
    const [idlest] = connections.keys()
    idlest?.destroy()
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    connections.delete(socket)
    connections.set(socket, connection)
    connection.owe(request, response)
  })

  const check = () => {
    const now = performance.now()
    for (const connection of connections.values()) connection.endIfUnread(now, limits.readTimeout)
  }
  const timer = setInterval(check, limits.readTimeout / CHECKS_PER_TIMEOUT).unref()
  server.once('close', () => clearInterval(timer))
}

/**
 * Lets connections with further requests go on, one in each turn of the event loop. Node accepts one new connection per turn, so
 * that long turns would keep new connections waiting: while they come, most turns are theirs. A short request that is not
 * pipelined does not wait for a turn.
 */
class Turns {
  readonly #waiting = new Set<Connection>()
  /** Whether a client has connected since the last turn: more may follow. */
  #hasNew = false
  /** Turns in a row that were left to new connections. */
  #left = 0

  wait(connection: Connection): void {
    if (this.#waiting.size === 0) setImmediate(() => this.#next())
    this.#waiting.add(connection)
  }

  letIn(): void {
    this.#hasNew = true
  }

  #next(): void {
    const [next] = this.#waiting
    if (!next) return
    if (this.#hasNew && this.#left < TURNS_FOR_NEW_CONNECTIONS) this.#left += 1
    else {
      this.#left = 0
      this.#waiting.delete(next)
      next.goOn()
    }
    this.#hasNew = false
    if (this.#waiting.size > 0) setImmediate(() => this.#next())
  }
}

class Connection {
  readonly #socket: Socket
  readonly #turns: Turns
  /** Node's own data listener, which parses requests. */
  readonly #parse: (bytes: Buffer) => void
  readonly #heads = new HeadFinder()
  /** Number of requests whose answers are not with the client's machine yet. */
  #owed = 0
  /** The request that came last; its body may still be on its way. */
  #latest: IncomingMessage | undefined
  /** Bytes of its body that have not arrived yet, by `Content-Length`; 0 without one. */
  #bodyLeft = 0
  /** Whether bytes were put back to wait for this connection's turn. */
  #held = false
  /** Number of bytes that were put back last, until they are read. */
  #putBack = 0
  /** Whether it is this connection's turn to begin a request. */
  #turn = false
  /** Time (ms) since which written bytes are unread; undefined while none are. */
  #unreadSince: number | undefined

  constructor(socket: Socket, turns: Turns) {
    this.#socket = socket
    this.#turns = turns
    // Node takes the bytes straight from the handle until another listener is added; then they come as chunks.
    const [parse] = socket.listeners('data') as [(bytes: Buffer) => void]
    this.#parse = (bytes) => parse.call(socket, bytes)
    socket.off('data', parse)
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
  }

  owe(request: IncomingMessage, response: ServerResponse): void {
    this.#owed += 1
    this.#latest = request
    this.#bodyLeft = Number(request.headers['content-length'] ?? 0)
    response.once('close', () => {
      this.#owed -= 1
      // Otherwise thousands of idle connections would hold their last requests in memory.
      if (!this.#receiving) this.#latest = undefined
      if (this.#owed === 0 && this.#held) this.#turns.wait(this)
    })
  }

  /** Reads on, at first without resume(): Node would read 64 KiB more from each of thousands of connections before it is needed. */
  goOn(): void {
    const socket = this.#socket
    this.#held = false
    this.#turn = true
    while (!this.#held && !socket.destroyed && socket.readableLength > LONG_CHUNK) {
      // What was put back last is read as one piece: reading across two chunks would copy.
      const length = Math.min(this.#putBack, LONG_CHUNK) || LONG_CHUNK
      this.#putBack = 0
      if (socket.read(length) === null) break
    }
    if (!this.#held && !socket.destroyed) socket.resume()
  }

  endIfUnread(now: number, timeout: number): void {
    if (this.#socket.writableLength === 0) this.#unreadSince = undefined
    else this.#unreadSince ??= now
    if (this.#unreadSince !== undefined && now - this.#unreadSince >= timeout) this.#socket.destroy()
  }

  /**
   * Passes Node the rest of the request that it is reading, or the next one when no answer is owed. What is left waits in the socket
   * until its turn, and so does a long chunk.
   */
  #take(bytes: Buffer): void {
    let rest = bytes
    const mayBegin = this.#turn || (!this.#held && this.#owed === 0 && bytes.length <= LONG_CHUNK)
    this.#turn = false
    for (let pieces = 0; rest.length > 0 && pieces < PIECES_PER_TURN; pieces += 1) {
      if (!this.#receiving && (!mayBegin || pieces > 0)) break
      const end = this.#bodyLeft > 0 ? Math.min(this.#bodyLeft, rest.length) : this.#heads.end(rest)
      this.#bodyLeft = Math.max(this.#bodyLeft - end, 0)
      this.#parse(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    // After a refusal that ends the connection nothing is read any more.
    if (rest.length > 0 && this.#socket.writable) this.#hold(rest)
  }

  get #receiving(): boolean {
    return this.#latest?.complete === false
  }

  #hold(bytes: Buffer): void {
    this.#held = true
    this.#putBack = bytes.length
    this.#socket.pause()
    this.#socket.unshift(bytes)
    if (this.#owed === 0) this.#turns.wait(this)
  }
}

/** Finds the empty line that ends the head of a request, also when it is cut in two. Bare line feeds count. */
class HeadFinder {
  /** The two bytes before the chunk. */
  #before: readonly [number, number] = [0, 0]

  /** @returns the offset after the empty line; the length of the chunk when the line has not come yet */
  end(bytes: Buffer): number {
    const at = (index: number) => (index < 0 ? this.#before[index + 2] : bytes[index])
    let feed = bytes.indexOf(LINE_FEED)
    while (feed !== -1) {
      if (at(feed - 1) === LINE_FEED || (at(feed - 1) === CARRIAGE_RETURN && at(feed - 2) === LINE_FEED)) {
        this.#before = [0, 0]
        return feed + 1
      }
      feed = bytes.indexOf(LINE_FEED, feed + 1)
    }
    this.#before = [at(bytes.length - 2) ?? 0, at(bytes.length - 1) ?? 0]
    return bytes.length
  }
}
