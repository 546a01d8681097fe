import { connect, type Socket } from 'node:net'
import type { Attempt } from './attempt.ts'

/** A TCP or TLS connection that hands arriving bytes to one reader at a time. */
export interface Connection {
  /** For writing, ending, destroying and the events `close`, `end`, `error`, `drain`; nobody reads from it as a stream. */
  readonly socket: Socket
  /**
   * Sets the reader of arriving bytes; undefined: they wait, mostly in the system. A reader that goes on reading may use bytes only
   * until it gets the next ones; bytes that it got before it stopped (`read(undefined)`) stay valid.
   */
  read(reader: Reader | undefined): void
  /** Takes the reader away and bytes back, which the next reader gets first. What arrives until then may be kept in memory. */
  unread(bytes: Buffer): void
}

export type Reader = (bytes: Buffer) => void

interface ConnectOptions {
  /** An address, or a name that the system resolves. */
  readonly host: string
  readonly port: number
  readonly timeoutMs: number
  /** When it is given up, connecting ends at once; an open connection stays. */
  readonly attempt: Attempt
}

/** Listener for `error` of sockets: `close` follows each, and its listeners clean up. */
export function ignoreError(): void {}

/**
 * Opens a connection whose two directions end separately (half-close). Its errors need no listener: `close` follows each.
 *
 * @throws Error with the system's code, `ETIMEDOUT` after `timeoutMs`; the reason for which the attempt was given up
 */
export function openConnection({ host, port, timeoutMs, attempt }: ConnectOptions): Promise<Connection> {
  return new Promise((resolve, reject) => {
    if (attempt.reason) throw attempt.reason
    const connection = new OutgoingConnection(host, port)
    const { socket } = connection
    attempt.step((reason) => void socket.destroy(reason))
    const timer = setTimeout(() => socket.destroy(timeout(host, port, timeoutMs)), timeoutMs)
    const settle = (error?: Error) => {
      socket.off('connect', settle).off('error', settle)
      clearTimeout(timer)
      attempt.step(undefined)
      if (error) reject(error)
      else resolve(connection)
    }
    socket.on('error', ignoreError).on('connect', settle).on('error', settle)
  })
}

function timeout(host: string, port: number, timeoutMs: number): Error {
  const message = `no connection to ${host}:${port} within ${timeoutMs} ms`
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}

/** A connection that Node reads as a stream: an accepted one, or one with TLS. */
export class StreamConnection implements Connection {
  readonly socket: Socket
  #reader: Reader | undefined
  /** Bytes that were taken back. */
  #early: Buffer | undefined

  constructor(socket: Socket) {
    this.socket = socket
  }

  read(reader: Reader | undefined): void {
    this.#stop()
    if (!reader) return
    this.#reader = reader
    const early = this.#early
    this.#early = undefined
    if (early) reader(early)
    // The reader may have stopped by now.
    if (this.#reader === reader) this.socket.on('data', reader).resume()
  }

  unread(bytes: Buffer): void {
    this.#stop()
    this.#early = joined(bytes, this.#early)
  }

  #stop(): void {
    if (this.#reader) this.socket.off('data', this.#reader)
    this.#reader = undefined
    this.socket.pause()
  }
}

/**
 * The buffer of all outgoing connections on which little arrives: an idle connection has none of its own. What arrives in it is copied.
 * Node reads into it and calls back in one go, so that connections cannot disturb each other.
 */
const SHARED = Buffer.allocUnsafeSlow(64 * 1_024)
/** Size of the buffer that a connection has for itself while much arrives on it, in bytes. */
const OWN_BYTES = 256 * 1_024

/**
 * A connection that Node reads into given buffers (`onread`), at a third of the cost of a stream: into a large one of its own while
 * each read fills the buffer and the reader goes on reading.
 */
class OutgoingConnection implements Connection {
  readonly socket: Socket
  #reader: Reader | undefined
  /** Whether reading from the system is stopped. */
  #isStopped = false
  /** Bytes that arrived without a reader, or were taken back. */
  #early: Buffer | undefined
  /** The buffer that the next bytes are read into. */
  #buffer: Buffer = SHARED

  /** Connects; to a name at the first address that the system knows. */
  constructor(host: string, port: number) {
    const onread = { buffer: () => this.#buffer, callback: (length: number) => this.#arrived(length) }
    this.socket = connect({ host, port, allowHalfOpen: true, noDelay: true, autoSelectFamily: false, onread })
  }

  read(reader: Reader | undefined): void {
    this.#reader = reader
    if (!reader) {
      this.#isStopped = true
      return void this.socket.pause()
    }
    const early = this.#early
    this.#early = undefined
    if (early) reader(early)
    // The reader may have stopped by now. A connection that is being read is not resumed: that costs two system calls.
    if (!this.#reader || !this.#isStopped) return
    this.#isStopped = false
    this.socket.resume()
  }

  unread(bytes: Buffer): void {
    this.#reader = undefined
    this.#early = joined(bytes, this.#early)
  }

  /** @returns whether to go on reading */
  #arrived(length: number): boolean {
    const buffer = this.#buffer
    const bytes = buffer.subarray(0, length)
    this.#handBytes(buffer === SHARED ? Buffer.from(bytes) : bytes)
    const goesOn = this.#reader !== undefined
    this.#isStopped = !goesOn
    if (!goesOn || length < buffer.length) this.#buffer = SHARED
    else if (buffer === SHARED) this.#buffer = Buffer.allocUnsafeSlow(OWN_BYTES)
    return goesOn
  }

  #handBytes(bytes: Buffer): void {
    if (this.#reader) this.#reader(bytes)
    else this.#early = this.#early ? Buffer.concat([this.#early, bytes]) : bytes
  }
}

function joined(bytes: Buffer, others: Buffer | undefined): Buffer | undefined {
  if (bytes.length === 0) return others
  return others ? Buffer.concat([bytes, others]) : bytes
}
