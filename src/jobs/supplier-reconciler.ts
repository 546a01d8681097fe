import type { Logger } from 'pino'
import type { Core } from '../core/core.ts'
import { Loop } from './loop.ts'

/** How often it looks whether a connection is due. */
const PAUSE_MS = 10 * 60_000

/**
 * Compares the books with each supplier once a day. Runs beside the job loop and the lanes of the suppliers, which must not wait for
 * long lists. A stop gives up what is under way: the connection stays due.
 */
export class SupplierReconciler extends Loop {
  readonly #core: Core
  readonly #logger: Logger

  constructor(core: Core, logger: Logger) {
    super({ logger, failure: 'a comparison with suppliers failed', pauseMs: PAUSE_MS })
    this.#core = core
    this.#logger = logger
  }

  protected async round(stopping: AbortSignal): Promise<void> {
    const names = await this.#core.supply.reconcileDue(stopping)
    if (names.length > 0) this.#logger.info({ suppliers: names }, 'books compared with suppliers')
  }
}
