/** Most requests a minute; 0: no limit. */
export interface RateLimits {
  /** Requests of an account, with all its tokens, that change nothing. */
  readonly reads: number
  /** All other requests of an account. */
  readonly writes: number
  /** Requests of an address without a valid token: log-ins, other public endpoints, the API docs, and tokens that are refused. */
  readonly strangers: number
}

/** Far above what people and well-made clients need, and far below what would slow down everybody else. */
export const RATE_LIMITS: RateLimits = { reads: 3_000, writes: 600, strangers: 300 }
