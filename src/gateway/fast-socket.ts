import { Socket } from 'node:net'
import type { Attempt } from './attempt.ts'
import { connectOptions, socketOptions } from './socket-options.ts'

/** A connection that was opened by us: its bytes are read without the cost of a stream. */
export interface FastSocket {
  /** For writing, ending, destroying and the events `close`, `end`, `error`, `drain`; nobody reads from it as a stream. */
  readonly socket: Socket
  /** Where arriving bytes go; the bytes stay valid. What arrives while there is no reader is not read from the system. */
  read(reader: Reader | undefined): void
  /**
   * As {@link read}, at less cost for large amounts: bytes are valid only until the reader gets the next ones. A reader that needs
   * them for longer stops with `read(undefined)`, and borrows again when it does not.
   */
  borrow(reader: Reader): void
}

export type Reader = (bytes: Buffer) => void

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
    const connection = new Connection()
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
 * The same interface for a connection that is a stream already, such as an accepted one or one with TLS.
 *
 * @param early what was read from it before
 */
export function fromStream(socket: Socket, early?: Buffer): FastSocket {
  let first = early?.length ? early : undefined
  let reader: Reader | undefined
  const read = (next: Reader | undefined) => {
    if (reader) socket.off('data', reader)
    reader = next
    if (!reader) return void socket.pause()
    if (first) {
      const bytes = first
      first = undefined
      reader(bytes)
      // The reader may have stopped by now.
      if (reader !== next) return
    }
    socket.on('data', reader)
    socket.resume()
  }
  if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
  return { socket, read, borrow: read }
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
 * A connection that we open, and into which memory is read from it: a large buffer only while each read fills what it is given and the
 * reader keeps up.
 */
class Connection implements FastSocket {
  readonly socket: Socket
  #opened: ((error?: Error) => void) | undefined
  #reader: Reader | undefined
  #borrowing = false
  #own: Buffer | undefined
  /** Arrived without a reader: the system was asked for it before the reader left. */
  #early: Buffer | undefined
  /** Where the next bytes go. */
  #buffer: Buffer = SHARED

  constructor() {
    this.socket = new Socket(
      socketOptions({
        buffer: () => this.#buffer,
        callback: (length, buffer) => this.#arrived(length, buffer),
      }),
    )
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
    socket.on('close', () => this.#closed())
    socket.connect(connectOptions(host, port))
    // Nothing is read before there is a reader.
    socket.pause()
  }

  read(reader: Reader | undefined): void {
    this.#start(reader, false)
  }

  borrow(reader: Reader): void {
    this.#start(reader, true)
  }

  /** @returns whether to go on reading */
  #arrived(length: number, buffer: Uint8Array): boolean {
    const bytes = this.#keep(length, buffer)
    const reader = this.#reader
    if (reader) reader(bytes)
    else this.#early = this.#early ? Buffer.concat([this.#early, bytes]) : bytes
    const goesOn = this.#reader !== undefined
    this.#choose(goesOn && this.#borrowing && length === buffer.length)
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
    if (!reader) return void this.socket.pause()
    const early = this.#early
    this.#early = undefined
    if (early) reader(early)
    // The reader may have stopped by now.
    if (this.#reader) this.socket.resume()
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
