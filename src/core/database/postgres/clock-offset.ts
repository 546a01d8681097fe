import type { ClockOffset } from '../client.ts'

/** Tolerated offset in ms: servers disagree by as much about jobs, leases and locks that are due. */
const TOLERATED_MS = 2_000

/** Compares the clock of this machine with that of the database, which is the same for all servers. */
export class MeasuredClock implements ClockOffset {
  readonly #onWrong: (ms: number) => void
  #ms = 0
  #isWrong = false

  /** @param onWrong called when it begins to be wrong */
  constructor(onWrong: (ms: number) => void) {
    this.#onWrong = onWrong
  }

  get ms(): number {
    return this.#ms
  }

  get isWrong(): boolean {
    return this.#isWrong
  }

  /** @param at time of the database, read between `askedAt` and `answeredAt` */
  compare(at: number, askedAt: number, answeredAt: number): void {
    const uncertainMs = Math.abs(answeredAt - askedAt) / 2
    this.#ms = (askedAt + answeredAt) / 2 - at
    const wasWrong = this.#isWrong
    this.#isWrong = Math.abs(this.#ms) - uncertainMs > TOLERATED_MS
    if (this.#isWrong && !wasWrong) this.#onWrong(this.#ms)
  }
}
