import type { Socket } from 'node:net'
import type { Connection } from './connection.ts'
import type { Passage } from './passage.ts'
import { IdleWatch, type Swept, type Sweeper } from './sweeper.ts'

/** How long a client may take to read the last bytes of a tunnel whose traffic is used up. */
const FINAL_READ_MS = 5_000

/** Both sides of a tunnel, and its place among the connections of the account. */
interface Ends {
  readonly client: Connection
  readonly target: Connection
  readonly passage: Passage
}

/**
 * Relays bytes both ways until both sides have ended or one breaks off. Each byte is taken from the allowance before it is passed on;
 * when nothing is left, the tunnel ends after the last byte that was left. A side that reads slowly is waited for.
 *
 * @param idleMs a tunnel on which nothing is passed on for that long is broken off
 */
export function relay(ends: Ends, sweeper: Sweeper, idleMs: number): void {
  new Tunnel(ends, sweeper, idleMs).start()
}

class Tunnel implements Swept {
  place = -1
  readonly passage: Passage
  readonly #client: Connection
  readonly #target: Connection
  readonly #sweeper: Sweeper
  #idle: IdleWatch
  #isFinishing = false
  /** Number of directions in which everything was passed on. */
  #ended = 0

  get isFinishing(): boolean {
    return this.#isFinishing
  }

  constructor({ client, target, passage }: Ends, sweeper: Sweeper, idleMs: number) {
    this.passage = passage
    this.#client = client
    this.#target = target
    this.#sweeper = sweeper
    this.#idle = new IdleWatch(idleMs)
  }

  start(): void {
    const client = this.#client.socket
    const target = this.#target.socket
    if (client.destroyed || target.destroyed) {
      this.#breakOff()
      return this.#leave()
    }
    const end = () => this.#breakOff()
    this.passage.onClose = end
    this.#sweeper.add(this)
    client.on('close', () => this.#closed(target))
    target.on('close', () => this.#closed(client))
    new Pump(this.#client, this.#target, this).start()
    new Pump(this.#target, this.#client, this).start()
  }

  touch(): void {
    this.#idle.touch()
  }

  sweep(now: number): void {
    if (this.#idle.isOver(now)) this.#breakOff()
  }

  /**
   * Ends the tunnel after what was passed on. What the client still sends is read and dropped: closed with bytes unread, a connection
   * is reset, and what is on its way to the client would be lost.
   */
  finish(): void {
    if (this.#isFinishing) return
    this.#isFinishing = true
    this.#idle = new IdleWatch(FINAL_READ_MS)
    this.#target.read(undefined)
    this.#target.socket.destroySoon()
    this.#client.socket.end()
    this.#client.read(() => {})
  }

  /** Called when all that one side sent was passed on. After both, once the system has it all, nothing is left to wait for. */
  ended(to: Socket): void {
    this.#ended += 1
    const isPassedOn = this.#client.socket.writableLength + this.#target.socket.writableLength === 0
    if (this.#ended === 2 && isPassedOn) this.#breakOff()
    else to.end()
  }

  #closed(other: Socket): void {
    const isReadingRest = this.#isFinishing && other === this.#client.socket
    // Destroyed after what was written to it is sent; a client that finishes has time to read that.
    if (!isReadingRest) other.destroySoon()
    if (this.#client.socket.destroyed && this.#target.socket.destroyed) this.#leave()
  }

  #breakOff(): void {
    this.#client.socket.destroy()
    this.#target.socket.destroy()
  }

  #leave(): void {
    this.#sweeper.delete(this)
    this.passage.leave()
  }
}

/** One direction of a tunnel. */
class Pump {
  readonly #from: Connection
  readonly #to: Connection
  readonly #tunnel: Tunnel
  /** Bytes that were read, but not taken from the allowance yet. */
  #rest: Buffer | undefined
  #isWaiting = false
  #hasEnded = false
  #isDone = false

  constructor(from: Connection, to: Connection, tunnel: Tunnel) {
    this.#from = from
    this.#to = to
    this.#tunnel = tunnel
  }

  start(): void {
    const { socket } = this.#from
    const end = () => {
      this.#hasEnded = true
      this.#endIfDone()
    }
    this.#from.read(this.#passBytes)
    // A client may have said all before the tunnel was open.
    if (socket.readableEnded) end()
    else socket.on('end', end)
  }

  readonly #passBytes = (bytes: Buffer): void => {
    const { socket } = this.#to
    if (socket.destroyed) return
    this.#tunnel.touch()
    const granted = this.#tunnel.passage.take(bytes.length)
    if (granted === bytes.length) socket.write(bytes, this.#written)
    else {
      if (granted > 0) socket.write(bytes.subarray(0, granted), this.#written)
      this.#rest = bytes.subarray(granted)
      void this.#awaitMore()
    }
    // The buffer of the bytes is reused when more is read.
    if (!this.#isWaiting && (this.#rest || socket.writableLength > 0)) {
      this.#isWaiting = true
      this.#from.read(undefined)
    }
  }

  readonly #written = (): void => {
    if (this.#isWaiting) this.#readOn()
  }

  #readOn(): void {
    if (this.#tunnel.isFinishing || this.#from.socket.destroyed) return
    if (this.#rest || this.#to.socket.writableLength > 0) return
    this.#isWaiting = false
    if (this.#hasEnded) this.#endIfDone()
    else this.#from.read(this.#passBytes)
  }

  async #awaitMore(): Promise<void> {
    const mayGoOn = await this.#tunnel.passage.allowance.more()
    const rest = this.#rest
    if (!mayGoOn || !rest || this.#tunnel.isFinishing) return this.#tunnel.finish()
    this.#rest = undefined
    this.#passBytes(rest)
    if (this.#isWaiting) this.#readOn()
  }

  #endIfDone(): void {
    if (this.#rest || this.#isDone) return
    this.#isDone = true
    this.#tunnel.ended(this.#to.socket)
  }
}
