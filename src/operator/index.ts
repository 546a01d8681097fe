import type { Action } from './action.ts'
import { checkAction } from './check.ts'
import { jobsActions } from './jobs.ts'
import { orderActions } from './order.ts'
import { paymentsActions } from './payments.ts'
import { payoutActions } from './payout.ts'
import { personActions } from './person.ts'
import { promoActions } from './promo.ts'
import { refundAction } from './refund.ts'
import { replaceAction, replacementsAction } from './replacements.ts'
import { trailAction } from './trail.ts'

/** All that those who run the shop can ask. */
export const ACTIONS: readonly Action[] = [
  ...orderActions,
  ...promoActions,
  ...paymentsActions,
  ...payoutActions,
  ...personActions,
  trailAction,
  checkAction,
  replacementsAction,
  replaceAction,
  refundAction,
  ...jobsActions,
]
