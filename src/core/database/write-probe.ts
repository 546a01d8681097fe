import { isLocked } from './sqlite-error.ts'

/** Outcome of the last attempt to write; `slow`: not known yet, `locked`: another process holds the write lock for too long. */
type WriteOutcome = 'works' | 'slow' | 'locked' | 'fails'

/** How long in ms a successful attempt stays valid while no other write fails. */
const BELIEVED_MS = 30_000
/** Pause in ms between two attempts while writes fail. */
const PAUSE_MS = 1_000
/** How long in ms a caller waits for an attempt. */
const PATIENCE_MS = 1_500

/**
 * Tells whether changes by customers can be written (rules 10.25). An attempt is made when a caller asks and the last outcome is not valid
 * any more; concurrent callers share it, so that nobody can fill the disk by asking.
 */
export class WriteProbe {
  readonly #attempt: () => Promise<unknown>
  #attemptedAt = -Infinity
  #doubted = true
  #last: WriteOutcome = 'works'
  #running: Promise<void> | undefined

  /** @param attempt writes as much as a customer's order does, and rejects when that cannot be done */
  constructor(attempt: () => Promise<unknown>) {
    this.#attempt = attempt
  }

  /** Called when any write has failed. */
  doubt(): void {
    this.#doubted = true
  }

  async outcome(): Promise<WriteOutcome> {
    const age = performance.now() - this.#attemptedAt
    if (age > (this.#doubted ? PAUSE_MS : BELIEVED_MS)) this.#running ??= this.#run()
    if (this.#running) await settledWithin(this.#running, PATIENCE_MS)
    if (this.#running) return 'slow'
    return this.#last
  }

  async #run(): Promise<void> {
    this.#doubted = false
    try {
      await this.#attempt()
      this.#last = 'works'
    } catch (error) {
      this.#last = isLocked(error) ? 'locked' : 'fails'
      this.#doubted = true
    }
    this.#attemptedAt = performance.now()
    this.#running = undefined
  }
}

async function settledWithin(promise: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)))
  await Promise.race([promise, limit])
  clearTimeout(timer)
}
