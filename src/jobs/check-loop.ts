import type { Logger } from 'pino'

/** Checks of proxies, as the core offers them. */
interface DueChecks {
  /** Checks what is due, until nothing is. */
  run(): Promise<void>
}

/** Pause between two looks at what is due: people wait for some of it. */
const PAUSE_MS = 1_000

/** Checks proxies when they are due. Runs beside the job loop, which must not wait for proxies that do not answer. */
export class CheckLoop {
  readonly #checks: DueChecks
  readonly #logger: Logger
  #running = false
  #wakeUp: () => void = () => {}
  #loop: Promise<void> = Promise.resolve()

  constructor(checks: DueChecks, logger: Logger) {
    this.#checks = checks
    this.#logger = logger
  }

  start(): void {
    this.#running = true
    this.#loop = this.#run()
  }

  /** Begins no other round, and waits for the one under way, which the closing of the prober cuts short. */
  async stop(): Promise<void> {
    this.#running = false
    this.#wakeUp()
    await this.#loop
  }

  async #run(): Promise<void> {
    while (this.#running) {
      try {
        await this.#checks.run()
      } catch (error) {
        if (this.#running) this.#logger.error({ err: error }, 'checks of proxies failed and will be repeated')
      }
      if (this.#running) await this.#sleep()
    }
  }

  async #sleep(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS)
      this.#wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
