import type { Action } from './action.ts'
import { promoActions } from './promo.ts'

/** All that those who run the shop can ask. */
export const ACTIONS: readonly Action[] = [...promoActions]
