/** Requests a minute; 0: as many as they like. */
export interface RateLimits {
  /** Of an account, with all its tokens: what changes nothing. */
  readonly reads: number
  /** Of an account: everything else. */
  readonly writes: number
  /** Of an address without a token: log-ins, other public endpoints, the API docs, and tokens that are refused. */
  readonly strangers: number
}

/** Far above what people and well-made clients need, and far below what would slow down everybody else. */
export const RATE_LIMITS: RateLimits = { reads: 3_000, writes: 600, strangers: 300 }
