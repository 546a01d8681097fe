import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { frozenAccounts } from '../ledger/frozen-accounts.ts'
import { booksCheckedAt, selfCheck } from './self-check.ts'

/** The check that every balance is what the ledger says. */
export function booksPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    check: selfCheck(deps),
    checkedAt: bind(booksCheckedAt),
    frozen: bind(frozenAccounts),
  }
}
