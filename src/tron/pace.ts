import type { Clock } from '../core/clock.ts'

/**
 * Whoever has no key gets one answer a second from each method of TronGrid, and none for five seconds when it asks sooner. Twice
 * that distance has been seen to pass without fail.
 */
const DISTANCE_MS = 2_000

/** Waits until a request to this path may be made. */
export type Pace = (path: string) => Promise<void>

/**
 * Lets the requests to each method through one by one, at a distance that needs no key.
 *
 * @param wait for so many milliseconds
 */
export function createPace(clock: Clock, wait: (ms: number) => Promise<unknown>): Pace {
  const turns = new Map<string, Promise<number>>()

  async function passed(before: Promise<number> | undefined): Promise<number> {
    const last = (await before) ?? -Infinity
    const since = clock.now().getTime() - last
    // A clock that was set back must not draw it out.
    if (since >= 0 && since < DISTANCE_MS) await wait(DISTANCE_MS - since)
    return clock.now().getTime()
  }

  return async (path) => {
    // `v1/trc20`, whichever account is asked for.
    const method = path.replace(/\/.*\//, '/')
    const turn = passed(turns.get(method))
    turns.set(method, turn)
    await turn
  }
}
