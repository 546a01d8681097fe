import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Swept, Sweeper } from './sweeper.ts'

/** How long a client may take, in milliseconds. */
export interface HttpTimes {
  /** From the first byte of a head until it is complete. */
  readonly headMs: number
  /** From the end of a request until the next one begins. */
  readonly idleMs: number
}

/** A connection of Node's HTTP server, which ends when its client takes too long (rules 12.10). */
export class HttpConnection implements Swept {
  place = -1
  readonly #socket: Socket
  readonly #sweeper: Sweeper
  readonly #times: HttpTimes
  readonly #open = new Set<ServerResponse>()
  #latest: IncomingMessage | undefined
  #served: Promise<void> = Promise.resolve()
  /** Since when no request is served, by `performance.now()`, and the bytes that had come by then. */
  #idleSince = performance.now()
  #bytes = 0
  /** Since when a head is incomplete. */
  #headSince: number | undefined

  /** @param headSince when its first head began, by `performance.now()` */
  constructor(socket: Socket, sweeper: Sweeper, times: HttpTimes, headSince: number) {
    this.#socket = socket
    this.#sweeper = sweeper
    this.#times = times
    this.#headSince = headSince
    sweeper.add(this)
    socket.once('close', () => sweeper.delete(this))
  }

  /**
   * Marks a request as being served until its response is closed.
   *
   * @returns settles when the requests before it have been served; undefined: they have been
   */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const turn = this.isIdle ? undefined : this.#served
    this.#latest = request
    this.#open.add(response)
    this.#served = new Promise((resolve) => {
      const done = () => {
        this.#open.delete(response)
        this.#idleSince = performance.now()
        this.#bytes = this.#socket.bytesRead
        this.#headSince = undefined
        resolve()
      }
      response.once('finish', done).once('close', done)
    })
    return turn
  }

  get isIdle(): boolean {
    return this.#open.size === 0
  }

  /** Stops watching the connection, which its new owner does. */
  handOver(): void {
    this.#sweeper.delete(this)
  }

  sweep(now: number): void {
    if (!this.isIdle) return
    const isBody = this.#latest?.complete === false
    if (!isBody && this.#socket.bytesRead > this.#bytes) this.#headSince ??= now
    const isLate =
      this.#headSince === undefined
        ? now - this.#idleSince >= this.#times.idleMs
        : now - this.#headSince >= this.#times.headMs
    if (isLate) this.#socket.destroy()
  }
}
