import type { Rate } from '../providers/pace.ts'

/**
 * Rates within TronGrid's limits. In any second the service makes at most 13 requests and a command of the operator 2, together the
 * 15 that a key allows. A client that exceeds the limit is suspended for 30 seconds.
 */
export const RATES = {
  service: { distanceMs: 100, burst: 3, shared: true },
  command: { distanceMs: 500, burst: 0, shared: true },
  /**
   * Without a key, each method allows one request a second, and suspends a client that exceeds this for five seconds. Twice that
   * distance has proved reliable.
   */
  withoutKey: { distanceMs: 2_000, burst: 0, shared: false },
} satisfies Record<string, Rate>
