import type { ExitReport, UsageBatch } from '../core/gateway/wire.ts'
import type { Journal, Usage } from './journal.ts'
import type { Meters } from './meters.ts'

/** How often use is put into the journal: a kill loses no more than that. */
const INTERVAL_MS = 1_000
/** How often a batch is made even when there is nothing to count. */
const QUIET_MS = 5_000
/** Reports of exits in a batch, so that it fits into a request. */
const MOST_EXITS = 200

export type GatewayFigures = UsageBatch['gateway']

interface ReporterOptions {
  readonly meters: Meters
  readonly journal: Journal
  /** What is new about the exits. */
  readonly exits: () => ExitReport[]
  /** Figures since the last batch. */
  readonly figures: () => GatewayFigures
  /** Called when there are new batches in the journal. */
  readonly reported: () => void
  readonly intervalMs?: number
}

/** Puts what was used into the journal, once a second and whenever the shop waits for it. */
export class Reporter {
  readonly #options: ReporterOptions
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()
  #reportedAt = -Infinity

  constructor(options: ReporterOptions) {
    this.#options = options
  }

  /** Begins, once the shop has said which batches it has counted: none gets a number before. */
  start(): void {
    this.#timer ??= setInterval(() => void this.report(), this.#options.intervalMs ?? INTERVAL_MS)
  }

  /**
   * Settles when everything that was used until now is in the journal.
   *
   * @param ended the gateway stops after this
   */
  report(ended = false): Promise<void> {
    this.#work = this.#work.then(() => this.#report(ended))
    return this.#work
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#work
  }

  async #report(ended: boolean): Promise<void> {
    if (!this.#timer) return
    const { meters, journal, reported, figures } = this.#options
    const exits = this.#options.exits()
    for (;;) {
      const { items, flushed, isFull } = meters.drain(journal.last + 1)
      const some = exits.splice(0, MOST_EXITS)
      const isLast = !isFull && exits.length === 0
      const isNews = items.length + flushed.length + some.length > 0 || ended
      // No empty batch while another one waits to be posted: they would pile up while the shop does not answer.
      const isSaid = journal.pending.length > 0 || performance.now() - this.#reportedAt < QUIET_MS
      if (!isNews && isSaid) return
      this.#reportedAt = performance.now()
      const usage: Usage = { items, flushed, exits: some, gateway: figures(), ended: ended && isLast }
      await journal.append(usage)
      reported()
      if (isLast) return
    }
  }
}
