import { type OnReadOpts, Socket } from 'node:net'
import type { Attempt } from './attempt.ts'
import { acceptedOptions, connectOptions, socketOptions } from './socket-options.ts'

/** A connection whose bytes are read without the cost of a stream. */
export interface FastSocket {
  /** For writing, ending, destroying and the events `close`, `end`, `error`, `drain`; nobody reads from it as a stream. */
  readonly socket: Socket
  /** Where arriving bytes go; the bytes stay valid. What arrives while there is no reader waits, mostly in the system. */
  read(reader: Reader | undefined): void
  /**
   * As {@link read}, at less cost for large amounts: bytes are valid only until the reader gets the next ones. A reader that needs
   * them for longer stops with `read(undefined)`, and borrows again when it does not.
   */
  borrow(reader: Reader): void
  /** Takes the reader away and bytes back, which the next reader gets first. What arrives until then may be kept in memory. */
  unread(bytes: Buffer): void
  /** The connection as a stream, for good: bytes that were taken back and those that arrive are read from it. */
  stream(): Socket
}

/** @returns false: nothing more is wanted, until somebody asks for it */
export type Reader = (bytes: Buffer) => unknown

export interface ConnectOptions {
  /** An address, or a name that the system resolves. */
  readonly host: string
  readonly port: number
  readonly timeoutMs: number
  /** Ends at once when it is given up; without effect on an open connection. */
  readonly attempt: Attempt
}

/** For the errors of connections that break off: they are closed next. */
export function ignore(): void {}

/**
 * Opens a connection whose sides end one after the other (half-close). Its errors need no listener: `close` follows each.
 *
 * @throws Error with the system's code, `ETIMEDOUT` after `timeoutMs`; the reason for which the attempt was given up
 */
export function connectFast({ host, port, timeoutMs, attempt }: ConnectOptions): Promise<FastSocket> {
  return new Promise((resolve, reject) => {
    const connection = new Connection((onread) => new Socket(socketOptions(onread)))
    const { socket } = connection
    attempt.step((reason) => void socket.destroy(reason))
    const timer = setTimeout(() => socket.destroy(timeout(host, port, timeoutMs)), timeoutMs)
    connection.open(host, port, (error) => {
      clearTimeout(timer)
      attempt.step(undefined)
      if (error) reject(error)
      else resolve(connection)
    })
  })
}

/**
 * A connection that was accepted, half-open and without delay.
 *
 * @param handle as Node's server gets it
 */
export function acceptFast(handle: object): FastSocket {
  const connection = new Connection((onread) => new Socket(acceptedOptions(handle, onread)))
  connection.socket.setNoDelay(true)
  return connection
}

/** The same interface for a connection that is a stream already, such as one with TLS. */
export function fromStream(socket: Socket): FastSocket {
  let early: Buffer | undefined
  let reader: Reader | undefined
  const stop = () => {
    if (reader) socket.off('data', reader)
    reader = undefined
    socket.pause()
  }
  const read = (next: Reader | undefined) => {
    if (next && next === reader) return
    stop()
    if (!next) return
    reader = next
    const first = early
    early = undefined
    if (first) next(first)
    // The reader may have stopped by now.
    if (reader !== next) return
    socket.on('data', next)
    socket.resume()
  }
  const unread = (bytes: Buffer) => {
    stop()
    early = joined(bytes, early)
  }
  const stream = () => {
    stop()
    if (early) socket.unshift(early)
    return socket
  }
  if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
  return { socket, read, borrow: read, unread, stream }
}

function joined(bytes: Buffer, others: Buffer | undefined): Buffer | undefined {
  if (bytes.length === 0) return others
  return others ? Buffer.concat([bytes, others]) : bytes
}

function timeout(host: string, port: number, timeoutMs: number): Error {
  const message = `no connection to ${host}:${port} within ${timeoutMs} ms`
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}

/**
 * The buffer of all connections on which little arrives: an idle connection has none of its own. What arrives in it is copied.
 * The system reads into it and calls us in one go, so that connections cannot disturb each other.
 */
