import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { adjustSubAccountTraffic } from './adjust-sub-account-traffic.ts'
import { createSubAccount } from './create-sub-account.ts'
import { deleteSubAccount } from './delete-sub-account.ts'
import {
  listExtractLinks,
  openExtractLink,
  revokeAllExtractLinks,
  revokeExtractLink,
} from './extract-links.ts'
import { extractProxies } from './extract-proxies.ts'
import { getSubAccount, listSubAccounts } from './list-sub-accounts.ts'
import { recordUsage } from './record-usage.ts'
import { productsFlow, remainingFlow } from './remaining-traffic.ts'
import { setSubAccountPassword } from './set-sub-account-password.ts'
import { setSubAccountStatus } from './set-sub-account-status.ts'

/** What accounts do with their traffic. */
export function trafficPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    productsFlow: bind(productsFlow),
    remainingFlow: bind(remainingFlow),
    recordUsage: bind(recordUsage),
    extract: bind(extractProxies),
    openLink: bind(openExtractLink),
    listLinks: bind(listExtractLinks),
    revokeLink: bind(revokeExtractLink),
    revokeAllLinks: bind(revokeAllExtractLinks),
    listSubAccounts: bind(listSubAccounts),
    getSubAccount: bind(getSubAccount),
    createSubAccount: bind(createSubAccount),
    adjustSubAccountTraffic: bind(adjustSubAccountTraffic),
    setSubAccountStatus: bind(setSubAccountStatus),
    setSubAccountPassword: bind(setSubAccountPassword),
    deleteSubAccount: bind(deleteSubAccount),
  }
}
