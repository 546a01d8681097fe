import type { Clock } from '../clock.ts'

/**
 * Limits a sweep to one run per interval.
 *
 * @param sweep is run again at the next call when it throws
 */
export function every(ms: number, clock: Clock, sweep: () => Promise<void>): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY
  return async () => {
    const now = clock.now().getTime()
    // The absolute value: a clock that was set back must not stop the sweep.
    if (Math.abs(now - last) < ms) return
    await sweep()
    last = now
  }
}
