import type { Hold } from '../client.ts'

/** {@link Hold} by the clock of `performance`, which does not jump. */
export class LeadHold implements Hold {
  readonly #lengthMs: number
  #until = -Infinity
  #end = new AbortController()
  #timer: NodeJS.Timeout | undefined
  readonly #waiting: (() => void)[] = []

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs
    this.#end.abort()
  }

  get lasts(): boolean {
    return performance.now() < this.#until
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  async begun(): Promise<void> {
    while (!this.lasts) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** @param askedAt when the renewal was sent, in ms of `performance.now()`: the lease in the database begins later */
  renew(askedAt: number): void {
    this.#until = askedAt + this.#lengthMs
    clearTimeout(this.#timer)
    const leftMs = this.#until - performance.now()
    if (leftMs <= 0) return this.end()
    this.#timer = setTimeout(() => this.end(), leftMs).unref()
    if (this.#end.signal.aborted) this.#end = new AbortController()
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#until = -Infinity
    this.#end.abort()
  }
}
