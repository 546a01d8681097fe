import type { Meter } from '../meter.ts'
import type { Meters } from '../meters.ts'
import type { WorkerReport } from './messages.ts'

/** Most rounds in which all that is lent of an account is recalled. */
const RECALLS = 3

/** The largest part of a quota that one worker gets at a time. */
const MAX_LEASE = 4 * 1_024 * 1_024
/** Smaller parts cost more than they are worth: below that a worker gets all that is left, until another one asks. */
const MIN_LEASE = 16 * 1_024

/** What a worker holds of the quota of an account. */
interface Loan {
  readonly meter: Meter
  bytes: number
}

type WorkerId = number

interface LenderOptions {
  readonly meters: Meters
  readonly workers: number
  /** Asks a worker to give back what it holds of an account; its next report with `recalled` answers that. */
  readonly recall: (worker: WorkerId, username: string) => void
}

/**
 * Lends parts of the quotas to workers. All that is lent is reserved, so that no byte is lent twice; when nothing is left to lend,
 * what the others hold is recalled. A worker that dies has used what it reported last: what it used since then, at most what passes
 * between two of its reports, is not counted, and lent again.
 */
export class Lender {
  readonly #options: LenderOptions
  readonly #loans = new Map<WorkerId, Map<string, Loan>>()
  /** Callers that wait for a worker to give back what it holds of an account; by worker and account. */
  readonly #recalls = new Map<string, (() => void)[]>()

  constructor(options: LenderOptions) {
    this.#options = options
  }

  /** @returns how many bytes the worker may use; 0 when nothing is left, or the account has ended */
  async lend(worker: WorkerId, username: string): Promise<number> {
    const meter = this.#options.meters.of(username)
    for (;;) {
      const bytes = meter.reserve(this.#sizeFor(meter))
      if (bytes > 0) {
        this.#loanOf(worker, username, meter).bytes += bytes
        return bytes
      }
      const others = this.#holders(username).filter((holder) => holder !== worker)
      // While the account is suspended, waits for the end of that.
      if (others.length === 0 && !(await meter.more())) return 0
      await Promise.all(others.map((holder) => this.#recall(holder, username)))
    }
  }

  /** Recalls everything that is lent of an account. */
  async recallAll(username: string): Promise<void> {
    // What is lent while a recall is under way comes with the next one.
    for (let rounds = 0; rounds < RECALLS && this.#holders(username).length > 0; rounds += 1)
      await Promise.all(this.#holders(username).map((worker) => this.#recall(worker, username)))
  }

  /** Takes what a worker has used and given back. */
  report(worker: WorkerId, { used, returned, recalled }: WorkerReport): void {
    for (const { username, host, bytes } of used) {
      const loan = this.#loans.get(worker)?.get(username)
      if (!loan) continue
      loan.meter.use(bytes, host)
      this.#shrink(worker, username, loan, bytes)
    }
    for (const { username, bytes } of returned) {
      const loan = this.#loans.get(worker)?.get(username)
      if (!loan) continue
      loan.meter.release(bytes)
      this.#shrink(worker, username, loan, bytes)
    }
    if (recalled !== undefined) this.#settleRecalls(worker, recalled)
  }

  /** Takes back what a worker held that is gone. */
  died(worker: WorkerId): void {
    const loans = this.#loans.get(worker)
    this.#loans.delete(worker)
    for (const [username, { meter, bytes }] of loans ?? []) {
      meter.release(bytes)
      this.#settleRecalls(worker, username)
    }
  }

  /** Returns a share of what is left that leaves one for each worker, so that recalls are rare; it shrinks with what is left. */
  #sizeFor({ left }: Meter): number {
    return Math.min(MAX_LEASE, Math.max(MIN_LEASE, Math.ceil(left / (2 * this.#options.workers))))
  }

  #loanOf(worker: WorkerId, username: string, meter: Meter): Loan {
    let loans = this.#loans.get(worker)
    if (!loans) this.#loans.set(worker, (loans = new Map<string, Loan>()))
    let loan = loans.get(username)
    if (!loan) loans.set(username, (loan = { meter, bytes: 0 }))
    return loan
  }

  #shrink(worker: WorkerId, username: string, loan: Loan, bytes: number): void {
    loan.bytes -= bytes
    if (loan.bytes === 0) this.#loans.get(worker)?.delete(username)
  }

  #holders(username: string): WorkerId[] {
    return [...this.#loans].flatMap(([worker, loans]) => (loans.has(username) ? worker : []))
  }

  #recall(worker: WorkerId, username: string): Promise<void> {
    const key = `${worker} ${username}`
    return new Promise((resolve) => {
      const waiting = this.#recalls.get(key)
      if (waiting) return void waiting.push(resolve)
      this.#recalls.set(key, [resolve])
      this.#options.recall(worker, username)
    })
  }

  #settleRecalls(worker: WorkerId, username: string): void {
    const key = `${worker} ${username}`
    const waiting = this.#recalls.get(key)
    this.#recalls.delete(key)
    for (const resolve of waiting ?? []) resolve()
  }
}
