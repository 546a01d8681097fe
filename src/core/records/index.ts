import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { accountSummary } from './account-summary.ts'
import { dashboard } from './dashboard.ts'
import { exportTransactions, listAgentTransactions, listTransactions } from './list-transactions.ts'

/** What accounts see of all that they have done. */
export function recordsPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    transactions: bind(listTransactions),
    agentTransactions: bind(listAgentTransactions),
    exportTransactions: bind(exportTransactions),
    dashboard: bind(dashboard),
    summary: bind(accountSummary),
  }
}
