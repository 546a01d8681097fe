import type { Essentials } from '../jobs/essentials.ts'
import type { PayoutTerms } from './payout-terms.ts'

/** Dependencies of what is done with earnings. */
export interface EarningDeps extends Essentials {
  /** Undefined where nothing is paid out. */
  readonly payouts: PayoutTerms | undefined
}
