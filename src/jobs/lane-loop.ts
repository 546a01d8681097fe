import type { Logger } from 'pino'

/** Poll for what time makes due, and for what another process (an operator command) has added. */
export const POLL_MS = 1_000
/** Least time between two rounds: a busy shop wakes the lanes with every order. */
const ROUND_MS = 10
/** How long a stop waits for what is under way. */
const STOP_MS = 5_000
/** Without a round that succeeded for so long the loop stands still. */
const STILL_MS = 60_000

interface LaneLoopOptions {
  /** Begins what is due and has room, by {@link LaneLoop.begin}, and waits for none of it. */
  readonly round: () => Promise<void>
  /** Wakes the loop after a commit that may have added something. */
  readonly onWake: (listener: () => void) => () => void
  /** Ends what is under way: aborted by a stop that has waited long enough, and at its end. */
  readonly closing: AbortController
  readonly logger: Logger
  /** What the log says of a round that failed. */
  readonly failure: string
}

/** What lanes share that have requests to the outside under way: rounds that begin what is due, when woken and once a second. */
export class LaneLoop {
  readonly #options: LaneLoopOptions
  readonly #work = new Set<Promise<void>>()
  #running = false
  #awake = false
  #wakeUp: () => void = () => {}
  #unsubscribe: () => void = () => {}
  #loop: Promise<void> = Promise.resolve()
  #lastRound = -Infinity

  constructor(options: LaneLoopOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = true
    this.#lastRound = performance.now()
    this.#unsubscribe = this.#options.onWake(() => this.#wake())
    this.#loop = this.#run()
  }

  /** Begins nothing more, and waits a while for what is under way. */
  async stop(): Promise<void> {
    this.#running = false
    this.#unsubscribe()
    this.#wake()
    const { closing } = this.#options
    const timer = setTimeout(() => closing.abort(), STOP_MS)
    await this.#loop
    await Promise.all(this.#work)
    clearTimeout(timer)
    closing.abort()
  }

  /** Whether a round has succeeded within the last minute (for /readyz). */
  get alive(): boolean {
    return this.#running && performance.now() - this.#lastRound < STILL_MS
  }

  /** How much is under way. */
  get busy(): number {
    return this.#work.size
  }

  /** @param work does not reject; when it has ended, there may be room for more */
  begin(work: Promise<void>): void {
    const done = work.finally(() => {
      this.#work.delete(done)
      this.#wake()
    })
    this.#work.add(done)
  }

  #wake(): void {
    this.#awake = true
    this.#wakeUp()
  }

  async #run(): Promise<void> {
    while (this.#running) {
      this.#awake = false
      try {
        await this.#options.round()
        this.#lastRound = performance.now()
      } catch (error) {
        this.#options.logger.error({ err: error }, this.#options.failure)
      }
      await this.#sleep()
    }
  }

  async #sleep(): Promise<void> {
    if (!this.#running) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#awake ? ROUND_MS : POLL_MS)
      this.#wakeUp = () => {
        this.#wakeUp = () => {}
        clearTimeout(timer)
        setTimeout(resolve, ROUND_MS)
      }
    })
  }
}
