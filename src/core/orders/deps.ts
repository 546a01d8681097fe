import type { CheckDeps } from '../checks/deps.ts'
import type { PromoDeps } from '../promotions/deps.ts'
import type { SupplyDeps } from '../supply/deps.ts'

/** Dependencies of the use cases of orders. */
export interface OrderDeps extends SupplyDeps, CheckDeps, PromoDeps {}
