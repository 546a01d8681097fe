import type { Essentials } from '../jobs/essentials.ts'
import type { Checks } from './checks.ts'

/** Dependencies of the use cases of checks. */
export interface CheckDeps extends Essentials {
  /** Undefined where proxies cannot be checked. */
  readonly checks: Checks | undefined
}
