import { accountEditAction } from './account.ts'
import type { Action } from './action.ts'
import { agentActions } from './agent.ts'
import { balanceAction } from './balance.ts'
import { customerActions } from './customer.ts'
import { customerChangeActions } from './customer-change.ts'
import { findAction } from './find.ts'
import { promoActions } from './promo.ts'
import { topUpListAction } from './top-up.ts'

/** All that those who run the shop can ask. */
export const ACTIONS: readonly Action[] = [
  ...agentActions,
  accountEditAction,
  findAction,
  ...customerActions,
  ...customerChangeActions,
  topUpListAction,
  balanceAction,
  ...promoActions,
]
