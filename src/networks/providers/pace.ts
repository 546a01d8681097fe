import type { Clock } from '../../core/clock.ts'

/** The rate of requests to a provider. */
export interface Rate {
  /** Average time between two requests. */
  readonly distanceMs: number
  /** Requests that may come earlier after a time without any. */
  readonly burst: number
  /** Whether all methods share the rate, or each has its own. */
  readonly shared: boolean
}

/** Waits until a request to this path may be made. */
export type Pace = (path: string) => Promise<void>

/**
 * Lets requests through one by one in the order in which they come, no faster than a rate.
 *
 * @param wait waits for the given milliseconds
 */
export function createPace(
  { distanceMs, burst, shared }: Rate,
  clock: Clock,
  wait: (ms: number) => Promise<unknown>,
): Pace {
  const turns = new Map<string, Promise<number>>()
  const ahead = burst * distanceMs

  /** @returns when the next request is due; it may come `ahead` milliseconds earlier */
  async function passed(before: Promise<number> | undefined): Promise<number> {
    const due = (await before) ?? -Infinity
    const now = clock.now().getTime()
    const early = due - ahead - now
    // After the clock was set back the wait would be too long: skip it.
    if (early > 0 && early <= distanceMs) await wait(early)
    const then = clock.now().getTime()
    return (early > distanceMs ? then : Math.max(due, then)) + distanceMs
  }

  return async (path) => {
    // The same method for every account: `v1/trc20`.
    const method = shared ? '' : path.replace(/\/.*\//, '/')
    const turn = passed(turns.get(method))
    turns.set(method, turn)
    await turn
  }
}
