import type { Essentials } from '../jobs/essentials.ts'
import type { ChainScanner } from './chain-scanner.ts'
import type { limitsOfLookUps } from './named-transactions.ts'
import type { NetworkTraits } from './payment-network.ts'
import type { TopUpTerms } from './top-up-terms.ts'

/** Dependencies of what is done with top-ups. */
export interface TopUpDeps extends Essentials {
  /** All networks that the service knows, open or not. */
  readonly networks: readonly NetworkTraits[]
  /** Undefined when the operator takes no USDT. */
  readonly topUps:
    | {
        readonly terms: TopUpTerms
        /** Of the networks that are open, the usual one first. */
        readonly scanners: readonly [ChainScanner, ...ChainScanner[]]
        /** Limits on how often accounts look transactions up. */
        readonly lookUps: ReturnType<typeof limitsOfLookUps>
      }
    | undefined
}
