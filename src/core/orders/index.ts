import { binding } from '../binding.ts'
import { activeInstances } from './active-instances.ts'
import { cancelStaticOrder } from './cancel-static-order.ts'
import { createDynamicOrder } from './create-dynamic-order.ts'
import { createStaticOrder } from './create-static-order.ts'
import type { OrderDeps } from './deps.ts'
import { getStaticOrderByNumber } from './get-static-order-by-number.ts'
import { getDynamicOrder, listDynamicOrders } from './list-dynamic-orders.ts'
import { getProxy, listProxies, proxyFacets } from './list-proxies.ts'
import { listRenewals } from './list-renewals.ts'
import { listReplacements } from './list-replacements.ts'
import { listStaticOrders } from './list-static-orders.ts'
import { createProxyLink, listProxyLinks, openProxyLink, revokeProxyLink } from './proxy-links.ts'
import { quoteCancellation } from './quote-cancellation.ts'
import { quoteDynamicOrder } from './quote-dynamic-order.ts'
import { quoteRenewal } from './quote-renewal.ts'
import { quoteStaticOrder } from './quote-static-order.ts'
import { quoteRenewalsOfUsers, renewForUsers } from './renew-for-users.ts'
import { renewStaticOrder } from './renew-static-order.ts'
import { quoteTogether, renewTogether } from './renew-together.ts'
import { renewableProxies } from './renewable-proxies.ts'
import { getRenewal } from './renewal.ts'
import { quoteReplacement, replaceInstance } from './replace-instance.ts'
import { givesCredentials, resetCredentials } from './reset-credentials.ts'
import { setAutoRenewTogether } from './set-auto-renew-together.ts'
import { setAutoRenew } from './set-auto-renew.ts'
import { setProxyNote } from './set-note.ts'
import { staticOrderStatistics } from './static-order-statistics.ts'
import { getStaticOrder } from './static-order.ts'
import { orderTest, proxiesTest, testOrder, testProxies } from './test-order.ts'

/** What accounts do with orders and proxies. */
export function ordersPart(deps: OrderDeps) {
  const bind = binding(deps)
  return {
    quoteStatic: bind(quoteStaticOrder),
    createStatic: bind(createStaticOrder),
    listStatic: bind(listStaticOrders),
    getStatic: bind(getStaticOrder),
    getStaticByNumber: bind(getStaticOrderByNumber),
    staticStatistics: bind(staticOrderStatistics),
    quoteRenewal: bind(quoteRenewal),
    renewStatic: bind(renewStaticOrder),
    getRenewal: bind(getRenewal),
    listRenewals: bind(listRenewals),
    quoteRenewalsOfUsers: bind(quoteRenewalsOfUsers),
    renewForUsers: bind(renewForUsers),
    renewableProxies: bind(renewableProxies),
    quoteTogether: bind(quoteTogether),
    renewTogether: bind(renewTogether),
    quoteCancellation: bind(quoteCancellation),
    cancelStatic: bind(cancelStaticOrder),
    setAutoRenew: bind(setAutoRenew),
    setAutoRenewTogether: bind(setAutoRenewTogether),
    givesCredentials: bind(givesCredentials),
    resetCredentials: bind(resetCredentials),
    quoteReplacement: bind(quoteReplacement),
    replaceInstance: bind(replaceInstance),
    listReplacements: bind(listReplacements),
    activeInstances: bind(activeInstances),
    createLink: bind(createProxyLink),
    openLink: bind(openProxyLink),
    listLinks: bind(listProxyLinks),
    revokeLink: bind(revokeProxyLink),
    listProxies: bind(listProxies),
    getProxy: bind(getProxy),
    proxyFacets: bind(proxyFacets),
    setProxyNote: bind(setProxyNote),
    quoteDynamic: bind(quoteDynamicOrder),
    createDynamic: bind(createDynamicOrder),
    listDynamic: bind(listDynamicOrders),
    getDynamic: bind(getDynamicOrder),
  }
}

/** Tests of all proxies of an order, or of a user. */
export function orderTestsPart(deps: OrderDeps) {
  const bind = binding(deps)
  return {
    testOrder: bind(testOrder),
    orderTest: bind(orderTest),
    testProxies: bind(testProxies),
    proxiesTest: bind(proxiesTest),
  }
}
