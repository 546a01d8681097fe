import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

export interface LoopOptions {
  readonly logger: Logger
  /** What the log says of a round that failed. */
  readonly failure: string
  /** Pause after a round that failed or returned no pause, in ms. */
  readonly pauseMs: number
  /** Least pause after a round when it is woken during the round or its pause, in ms. */
  readonly wokenPauseMs?: number
  /** How long a round may take, with the pause before it and those that failed, before the loop counts as standing still, in ms. */
  readonly stillMs?: number
  /** Calls the listener when there may be something to do; returns a function that ends that. */
  readonly onWake?: (listener: () => void) => () => void
}

/** Work in the background, done in rounds until it is stopped. A pause ends early when the loop is woken. Can be started once. */
export abstract class Loop {
  readonly #options: LoopOptions
  readonly #stopping = new AbortController()
  /** Aborted by the first wake-up since the round began. */
  #woken = new AbortController()
  #rounds: Promise<void> | undefined
  #succeededAt = -Infinity
  #endWakes: (() => void) | undefined

  constructor(options: LoopOptions) {
    this.#options = options
  }

  /**
   * Does what there is to do now.
   *
   * @param stopping aborted when no other round follows; a failure after that is not logged
   * @returns the pause after it unless woken, in ms; 0: at once again
   */
  protected abstract round(stopping: AbortSignal): Promise<number | void>

  start(): void {
    this.#succeededAt = performance.now()
    this.#endWakes = this.#options.onWake?.(() => this.wake())
    this.#rounds = this.#run(this.#stopping.signal)
  }

  /** Lets the round under way finish and begins no other. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#endWakes?.()
    this.wake()
    await this.#rounds
  }

  /** Whether a round has succeeded not long ago (for /readyz). */
  get alive(): boolean {
    const { stillMs = 60_000 } = this.#options
    return !this.#stopping.signal.aborted && performance.now() - this.#succeededAt < stillMs
  }

  /** Ends the pause; during a round, the pause after it is left out. */
  wake(): void {
    if (!this.#woken.signal.aborted) this.#woken.abort()
  }

  async #run(stopping: AbortSignal): Promise<void> {
    const { wokenPauseMs } = this.#options
    while (!stopping.aborted) {
      this.#woken = new AbortController()
      const pauseMs = await this.#attempt(stopping)
      const { signal } = this.#woken
      if (pauseMs > 0) await pause(pauseMs, signal)
      if (wokenPauseMs && signal.aborted) await pause(wokenPauseMs, stopping)
    }
  }

  /** @returns the pause after the round, in ms */
  async #attempt(stopping: AbortSignal): Promise<number> {
    const { logger, failure, pauseMs } = this.#options
    try {
      const asked = await this.round(stopping)
      this.#succeededAt = performance.now()
      return asked ?? pauseMs
    } catch (error) {
      if (!stopping.aborted) logger.error({ err: error }, failure)
      return pauseMs
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
