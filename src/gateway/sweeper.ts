import { type Listed, Roster } from './roster.ts'

/** What is looked at from time to time, such as a tunnel that may have become idle. */
export interface Swept extends Listed {
  /** @param now milliseconds of a clock that does not jump */
  sweep(now: number): void
}

const INTERVAL_MS = 1_000

/** One timer for thousands of connections. */
export class Sweeper {
  readonly #members = new Roster<Swept>()
  readonly #timer: NodeJS.Timeout

  constructor(intervalMs = INTERVAL_MS) {
    this.#timer = setInterval(() => this.#sweep(), intervalMs).unref()
  }

  add(member: Swept): void {
    this.#members.add(member)
  }

  delete(member: Swept): void {
    this.#members.delete(member)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sweep(): void {
    const now = performance.now()
    this.#members.forEach((member) => member.sweep(now))
  }
}

/** Notices when nothing has happened for long. */
export class IdleWatch {
  readonly #limitMs: number
  #active = false
  #since = performance.now()

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Notes that something happens; costs next to nothing. */
  touch(): void {
    this.#active = true
  }

  isOver(now: number): boolean {
    if (this.#active) this.#since = now
    this.#active = false
    return now - this.#since >= this.#limitMs
  }
}
