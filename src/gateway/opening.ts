import { Refused } from './exit.ts'
import { type FastSocket, ignore } from './fast-socket.ts'
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
  readonly #connection: FastSocket
  readonly #sweeper: Sweeper
  readonly #limitMs: number
  #since = performance.now()
  /** It is the client's turn. */
  #isWaiting = true
  #bytes: Buffer = NONE
  #look: () => void = () => {}

  constructor(connection: FastSocket, sweeper: Sweeper, limitMs: number) {
    this.#connection = connection
    this.#sweeper = sweeper
    this.#limitMs = limitMs
    sweeper.add(this)
    connection.read(this.#arrived)
    connection.socket.on('end', this.#ended).on('close', this.#closed)
  }

  sweep(now: number): void {
    if (this.#isWaiting && now - this.#since >= this.#limitMs) this.#connection.socket.destroy()
  }

  /**
   * Reads until `parse` finds what it wants; does not settle when the client goes away.
   *
   * @param parse undefined: more is needed
   * @throws Refused bad_request when 16 KiB do not suffice
   */
  read<T>(parse: (bytes: Buffer) => Parsed<T> | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#isWaiting = true
      // With a name: V8 keeps a function whose literal is assigned to a property until the next full collection (decision 12).
      const look = () => {
        const parsed = parse(this.#bytes)
        if (parsed) {
          this.#isWaiting = false
          this.#look = ignore
          this.#bytes = this.#bytes.subarray(parsed.length)
          resolve(parsed.result)
        } else if (this.#bytes.length >= MOST_BYTES)
          reject(new Refused('bad_request', 'the head is too large'))
        else this.#connection.read(this.#arrived)
      }
      this.#look = look
      look()
    })
  }

  /** When what is being read began, by `performance.now()`. */
  get since(): number {
    return this.#since
  }

  /** Unless the connection was handed over, the client was refused: it closes the connection, or has as much time as at the beginning to try again. */
  refused(): void {
    this.#since = performance.now()
    this.#isWaiting = true
  }

  /** Hands the connection over, with what was read too much. */
  release(): FastSocket {
    this.#sweeper.delete(this)
    this.#connection.socket.off('end', this.#ended).off('close', this.#closed)
    this.#connection.unread(this.#bytes)
    return this.#connection
  }

  readonly #arrived = (bytes: Buffer): void => {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    // A client that sends much before it is answered is read on when it is.
    if (this.#bytes.length >= MOST_BYTES) this.#connection.read(undefined)
    this.#look()
  }

  readonly #closed = (): void => this.#sweeper.delete(this)

  readonly #ended = (): void => {
    if (this.#isWaiting) this.#connection.socket.destroy()
  }
}
