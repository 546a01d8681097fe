import type { Endpoint } from '../endpoint.ts'
import { activate, confirmActivation } from './activation.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { changePassword, logIn, logOut } from './auth.ts'
import { dashboard } from './dashboard.ts'
import {
  createDynamicOrder,
  getDynamicOrder,
  getDynamicOrderByNumber,
  listDynamicOrders,
} from './dynamic-orders.ts'
import {
  extractNamedProduct,
  extractOwnPool,
  extractPublicPool,
  openExtractLink,
  revokeAllExtractLinks,
  revokeExtractLink,
} from './extraction.ts'
import { quoteOrder } from './orders.ts'
import { listIpRanges, queryProducts } from './products.ts'
import { listAgentTransactions, listTransactions } from './records.ts'
import {
  cancelStaticOrder,
  getRenewal,
  listRenewals,
  renewStaticOrder,
  resetCredentials,
  setAutoRenew,
} from './static-order-life.ts'
import { renewTogether, setAutoRenewTogether } from './proxies-together.ts'
import { checkInstance, listReplacements, replaceInstance } from './proxy-care.ts'
import { createProxyLink, listProxyLinks, openProxyLink, revokeProxyLink } from './proxy-links.ts'
import { createJoinLink, listJoinLinks, revokeJoinLink } from './join-links.ts'
import { createPromoCode, listPromoCodes, stopPromoCode } from './promotions.ts'
import { getInstance, listInstances } from './static-instances.ts'
import {
  createStaticOrder,
  getStaticOrder,
  listStaticOrders,
  staticOrderStatistics,
} from './static-orders.ts'
import {
  adjustSubAccountTraffic,
  createSubAccount,
  deleteSubAccount,
  getSubAccount,
  listSubAccounts,
  setSubAccountPassword,
  setSubAccountStatus,
} from './sub-accounts.ts'
import {
  adjustSubUserBalance,
  createSubUser,
  deleteSubUser,
  editSubUserAccount,
  getSubUser,
  listSubUsers,
  setSubUserStatus,
} from './sub-users.ts'
import { gatewayAccounts, gatewayUsage } from './gateway.ts'
import { productsFlow, remainingFlow } from './traffic.ts'
import { getAllowList, setAllowList, setKeepsHosts, trafficUsage } from './traffic-use.ts'
import {
  cancelTopUp,
  checkTopUp,
  claimTransfer,
  createTopUp,
  getTopUp,
  listTopUps,
  walletInfo,
} from './top-ups.ts'
import { currentBalance } from './users.ts'
import { listAgentPrices, removeAgentPrice, setAgentPrice } from './agent-prices.ts'
import { getEarnings, listEarnings, moveEarnings } from './earnings.ts'
import { cancelPayout, listPayouts, requestPayout } from './payouts.ts'
import {
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  replayFailedDeliveries,
  replayDelivery,
} from './webhooks.ts'

/** Every endpoint of the interface, in the order of the API docs. */
export const ENDPOINTS: readonly Endpoint[] = [
  logIn,
  logOut,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  replayFailedDeliveries,
  replayDelivery,
  activate,
  confirmActivation,
  createSubUser,
  currentBalance,
  changePassword,
  listSubUsers,
  adjustSubUserBalance,
  editSubUserAccount,
  setSubUserStatus,
  getSubUser,
  deleteSubUser,
  createJoinLink,
  listJoinLinks,
  revokeJoinLink,
  listAgentPrices,
  setAgentPrice,
  removeAgentPrice,
  getEarnings,
  listEarnings,
  moveEarnings,
  listPayouts,
  requestPayout,
  cancelPayout,
  createPromoCode,
  listPromoCodes,
  stopPromoCode,
  queryProducts,
  listIpRanges,
  quoteOrder,
  createDynamicOrder,
  listDynamicOrders,
  getDynamicOrder,
  getDynamicOrderByNumber,
  productsFlow,
  remainingFlow,
  trafficUsage,
  setKeepsHosts,
  getAllowList,
  setAllowList,
  extractPublicPool,
  extractNamedProduct,
  extractOwnPool,
  revokeAllExtractLinks,
  openExtractLink,
  revokeExtractLink,
  listSubAccounts,
  createSubAccount,
  getSubAccount,
  deleteSubAccount,
  adjustSubAccountTraffic,
  setSubAccountStatus,
  setSubAccountPassword,
  createStaticOrder,
  listStaticOrders,
  getStaticOrder,
  staticOrderStatistics,
  listInstances,
  getInstance,
  renewStaticOrder,
  listRenewals,
  renewTogether,
  getRenewal,
  cancelStaticOrder,
  setAutoRenew,
  setAutoRenewTogether,
  resetCredentials,
  checkInstance,
  replaceInstance,
  listReplacements,
  createProxyLink,
  listProxyLinks,
  revokeProxyLink,
  openProxyLink,
  dashboard,
  listTransactions,
  listAgentTransactions,
  walletInfo,
  createTopUp,
  checkTopUp,
  listTopUps,
  getTopUp,
  cancelTopUp,
  claimTransfer,
  gatewayAccounts,
  gatewayUsage,
]
