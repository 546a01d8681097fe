import type { Logger } from 'pino'
import { Loop } from './loop.ts'

/** Checks of proxies, as the core offers them. */
interface DueChecks {
  /** Checks what is due, until nothing is. */
  run(): Promise<void>
}

/**
 * Checks proxies when they are due. Runs beside the job loop, which must not wait for proxies that do not answer. A stop waits for the
 * round under way, which the closing of the prober cuts short.
 */
export class CheckLoop extends Loop {
  readonly #checks: DueChecks

  constructor(checks: DueChecks, logger: Logger) {
    // People wait for some of what is due.
    super({ logger, failure: 'checks of proxies failed and will be repeated', pauseMs: 1_000 })
    this.#checks = checks
  }

  protected round(): Promise<void> {
    return this.#checks.run()
  }
}
