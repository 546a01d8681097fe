import type { Clock } from '../../src/core/clock.ts'

/** A clock that stands still until it is moved. */
export interface MovableClock extends Clock {
  /** Forward by milliseconds; backward when negative. */
  advance(ms: number): void
  set(time: string): void
}

export function movableClock(start = '2026-03-01T12:00:00.000Z'): MovableClock {
  let now = new Date(start)
  return {
    now: () => now,
    advance: (ms) => void (now = new Date(now.getTime() + ms)),
    set: (time) => void (now = new Date(time)),
  }
}
