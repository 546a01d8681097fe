import type { Logger } from 'pino'
import type { Cluster } from '../core/database/database.ts'
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
  readonly #cluster: Pick<Cluster, 'onElsewhere'> | undefined
  #running = false
  #woken = false
  /** Looks at once how long the pause is now. */
  #look: () => void = () => {}
  #loop: Promise<void> = Promise.resolve()
  #unsubscribes: readonly (() => void)[] = []
  #lastRound = -Infinity
  #failures = 0

  /** @param cluster the servers that may ask for a scan */
  constructor(scanner: ChainScanner, logger: Logger, cluster?: Pick<Cluster, 'onElsewhere'>) {
    this.#scanner = scanner
    this.#logger = logger
    this.#cluster = cluster
  }

  start(): void {
    this.#running = true
    this.#unsubscribes = [
      this.#scanner.onWake(() => this.#wake()),
      ...(this.#cluster ? [this.#cluster.onElsewhere(() => this.#look())] : []),
    ]
    this.#loop = this.#run()
  }

  /** Lets the current scan finish and begins no other. */
  async stop(): Promise<void> {
    this.#running = false
    for (const unsubscribe of this.#unsubscribes) unsubscribe()
    this.#wake()
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

  #wake(): void {
    this.#woken = true
    this.#look()
  }

  /** Until the next scan is due: sooner when a top-up was made, or a scan is asked for, here or by another process. */
  async #sleep(): Promise<void> {
    const begun = performance.now()
    this.#woken = false
    while (this.#running && !this.#woken) {
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
