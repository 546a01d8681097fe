import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Core } from '../core/core.ts'

/** How often it looks whether a connection is due. */
const PAUSE_MS = 10 * 60_000

/**
 * Compares the books with each supplier once a day. Runs beside the job loop and the lanes of the suppliers, which must not wait for
 * long lists.
 */
export class SupplierReconciler {
  readonly #core: Core
  readonly #logger: Logger
  readonly #closing = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor(core: Core, logger: Logger) {
    this.#core = core
    this.#logger = logger
  }

  start(): void {
    this.#loop = this.#run(this.#closing.signal)
  }

  /** Gives up what is under way: the connection stays due. */
  async stop(): Promise<void> {
    this.#closing.abort()
    await this.#loop
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const names = await this.#core.supply.reconcileDue(signal)
        if (names.length > 0) this.#logger.info({ suppliers: names }, 'books compared with suppliers')
      } catch (error) {
        if (!signal.aborted) this.#logger.error({ err: error }, 'a comparison with suppliers failed')
      }
      await setTimeout(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}
