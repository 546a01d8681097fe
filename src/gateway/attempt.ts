/**
 * Something that is tried for a client step by step, such as to open a connection, and given up when nobody wants it any more. Each
 * connection has one; an `AbortController` costs ten times as much.
 */
export class Attempt {
  #reason: Error | undefined
  #end: ((reason: Error) => void) | undefined

  /** Why it was given up. */
  get reason(): Error | undefined {
    return this.#reason
  }

  /** Ends the step that is under way; later calls do nothing. */
  giveUp(reason: Error): void {
    if (this.#reason) return
    this.#reason = reason
    this.#end?.(reason)
  }

  /**
   * Begins a step; with undefined, ends the one under way.
   *
   * @param end called when the attempt is given up meanwhile
   * @throws the reason for which it was given up before
   */
  step(end: ((reason: Error) => void) | undefined): void {
    this.#end = end
    if (end && this.#reason) throw this.#reason
  }

  /**
   * Waits for something that cannot be ended.
   *
   * @throws what `tooLate` makes, after `limitMs`; the reason for which the attempt was given up
   */
  async wait<T>(result: Promise<T>, limitMs: number, tooLate: () => Error): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const givenUp = new Promise<never>((_, reject) => {
      this.step(reject)
      timer = setTimeout(() => reject(tooLate()), limitMs)
    })
    try {
      return await Promise.race([result, givenUp])
    } finally {
      clearTimeout(timer)
      this.step(undefined)
    }
  }
}
