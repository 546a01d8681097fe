import type { Logger } from 'pino'
import type { ChainScanner } from '../core/top-ups/chain-scanner.ts'
import { ChainUnavailable } from '../core/top-ups/chain-reader.ts'

/** A watcher whose last round began so long ago hangs. */
const ALIVE_MS = 3 * 60_000
/** Between two looks at how long the pause is now. */
const LOOK_MS = 5_000

/**
 * Scans the chain periodically: often while a payment is awaited, seldom otherwise. Runs beside the job loop, which must not wait
 * for a slow provider.
 */
export class ChainWatcher {
  readonly #scanner: ChainScanner
  readonly #logger: Logger
  readonly #onWake: (listener: () => void) => () => void
  #running = false
  /** Looks at once how long the pause is now. */
  #look: () => void = () => {}
  #loop: Promise<void> = Promise.resolve()
  #unsubscribe: () => void = () => {}
  #lastRound = -Infinity
  #failures = 0

  /** @param onWake calls a function when a top-up was made, or a scan is asked for, on any server */
  constructor(scanner: ChainScanner, logger: Logger, onWake: (listener: () => void) => () => void) {
    this.#scanner = scanner
    this.#logger = logger
    this.#onWake = onWake
  }

  start(): void {
    this.#running = true
    this.#unsubscribe = this.#onWake(() => this.#look())
    this.#loop = this.#run()
  }

  /** Lets the current scan finish and begins no other. */
  async stop(): Promise<void> {
    this.#running = false
    this.#unsubscribe()
    this.#look()
    await this.#loop
  }

  /** Whether one of the last three scans succeeded and the watcher does not hang (for /readyz). */
  get alive(): boolean {
    return this.#running && this.#failures < 3 && performance.now() - this.#lastRound < ALIVE_MS
  }

  async #run(): Promise<void> {
    while (this.#running) {
      this.#lastRound = performance.now()
      try {
        await this.#scanner.scan()
        this.#failures = 0
      } catch (error) {
        this.#failures += 1
        if (error instanceof ChainUnavailable)
          this.#logger.warn({ fault: error.fault, reason: error.message }, 'the chain could not be read')
        else this.#logger.error({ err: error }, 'a scan of the chain failed and will be repeated')
      }
      if (this.#running) await this.#sleep()
    }
  }

  /** Until the next scan is due: sooner when a top-up was made, or a scan is asked for, here or by another process. */
  async #sleep(): Promise<void> {
    const begun = performance.now()
    while (this.#running) {
      // Before the look: what is committed during it is not missed.
      const asked = new Promise<void>((resolve) => (this.#look = resolve))
      // A database that cannot be read just now must not end the loop.
      const pause = await this.#scanner.pause().catch(() => LOOK_MS)
      const left = pause - (performance.now() - begun)
      if (left <= 0) return
      let timer: NodeJS.Timeout | undefined
      const passed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(left, LOOK_MS))
      })
      await Promise.race([asked, passed])
      clearTimeout(timer)
    }
  }
}
