import { binding } from '../binding.ts'
import { advanceCall } from './advance-call.ts'
import { takeCallback } from './callback.ts'
import type { SupplyDeps } from './deps.ts'
import { dueCalls, supplierLanes, takeOverCalls } from './due-calls.ts'
import { reconcileDue } from './reconcile.ts'
import { resolveCall } from './resolve-call.ts'
import { syncDueOffers } from './sync-offers.ts'

/** What the lanes of suppliers do, and their callbacks. */
export function supplyPart(deps: SupplyDeps) {
  const bind = binding(deps)
  return {
    lanes: bind(supplierLanes),
    due: bind(dueCalls),
    advance: bind(advanceCall),
    sync: bind(syncDueOffers),
    takeOver: bind(takeOverCalls),
    callback: bind(takeCallback),
    resolve: bind(resolveCall),
    reconcileDue: bind(reconcileDue),
  }
}
