import { Loop, type LoopOptions } from './loop.ts'

/** Poll for what time makes due, and for what another process (an operator command) has added. */
export const POLL_MS = 1_000
/** Least time between two rounds: a busy shop wakes the lanes with every order. */
const ROUND_MS = 10
/** How long a stop waits for what is under way. */
const STOP_MS = 5_000

interface LaneLoopOptions extends Pick<LoopOptions, 'onWake' | 'logger' | 'failure'> {
  /** Ends what is under way: aborted by a stop that has waited long enough, and at its end. */
  readonly closing: AbortController
}

/**
 * The base of lanes that have requests to the outside under way. A round begins what is due and has room, by {@link LaneLoop.begin}, and
 * waits for none of it.
 */
export abstract class LaneLoop extends Loop {
  protected readonly closing: AbortController
  readonly #work = new Set<Promise<void>>()

  constructor({ closing, ...options }: LaneLoopOptions) {
    super({ ...options, pauseMs: POLL_MS, wokenPauseMs: ROUND_MS })
    this.closing = closing
  }

  /** Begins nothing more, and waits a while for what is under way. */
  override async stop(): Promise<void> {
    const timer = setTimeout(() => this.closing.abort(), STOP_MS)
    await super.stop()
    await Promise.all(this.#work)
    clearTimeout(timer)
    this.closing.abort()
  }

  /** Number of works under way. */
  protected get busy(): number {
    return this.#work.size
  }

  /** @param work does not reject; when it has ended, there may be room for more */
  protected begin(work: Promise<void>): void {
    const done = work.finally(() => {
      this.#work.delete(done)
      this.wake()
    })
    this.#work.add(done)
  }
}
