import type { Essentials } from '../jobs/essentials.ts'
import type { PayoutTerms } from './payout-terms.ts'

/** Dependencies of the use cases of earnings. */
export interface EarningDeps extends Essentials {
  /** Terms of payouts; undefined where nothing is paid out. */
  readonly payouts: PayoutTerms | undefined
}
