import { GrammyError } from 'grammy'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { OperatorError } from '../../core/operator-error.ts'
import { toLoggable, isOutage, pauseAfter } from './telegram-error.ts'

/**
 * The calls that open the connection to Telegram. While it cannot be reached, the start of the service goes on, and they are
 * retried in the background.
 */
export class Connection {
  readonly #open: () => Promise<void>
  readonly #logger: Logger
  readonly #abort = new AbortController()
  #background: Promise<void> = Promise.resolve()

  /** @param open may be repeated */
  constructor(open: () => Promise<void>, logger: Logger) {
    this.#open = open
    this.#logger = logger
  }

  /** @throws OperatorError when Telegram refuses */
  async start(): Promise<void> {
    try {
      await this.#open()
    } catch (error) {
      if (!isOutage(error)) throw refusal(error)
      this.#background = this.#keepTrying(error)
    }
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#background
  }

  async #keepTrying(outage: unknown): Promise<void> {
    const { signal } = this.#abort
    let problem = outage
    for (let failures = 1; !signal.aborted; failures += 1) {
      this.#logger.warn({ err: toLoggable(problem) }, 'Telegram cannot be reached yet')
      await sleep(pauseAfter(problem, failures), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        return await this.#open()
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
