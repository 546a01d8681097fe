import { binding } from '../binding.ts'
import { accountsFeed } from './accounts-feed.ts'
import { getAllowList, setAllowList } from './allow-list.ts'
import { countUsage } from './count-usage.ts'
import type { GatewayDeps } from './deps.ts'
import { uncheckedExits } from './exits.ts'
import { isGatewayToken } from './token.ts'
import { setKeepsHosts, usageFigures } from './usage-figures.ts'

/** What accounts see and settle of their traffic at the gateway. */
export function gatewayTrafficPart(deps: GatewayDeps) {
  const bind = binding(deps)
  return {
    allowList: bind(getAllowList),
    setAllowList: bind(setAllowList),
    usage: bind(usageFigures),
    setKeepsHosts: bind(setKeepsHosts),
  }
}

/** What gateways ask for and report, and the check of their token. */
export function gatewayPart(deps: GatewayDeps, gatewayToken: string | undefined) {
  const bind = binding(deps)
  return {
    accepts: (token: string) => gatewayToken !== undefined && isGatewayToken(gatewayToken, token),
    accounts: bind(accountsFeed),
    countUsage: bind(countUsage),
    uncheckedExits: bind(uncheckedExits),
  }
}
