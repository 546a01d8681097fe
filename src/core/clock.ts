/** Wall-clock time, passed in so that tests can move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Returns the seconds since an ISO time; 0 for one that lies ahead. */
export function secondsSince(clock: Clock, time: string): number {
  return Math.max(0, (clock.now().getTime() - Date.parse(time)) / 1000)
}
