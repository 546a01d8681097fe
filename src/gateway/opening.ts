import type { Socket } from 'node:net'
import { type Connection, StreamConnection } from './connection.ts'
import { Refused } from './exit.ts'
import type { Swept, Sweeper } from './sweeper.ts'

export interface Parsed<T> {
  readonly result: T
  readonly length: number
}

const MOST_BYTES = 16_384
const NONE = Buffer.alloc(0)

/**
 * Reads what a client says before its connection is relayed. A client that takes too long over it is disconnected, and so is one
 * that does not close its connection after a refusal.
 */
export class Opening implements Swept {
  place = -1
  readonly #socket: Socket
  readonly #sweeper: Sweeper
  readonly #limitMs: number
  #since = performance.now()
  /** Whether it is the client's turn. */
  #isWaiting = true
  #bytes: Buffer = NONE
  /** Parses what was read; undefined: no {@link read} is under way. */
  #parseBytes: (() => void) | undefined

  constructor(socket: Socket, sweeper: Sweeper, limitMs: number) {
    this.#socket = socket
    this.#sweeper = sweeper
    this.#limitMs = limitMs
    sweeper.add(this)
    socket.on('data', this.#addBytes).on('end', this.#ended).on('close', this.#closed)
  }

  sweep(now: number): void {
    if (this.#isWaiting && now - this.#since >= this.#limitMs) this.#socket.destroy()
  }

  /**
   * Reads until `parse` finds what it wants; does not settle when the client goes away.
   *
   * @param parse returns undefined while more is needed
   * @throws Refused bad_request when 16 KiB do not suffice
   */
  read<T>(parse: (bytes: Buffer) => Parsed<T> | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#isWaiting = true
      // With a name: V8 keeps a function whose literal is assigned to a property until the next full collection (decision 12).
      const parseBytes = () => {
        const parsed = parse(this.#bytes)
        if (parsed) {
          this.#isWaiting = false
          this.#parseBytes = undefined
          this.#bytes = this.#bytes.subarray(parsed.length)
          resolve(parsed.result)
        } else if (this.#bytes.length >= MOST_BYTES)
          reject(new Refused('bad_request', 'the head is too large'))
        else this.#socket.resume()
      }
      this.#parseBytes = parseBytes
      parseBytes()
    })
  }

  /** When what is being read began, by `performance.now()`. */
  get since(): number {
    return this.#since
  }

  /** Gives a refused client as much time as at the beginning to close the connection or try again; no effect after a hand-over. */
  refused(): void {
    this.#since = performance.now()
    this.#isWaiting = true
  }

  /** Hands the connection over, with the bytes that were read beyond the request. */
  release(): Connection {
    this.#stopReading()
    const connection = new StreamConnection(this.#socket)
    connection.unread(this.#bytes)
    return connection
  }

  /** Hands the connection over as a stream, to which the bytes that were not parsed are returned. */
  releaseStream(): Socket {
    this.#stopReading()
    if (this.#bytes.length > 0) this.#socket.unshift(this.#bytes)
    return this.#socket
  }

  #stopReading(): void {
    this.#sweeper.delete(this)
    this.#socket.off('data', this.#addBytes).off('end', this.#ended).off('close', this.#closed).pause()
  }

  readonly #addBytes = (bytes: Buffer): void => {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    // A client that sends much before it is answered is read on when it is.
    if (this.#bytes.length >= MOST_BYTES) this.#socket.pause()
    this.#parseBytes?.()
  }

  readonly #closed = (): void => this.#sweeper.delete(this)

  readonly #ended = (): void => {
    if (this.#isWaiting) this.#socket.destroy()
  }
}
