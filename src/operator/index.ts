import type { Action } from './action.ts'
import { exitActions } from './exit.ts'
import { promoActions } from './promo.ts'
import { supplierActions } from './supplier.ts'

/** All that those who run the shop can ask. */
export const ACTIONS: readonly Action[] = [...promoActions, ...supplierActions, ...exitActions]
