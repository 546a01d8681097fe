import type { ClockOffset } from '../client.ts'

/** A clock that is off by more lets jobs, leases and locks of servers differ from one another by as much. */
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

  /** @param at time of the database, read at some time between the question and its answer */
  compare(at: number, askedAt: number, answeredAt: number): void {
    const uncertainMs = Math.abs(answeredAt - askedAt) / 2
    this.#ms = (askedAt + answeredAt) / 2 - at
    const wasWrong = this.#isWrong
    this.#isWrong = Math.abs(this.#ms) - uncertainMs > TOLERATED_MS
    if (this.#isWrong && !wasWrong) this.#onWrong(this.#ms)
  }
}
