import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Swept, Sweeper } from './sweeper.ts'

/** A connection of Node's HTTP server, which ends when it is idle for too long: between requests, or while a head is incomplete. */
export class HttpConnection implements Swept {
  place = -1
  readonly #socket: Socket
  readonly #sweeper: Sweeper
  readonly #idleMs: number
  readonly #open = new Set<ServerResponse>()
  #since = performance.now()

  constructor(socket: Socket, sweeper: Sweeper, idleMs: number) {
    this.#socket = socket
    this.#sweeper = sweeper
    this.#idleMs = idleMs
    sweeper.add(this)
    socket.once('close', () => sweeper.delete(this))
  }

  /** A request is being served until its response is closed. */
  serve(response: ServerResponse): void {
    this.#open.add(response)
    const done = () => {
      this.#open.delete(response)
      this.#since = performance.now()
    }
    response.once('finish', done).once('close', done)
  }

  get isIdle(): boolean {
    return this.#open.size === 0
  }

  /** Somebody else watches it from now on. */
  handOver(): void {
    this.#sweeper.delete(this)
  }

  sweep(now: number): void {
    if (this.isIdle && now - this.#since >= this.#idleMs) this.#socket.destroy()
  }
}
