import { binding } from '../binding.ts'
import { agentPriceTerms } from './agent-price-terms.ts'
import { listAgentPrices, removeAgentPrice, setAgentPrice } from './agent-prices.ts'
import type { EarningDeps } from './deps.ts'
import { earnings } from './earnings-of-agent.ts'
import { earningsReport } from './earnings-report.ts'
import { cancelPayout } from './end-payout.ts'
import { exportEarnings, listEarnings } from './list-earnings.ts'
import { moveEarnings } from './move-earnings.ts'
import { getPayout, listPayouts } from './payout.ts'
import { checkAgentPrices, replaceAgentPrices } from './replace-agent-prices.ts'
import { requestPayout } from './request-payout.ts'
import { subUserPrices } from './sub-user-prices.ts'

/** What agents earn, and how they get it. */
export function earningsPart(deps: EarningDeps) {
  const bind = binding(deps)
  return {
    setPrice: bind(setAgentPrice),
    removePrice: bind(removeAgentPrice),
    listPrices: bind(listAgentPrices),
    replacePrices: bind(replaceAgentPrices),
    checkPrices: bind(checkAgentPrices),
    /** The limits within which agents set prices. */
    priceTerms: bind(agentPriceTerms),
    pricesOfSubUsers: bind(subUserPrices),
    ofAgent: bind(earnings),
    report: bind(earningsReport),
    list: bind(listEarnings),
    export: bind(exportEarnings),
    toBalance: bind(moveEarnings),
    /** The terms on which earnings are paid out; undefined where none are. */
    payoutTerms: deps.payouts,
    requestPayout: bind(requestPayout),
    cancelPayout: bind(cancelPayout),
    listPayouts: bind(listPayouts),
    getPayout: bind(getPayout),
  }
}
