import { GrammyError } from 'grammy'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { OperatorError } from '../../core/operator-error.ts'
import { toLoggable, isOutage, pauseAfter } from './telegram-error.ts'

/**
 * The calls that open the connection to Telegram. While it cannot be reached, the start of the service goes on, and they are
 * retried in the background. A stop waits for none of them.
 */
export class Connection {
  readonly #open: (stopped: AbortSignal) => Promise<void>
  readonly #logger: Logger
  readonly #abort = new AbortController()

  /** @param open makes the calls; may be repeated, and begins nothing new once it was stopped */
  constructor(open: (stopped: AbortSignal) => Promise<void>, logger: Logger) {
    this.#open = open
    this.#logger = logger
  }

  /**
   * @param ending stops the attempts
   * @throws OperatorError when Telegram refuses
   */
  async start(ending?: AbortSignal): Promise<void> {
    if (ending?.aborted) return
    ending?.addEventListener('abort', () => this.stop())
    try {
      await this.#attempt()
    } catch (error) {
      if (!isOutage(error)) throw refusal(error)
      void this.#keepTrying(error)
    }
  }

  stop(): void {
    this.#abort.abort()
  }

  /** Makes the calls; after a stop they go on, and nobody waits for them. */
  #attempt(): Promise<void> {
    const { signal } = this.#abort
    return new Promise((resolve, reject) => {
      const leave = () => resolve()
      signal.addEventListener('abort', leave)
      void this.#open(signal)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', leave))
    })
  }

  async #keepTrying(outage: unknown): Promise<void> {
    const { signal } = this.#abort
    let problem = outage
    for (let failures = 1; !signal.aborted; failures += 1) {
      this.#logger.warn({ err: toLoggable(problem) }, 'Telegram cannot be reached yet')
      await sleep(pauseAfter(problem, failures), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        return await this.#attempt()
      } catch (error) {
        problem = error
        if (isOutage(error)) continue
        this.#logger.fatal({ err: toLoggable(error) }, 'Telegram refuses the bot')
        return
      }
    }
  }
}

/** The error for the operator, such as for a webhook address that Telegram does not take. */
function refusal(error: unknown): unknown {
  if (!(error instanceof GrammyError)) return error
  return new OperatorError(`Telegram refuses ${error.method}: ${error.description}`, { cause: error })
}