const SHARED = Buffer.allocUnsafeSlow(64 * 1_024)
/** Bytes of the buffer that a connection has for itself while much arrives on it. */
const OWN_BYTES = 256 * 1_024
/** Own buffers without a connection. */
const spare: Buffer[] = []
const MOST_SPARE = 16

/**
 * A connection into which memory is read: a large buffer only while each read fills what it is given and the reader keeps up. It is
 * read from the beginning on: to stop and start again costs two system calls.
 */
class Connection implements FastSocket {
  readonly socket: Socket
  #opened: ((error?: Error) => void) | undefined
  #reader: Reader | undefined
  #borrowing = false
  /** Nothing is read from the system. */
  #isStopped = false
  #own: Buffer | undefined
  /** Arrived without a reader, or was taken back. */
  #early: Buffer | undefined
  /** Where the next bytes go. */
  #buffer: Buffer = SHARED

  constructor(make: (onread: OnReadOpts) => Socket) {
    this.socket = make({
      buffer: () => this.#buffer,
      callback: (length, buffer) => this.#arrived(length, buffer),
    })
    this.socket.on('close', () => this.#closed())
  }

  /** @param opened is told once whether the connection is open, or why not; nothing of it is kept */
  open(host: string, port: number, opened: (error?: Error) => void): void {
    const { socket } = this
    this.#opened = opened
    const settle = (error?: Error) => {
      this.#opened?.(error)
      this.#opened = undefined
    }
    // Of an open connection, `close` comes next.
    socket.on('connect', settle).on('error', settle)
    socket.connect(connectOptions(host, port))
  }

  read(reader: Reader | undefined): void {
    this.#start(reader, false)
  }

  borrow(reader: Reader): void {
    this.#start(reader, true)
  }

  unread(bytes: Buffer): void {
    this.#reader = undefined
    this.#early = joined(bytes, this.#early)
  }

  stream(): Socket {
    const { socket } = this
    const early = this.#early
    this.#early = undefined
    if (early) socket.unshift(early)
    this.#start((bytes) => socket.push(bytes), false)
    return socket
  }

  /** @returns whether to go on reading */
  #arrived(length: number, buffer: Uint8Array): boolean {
    const bytes = this.#keep(length, buffer)
    const reader = this.#reader
    let isEnough = false
    if (reader) isEnough = reader(bytes) === false
    else this.#early = this.#early ? Buffer.concat([this.#early, bytes]) : bytes
    const goesOn = this.#reader !== undefined && !isEnough
    this.#choose(goesOn && this.#borrowing && length === buffer.length)
    this.#isStopped = !goesOn
    return goesOn
  }

  #closed(): void {
    this.#reader = undefined
    // A write of the other side may still need what is in it: it is not used again.
    this.#own = undefined
    this.#buffer = SHARED
  }

  #start(reader: Reader | undefined, borrowing: boolean): void {
    this.#reader = reader
    this.#borrowing = borrowing
    if (!reader) {
      this.#isStopped = true
      return void this.socket.pause()
    }
    const early = this.#early
    this.#early = undefined
    if (early) reader(early)
    // The reader may have stopped by now.
    if (!this.#reader || !this.#isStopped) return
    this.#isStopped = false
    this.socket.resume()
  }

  /** The bytes in memory that may be handed out. */
  #keep(length: number, buffer: Uint8Array): Buffer {
    const bytes = (buffer as Buffer).subarray(0, length)
    return buffer === this.#own && this.#borrowing ? bytes : Buffer.from(bytes)
  }

  #choose(large: boolean): void {
    if (large) this.#own ??= spare.pop() ?? Buffer.allocUnsafeSlow(OWN_BYTES)
    else if (this.#own) {
      // A reader that has stopped may still need the bytes: then nobody uses this memory again.
      if (this.#reader && spare.length < MOST_SPARE) spare.push(this.#own)
      this.#own = undefined
    }
    this.#buffer = this.#own ?? SHARED
  }
}
