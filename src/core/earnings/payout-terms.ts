import type { Micros } from '../money.ts'

/** On what terms earnings are paid out (rules 13.6). */
export interface PayoutTerms {
  /** The least amount of a payout, in the account currency. */
  readonly min: Micros
  /** 10^-6 of the account currency per USDT, the same as for top-ups. */
  readonly rate: Micros
  /** Whether USDT on TRON can be sent there. */
  readonly isAddress: (text: string) => boolean
}
