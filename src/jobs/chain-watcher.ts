import type { Logger } from 'pino'
import type { ChainScanner } from '../core/top-ups/chain-scanner.ts'
import { ChainUnavailable } from '../core/top-ups/payment-network.ts'
import { Loop, type LoopOptions } from './loop.ts'

/** The limit of a scan in ms: one that takes longer counts as hung. */
const STILL_MS = 3 * 60_000
/** The time in ms between two looks whether the next scan is due. */
const LOOK_MS = 5_000

/**
 * Scans a network periodically: often while a payment is awaited, seldom otherwise. Runs beside the job loop, which must not wait
 * for a slow provider. A round looks whether the next scan is due: sooner when a top-up was made, or a scan is asked for, here or by
 * another process.
 */
export class ChainWatcher extends Loop {
  readonly #scanner: ChainScanner
  readonly #logger: Logger
  #scannedAt = -Infinity
  #failures = 0

  /** @param onWake calls a function when a top-up was made, or a scan is asked for, on any server */
  constructor(scanner: ChainScanner, logger: Logger, onWake: NonNullable<LoopOptions['onWake']>) {
    super({
      logger,
      failure: 'a scan of the chain failed and will be repeated',
      pauseMs: LOOK_MS,
      stillMs: STILL_MS,
      onWake,
    })
    this.#scanner = scanner
    this.#logger = logger
  }

  /** Whether one of the last three scans succeeded and the watcher does not hang (for /readyz). */
  override get alive(): boolean {
    return super.alive && this.#failures < 3
  }

  protected async round(stopping: AbortSignal): Promise<number> {
    // A database that cannot be read just now must not end the scans.
    const pause = await this.#scanner.pause().catch(() => LOOK_MS)
    const left = this.#scannedAt + pause - performance.now()
    if (left > 0 || stopping.aborted) return Math.min(left, LOOK_MS)
    try {
      await this.#scanner.scan()
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      if (!(error instanceof ChainUnavailable)) throw error
      this.#logger.warn(
        { network: this.#scanner.open.network.id, fault: error.fault, reason: error.message },
        'the chain could not be read',
      )
    } finally {
      this.#scannedAt = performance.now()
    }
    return 0
  }
}
