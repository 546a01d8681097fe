import type { Clock } from '../clock.ts'

/**
 * A sweep that looks at most once in a while, for what need not be seen at once and costs more to look for.
 *
 * @param sweep is asked again at the next opportunity when it throws
 */
export function every(ms: number, clock: Clock, sweep: () => Promise<void>): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY
  return async () => {
    const now = clock.now().getTime()
    // A clock that was set back must not silence it.
    if (Math.abs(now - last) < ms) return
    await sweep()
    last = now
  }
}
