import type { Essentials } from '../jobs/essentials.ts'
import type { Checks } from './checks.ts'

/** Dependencies of what is done with checks. */
export interface CheckDeps extends Essentials {
  /** Undefined where proxies cannot be checked. */
  readonly checks: Checks | undefined
}
