import type { Action } from './action.ts'
import { auditAction } from './audit.ts'
import { exitActions } from './exit.ts'
import { gatewayActions } from './gateway.ts'
import { priceActions } from './price.ts'
import { profitAction } from './profit.ts'
import { promoActions } from './promo.ts'
import { stockActions } from './stock.ts'
import { supplierActions } from './supplier.ts'
import { importUsageAction } from './usage.ts'

/** All that those who run the shop can ask. */
export const ACTIONS: readonly Action[] = [
  ...priceActions,
  ...promoActions,
  ...stockActions,
  importUsageAction,
  ...supplierActions,
  ...exitActions,
  ...gatewayActions,
  profitAction,
  auditAction,
]
