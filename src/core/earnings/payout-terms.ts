import type { Micros } from '../money.ts'

/** The terms on which earnings are paid out (rules 13.6). */
export interface PayoutTerms {
  /** Minimum amount of a payout, in micro-units of the account currency. */
  readonly min: Micros
  /** 10^-6 of the account currency per USDT, the same as for top-ups. */
  readonly rate: Micros
  /** Tells whether USDT can be sent to an address. */
  readonly isAddress: (text: string) => boolean
}
