import type { Essentials } from '../jobs/essentials.ts'
import type { Throttle } from '../throttle.ts'

/** Dependencies of what is done with promotion codes. */
export interface PromoDeps extends Essentials {
  /** Wrong promotion codes of an account. */
  readonly promoThrottle: Throttle<number>
}
