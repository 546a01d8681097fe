import type { Essentials } from '../jobs/essentials.ts'
import type { ChainReader } from './chain-reader.ts'
import type { ChainScanner } from './chain-scanner.ts'
import type { limitsOfLookUps } from './named-transactions.ts'
import type { TopUpTerms } from './top-up-terms.ts'

/** Dependencies of what is done with top-ups. */
export interface TopUpDeps extends Essentials {
  /** Undefined when the operator takes no USDT. */
  readonly topUps:
    | {
        readonly terms: TopUpTerms
        readonly chain: ChainReader
        readonly scanner: ChainScanner
        /** Limits on how often accounts look transactions up on the chain. */
        readonly lookUps: ReturnType<typeof limitsOfLookUps>
      }
    | undefined
}
