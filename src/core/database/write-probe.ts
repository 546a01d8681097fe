import { isLocked } from './sqlite-error.ts'

/** What became of the last attempt to write; `slow`: it is not known yet, `locked`: somebody else writes and does not end. */
type WriteOutcome = 'works' | 'slow' | 'locked' | 'fails'

/** How long an attempt that succeeded is believed while nothing else fails. */
const BELIEVED_MS = 30_000
/** Between two attempts while something fails. */
const PAUSE_MS = 1_000
/** How long whoever asks waits for an attempt. */
const PATIENCE_MS = 1_500

/**
 * Whether what customers do can be written (rules 10.25). An attempt is made when somebody asks and it is not known: those who ask
 * at the same time share it, so that nobody can fill the disk by asking.
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

  /** A write has failed, whoever wanted it. */
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
