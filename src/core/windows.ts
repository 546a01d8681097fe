interface Window {
  /** Time of the first count in the window. */
  readonly begun: number
  count: number
  /** Count of the window before it. */
  readonly before: number
}

/** The counts of a key. */
interface Counted {
  /** When the window began. */
  readonly begun: number
  /** Count in this window, this call included. */
  readonly count: number
  /** Count in the window before; 0 when that was longer ago. */
  readonly before: number
  /** Milliseconds until the window ends. */
  readonly msLeft: number
}

/** Counts by key in windows of time; a window begins with the first count. In memory; reset by a restart. */
export class Windows {
  readonly #lengthMs: number
  readonly #remembered: number
  readonly #windows = new Map<string | number, Window>()

  /**
   * @param lengthMs length of a window
   * @param remembered limit of keys; beyond it the oldest windows are dropped, so that a flood cannot fill the memory
   */
  constructor(lengthMs: number, remembered: number) {
    this.#lengthMs = lengthMs
    this.#remembered = remembered
  }

  /**
   * @param now milliseconds of a clock, which may be set back
   * @param times 0 to look without counting
   */
  count(key: string | number, now: number, times = 1): Counted {
    const known = this.#windows.get(key)
    const age = known ? now - known.begun : Infinity
    const isWithin = (lengths: number) => age >= 0 && age < lengths * this.#lengthMs
    const before = known && isWithin(2) ? known.count : 0
    const window = known && isWithin(1) ? known : this.#begin(key, { begun: now, count: 0, before })
    window.count += times
    return {
      begun: window.begun,
      count: window.count,
      before: window.before,
      msLeft: window.begun + this.#lengthMs - now,
    }
  }

  /**
   * Takes one count back, unless its window is over.
   *
   * @param begun as {@link count} returned it
   */
  uncount(key: string | number, begun: number): void {
    const window = this.#windows.get(key)
    if (window?.begun === begun) window.count -= 1
  }

  #begin(key: string | number, window: Window): Window {
    // Delete and set moves the key to the end: the first key of the map is the oldest.
    this.#windows.delete(key)
    this.#windows.set(key, window)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > this.#remembered && oldest !== undefined) this.#windows.delete(oldest)
    return window
  }
}
