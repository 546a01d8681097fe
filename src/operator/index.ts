import { accountEditAction } from './account.ts'
import type { Action } from './action.ts'
import { agentActions } from './agent.ts'
import { auditAction } from './audit.ts'
import { balanceAction } from './balance.ts'
import { botActions } from './bot.ts'
import { checkAction } from './check.ts'
import { customerActions } from './customer.ts'
import { customerChangeActions } from './customer-change.ts'
import { exitActions } from './exit.ts'
import { findAction } from './find.ts'
import { gatewayActions } from './gateway.ts'
import { jobsActions } from './jobs.ts'
import { orderActions } from './order.ts'
import { paymentsActions } from './payments.ts'
import { payoutActions } from './payout.ts'
import { personActions } from './person.ts'
import { priceActions } from './price.ts'
import { productActions } from './product.ts'
import { profitAction } from './profit.ts'
import { promoActions } from './promo.ts'
import { refundAction } from './refund.ts'
import { replaceAction, replacementsAction } from './replacements.ts'
import { stockActions } from './stock.ts'
import { supplierActions } from './supplier.ts'
import { topUpListAction } from './top-up.ts'
import { trailAction } from './trail.ts'
import { importUsageAction } from './usage.ts'

/** All that those who run the shop can ask, in the order of the help. */
export const ACTIONS: readonly Action[] = [
  ...agentActions,
  ...botActions,
  accountEditAction,
  findAction,
  ...customerActions,
  ...customerChangeActions,
  ...orderActions,
  topUpListAction,
  balanceAction,
  ...productActions,
  ...priceActions,
  ...promoActions,
  ...stockActions,
  importUsageAction,
  ...paymentsActions,
  ...payoutActions,
  ...supplierActions,
  ...exitActions,
  ...gatewayActions,
  ...personActions,
  trailAction,
  profitAction,
  checkAction,
  replacementsAction,
  replaceAction,
  refundAction,
  ...jobsActions,
  auditAction,
]
