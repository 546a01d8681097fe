import type { Clock } from '../core/clock.ts'

/** How often a provider may be asked. */
interface Rate {
  /** Between two requests, in the long run. */
  readonly distanceMs: number
  /** So many requests may come earlier than that, after a time without any. */
  readonly burst: number
  /** Whether all methods share the rate, or each has its own. */
  readonly shared: boolean
}

/**
 * TronGrid's limits. In any second the service makes at most 13 requests and a command of the operator 2, so that both together stay
 * within what one key may: 15. Who asks more often is not answered for 30 seconds.
 */
export const RATES = {
  service: { distanceMs: 100, burst: 3, shared: true },
  command: { distanceMs: 500, burst: 0, shared: true },
  /**
   * Without a key each method answers once a second, and not for five seconds when it is asked sooner. Twice that distance has been
   * seen to pass without fail.
   */
  withoutKey: { distanceMs: 2_000, burst: 0, shared: false },
} satisfies Record<string, Rate>

/** Waits until a request to this path may be made. */
export type Pace = (path: string) => Promise<void>

/**
 * Lets requests through one by one, no faster than a rate: whoever asks has its turn after those who asked before.
 *
 * @param wait for so many milliseconds
 */
export function createPace(
  { distanceMs, burst, shared }: Rate,
  clock: Clock,
  wait: (ms: number) => Promise<unknown>,
): Pace {
  const turns = new Map<string, Promise<number>>()
  const ahead = burst * distanceMs

  /** @returns when the next request is due; it may come `ahead` of that */
  async function passed(before: Promise<number> | undefined): Promise<number> {
    const due = (await before) ?? -Infinity
    const now = clock.now().getTime()
    const early = due - ahead - now
    // A clock that was set back must not draw it out.
    if (early > 0 && early <= distanceMs) await wait(early)
    const then = clock.now().getTime()
    return (early > distanceMs ? then : Math.max(due, then)) + distanceMs
  }

  return async (path) => {
    // `v1/trc20`, whichever account is asked for.
    const method = shared ? '' : path.replace(/\/.*\//, '/')
    const turn = passed(turns.get(method))
    turns.set(method, turn)
    await turn
  }
}
