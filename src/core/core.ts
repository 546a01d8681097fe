import type { Actor } from './access/actor.ts'
import { currencyOf } from './database/currency.ts'
import { activateAccount, activationLink } from './accounts/activation.ts'
import { ActivationTokens, type Mailer } from './accounts/activation-mail.ts'
import { adjustSubUserBalance } from './accounts/adjust-balance.ts'
import { adjustSubUsers, planAdjustments } from './accounts/adjust-sub-users.ts'
import { askForMoney } from './accounts/ask-for-money.ts'
import { authentication } from './accounts/authenticate.ts'
import {
  cancelMessage,
  countSubUserChats,
  draftMessage,
  readMessage,
  startMessage,
} from './broadcasts/message-sub-users.ts'
import type { Backups } from './backups/backup-maker.ts'
import { backupSchedule } from './backups/schedule-backups.ts'
import { currentBalance } from './accounts/balance.ts'
import { changePassword, provePassword } from './accounts/change-password.ts'
import { endDevice, endOtherDevices, listDevices } from './accounts/devices.ts'
import { endedTokenSweep, endToken } from './accounts/end-token.ts'
import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from './api-keys/manage-api-keys.ts'
import { createSubUser } from './accounts/create-account.ts'
import { createSubUsers, planSubUsers } from './accounts/create-sub-users.ts'
import { deleteSubUser } from './accounts/delete-sub-user.ts'
import { editSubUserContact } from './accounts/edit-contact.ts'
import { editSubUserAccount } from './accounts/edit-sub-user-account.ts'
import { exportSubUsers } from './accounts/export-sub-users.ts'
import { getSubUser } from './accounts/get-sub-user.ts'
import { habitsOf, keepHabit } from './accounts/habits.ts'
import { checkNewUsername, joinByLink, joinOffer, pricesByLink } from './accounts/join.ts'
import { createJoinLink, getJoinLink, listJoinLinks, revokeJoinLink } from './accounts/join-links.ts'
import { createInvite, inviteState, openInvite, setInvitedPassword } from './accounts/invites.ts'
import { declineAskedMoney, giveAskedMoney } from './accounts/money-requests.ts'
import { listSubUsers } from './accounts/list-sub-users.ts'
import { logIn, type LogIn } from './accounts/log-in.ts'
import { LocalLoginThrottle } from './accounts/local-login-throttle.ts'
import { SharedLoginThrottle } from './accounts/shared-login-throttle.ts'
import { PasswordHasher } from './accounts/passwords.ts'
import { subUserIds, subUsersNamed } from './accounts/pick-sub-users.ts'
import { planAdjustment } from './accounts/plan-adjustment.ts'
import { setSubUsersStatus, setSubUserStatus } from './accounts/set-sub-user-status.ts'
import { Tokens } from './accounts/tokens.ts'
import { freeAddresses, listFreeAddresses } from './catalog/free-addresses.ts'
import { listIpRanges } from './catalog/ip-ranges.ts'
import { queryProducts } from './catalog/query-products.ts'
import { askedChecks, dueChecks } from './checks/check-due.ts'
import { keepBot, keptBot } from './chats/bot-account.ts'
import { checkProxy, checksOfProxy } from './checks/check-proxy.ts'
import { checksOf } from './checks/checks.ts'
import { type Echo, echoOf } from './checks/echo.ts'
import type { ProxyProber } from './checks/prober.ts'
import { orderTest, testOrder } from './orders/test-order.ts'
import {
  chatSession,
  logInChat,
  setChatBlocked,
  setChatLanguage,
  isFollowing,
} from './chats/chat-sessions.ts'
import { deleteDialogue, writeDialogue } from './chats/dialogues.ts'
import { moveChat } from './chats/move-chat.ts'
import { currentId } from './people/moved-chats.ts'
import { setProxyFormat, setTimeZone } from './chats/chat-settings.ts'
import { changeDraft, readDraft } from './chats/draft.ts'
import { forgetWaiting } from './chats/forget-waiting.ts'
import { accountsIn, logOutChat, logOutOfAll, switchAccount } from './accounts/chat-log-ins.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { OperatorDeps } from './operator/deps.ts'
import { accountsFeed } from './gateway/accounts-feed.ts'
import { getAllowList, setAllowList } from './gateway/allow-list.ts'
import { usageTargetSweep } from './gateway/count-targets.ts'
import { exitDaySweep } from './gateway/exit-reports.ts'
import { countUsage } from './gateway/count-usage.ts'
import { uncheckedExits } from './gateway/exits.ts'
import type { ExitProber } from './gateway/exit-probe.ts'
import { isGatewayToken } from './gateway/token.ts'
import { setKeepsHosts, usageFigures } from './gateway/usage-figures.ts'
import { backlog } from './jobs/backlog.ts'
import { jobHandlers } from './job-handlers.ts'
import { JobQueue } from './jobs/job-queue.ts'
import { frozenAccounts } from './ledger/frozen-accounts.ts'
import { booksCheckedAt, selfCheck } from './books/self-check.ts'
import { isAnybodyTold } from './notices/concerns.ts'
import { newerVersionSweep } from './operator/newer-version.ts'
import { noticeSweeps } from './notice-sweeps.ts'
import { salesMode, setSalesMode } from './notices/sales.ts'
import { outbox } from './notices/outbox.ts'
import { requestKeySweep } from './requests/once.ts'
import { listAgentPrices, removeAgentPrice, setAgentPrice } from './earnings/agent-prices.ts'
import { agentPriceTerms } from './earnings/agent-price-terms.ts'
import { checkAgentPrices, replaceAgentPrices } from './earnings/replace-agent-prices.ts'
import { subUserPrices } from './earnings/sub-user-prices.ts'
import { earnings } from './earnings/earnings-of-agent.ts'
import { cancelPayout } from './earnings/end-payout.ts'
import { earningsReport } from './earnings/earnings-report.ts'
import { exportEarnings, listEarnings } from './earnings/list-earnings.ts'
import { moveEarnings } from './earnings/move-earnings.ts'
import { matureEarnings } from './earnings/mature-earnings.ts'
import { getPayout, listPayouts } from './earnings/payout.ts'
import type { PayoutTerms } from './earnings/payout-terms.ts'
import { requestPayout } from './earnings/request-payout.ts'
import {
  createPromoCode,
  getPromoCode,
  listPromoCodes,
  stopPromoCode,
} from './promotions/manage-promo-codes.ts'
import { effectsOfAgents } from './promotions/promo-effects.ts'
import { activeInstances } from './orders/active-instances.ts'
import { createProxyLink, listProxyLinks, openProxyLink, revokeProxyLink } from './orders/proxy-links.ts'
import { cancelStaticOrder } from './orders/cancel-static-order.ts'
import { createDynamicOrder } from './orders/create-dynamic-order.ts'
import { createStaticOrder } from './orders/create-static-order.ts'
import { getDynamicOrder, listDynamicOrders } from './orders/list-dynamic-orders.ts'
import { getProxy, listProxies, proxyFacets } from './orders/list-proxies.ts'
import { listStaticOrders } from './orders/list-static-orders.ts'
import { getStaticOrder } from './orders/static-order.ts'
import { quoteDynamicOrder } from './orders/quote-dynamic-order.ts'
import { quoteCancellation } from './orders/quote-cancellation.ts'
import { quoteRenewal } from './orders/quote-renewal.ts'
import { quoteStaticOrder } from './orders/quote-static-order.ts'
import { quoteRenewalsOfUsers, renewForUsers } from './orders/renew-for-users.ts'
import { renewableProxies } from './orders/renewable-proxies.ts'
import { quoteTogether, renewTogether } from './orders/renew-together.ts'
import { renewStaticOrder } from './orders/renew-static-order.ts'
import { listRenewals } from './orders/list-renewals.ts'
import { getStaticOrderByNumber } from './orders/get-static-order-by-number.ts'
import { getRenewal } from './orders/renewal.ts'
import { givesCredentials, resetCredentials } from './orders/reset-credentials.ts'
import { setAutoRenewTogether } from './orders/set-auto-renew-together.ts'
import { setAutoRenew } from './orders/set-auto-renew.ts'
import { setProxyNote } from './orders/set-note.ts'
import { listReplacements } from './orders/list-replacements.ts'
import { quoteReplacement, replaceInstance } from './orders/replace-instance.ts'
import { staticOrderStatistics } from './orders/static-order-statistics.ts'
import type { Supplier } from './supply/supplier.ts'
import {
  closeTicket,
  passTicketOn,
  setTakesTickets,
  setThread,
  takesTickets,
  threadOf,
} from './support/manage-ticket.ts'
import { listTickets, readTicket } from './support/read-tickets.ts'
import { openTicket, writeTicket } from './support/write-ticket.ts'
import type { DriverKinds } from './supply/driver.ts'
import { instanceId, isBehind } from './supply/instance-id.ts'
import { sweepStaticOrders } from './orders/sweep-static-orders.ts'
import { advanceCall } from './supply/advance-call.ts'
import { takeCallback } from './supply/callback.ts'
import { dueCalls, supplierLanes, takeOverCalls } from './supply/due-calls.ts'
import { resolveCall } from './supply/resolve-call.ts'
import { syncDueOffers } from './supply/sync-offers.ts'
import { suppliedByConnections } from './supply/supplied.ts'
import { reconcileDue } from './supply/reconcile.ts'
import { accountSummary } from './records/account-summary.ts'
import { dashboard } from './records/dashboard.ts'
import { exportTransactions, listAgentTransactions, listTransactions } from './records/list-transactions.ts'
import { adjustSubAccountTraffic } from './traffic/adjust-sub-account-traffic.ts'
import { createSubAccount } from './traffic/create-sub-account.ts'
import { deleteSubAccount } from './traffic/delete-sub-account.ts'
import {
  listExtractLinks,
  openExtractLink,
  revokeAllExtractLinks,
  revokeExtractLink,
} from './traffic/extract-links.ts'
import { extractProxies } from './traffic/extract-proxies.ts'
import { Throttle } from './throttle.ts'
import { getSubAccount, listSubAccounts } from './traffic/list-sub-accounts.ts'
import { setSubAccountPassword } from './traffic/set-sub-account-password.ts'
import { setSubAccountStatus } from './traffic/set-sub-account-status.ts'
import { recordUsage } from './traffic/record-usage.ts'
import { productsFlow, remainingFlow } from './traffic/remaining-traffic.ts'
import { cancelTopUp } from './top-ups/cancel-top-up.ts'
import type { ChainReader } from './top-ups/chain-reader.ts'
import { ChainScanner } from './top-ups/chain-scanner.ts'
import { checkTopUp, lookAtTopUp } from './top-ups/check-top-up.ts'
import { claimTransfer } from './top-ups/claim-transfer.ts'
import { acceptsTopUps, createTopUp } from './top-ups/create-top-up.ts'
import { findPayment } from './top-ups/find-payment.ts'
import { limitsOfLookUps } from './top-ups/named-transactions.ts'
import { expireTopUps } from './top-ups/expire-top-ups.ts'
import { getTopUp, listTopUps } from './top-ups/top-up.ts'
import type { TopUpTerms } from './top-ups/top-up-terms.ts'
import type { Setup } from './operator/choices.ts'
import type { Machine } from './operator/readiness.ts'
import { operatorPart } from './operator/operator-part.ts'
import { openPersonInvite } from './people/person-invites.ts'
import { trailOfFacts } from './people/trail-of-facts.ts'
import { operatorIn, operatorNamed } from './people/who-acts.ts'
import type { SecurityLog } from './access/security-log.ts'
import { sealing } from './sealed.ts'
import { webhooksPart } from './webhooks/webhooks-part.ts'
import { heardBy } from './facts/happened.ts'
import { noticesOfFacts } from './notices/notices-of-facts.ts'
import { eventsOfFacts } from './webhooks/events-of-facts.ts'
import { screensOfFacts } from './screens/screens-of-facts.ts'
import { securityLogOfFacts } from './security/security-log-of-facts.ts'
import { claimForSandbox, completeSandbox, databaseOrigin, tryWrite } from './database/settings.ts'
import { mutedIn, setMuted } from './notices/muted.ts'
import { setChatScreen } from './screens/set-screen.ts'

export interface CoreOptions {
  readonly db: Database
  readonly clock: Clock
  /** Suppliers by the name that products carry. */
  readonly suppliers: Readonly<Record<string, Supplier>>
  /** The kinds of third parties at which proxies can be bought. */
  readonly drivers?: Partial<DriverKinds>
  /** Encrypts the credentials of connections and the secrets of webhooks; the secret of the tokens when missing. */
  readonly secretsKey?: string
  /**
   * Tries proxies, given the echo that it asks; without it, none can be checked. `regular`: proxies are also checked without being
   * asked for.
   */
  readonly checks?: { readonly prober: (echo: Echo) => ProxyProber; readonly regular: boolean } | undefined
  /** What gateways identify themselves with; without it none is let in. */
  readonly gatewayToken?: string | undefined
  /** Tries exits; without it none can be tried. */
  readonly exitProber?: ((echo: Echo) => ExitProber) | undefined
  /** ISO 4217 code of the account currency. */
  readonly currency: string
  /** Key that signs access tokens. */
  readonly jwtSecret: string
  /** Lifetime of access tokens in seconds. */
  readonly jwtTtl: number
  /** With it new users with an e-mail address activate their account by mail. */
  readonly mailer?: Mailer | undefined
  /** Whether webhooks may lead to this machine, without encryption, too: for tests and the sandbox. */
  readonly loopbackWebhooks?: boolean
  /** Without it, security events are dropped. */
  readonly securityLog?: SecurityLog
  /** Telegram chats, groups among them, of those who run the shop. */
  readonly operatorChats?: readonly number[]
  /** Where customers find support outside of the bot, as an address; without it, they write tickets. */
  readonly supportContact?: string | undefined
  /** The token of a registration link that is open to everybody; without it, strangers see no prices and cannot register. */
  readonly registrationLink?: string | undefined
  /** What the process knows of itself. */
  readonly machine?: Machine | undefined
  /** What owners may choose of the settings; without it, nothing. */
  readonly setup?: Setup | undefined
  /** Without it none is made. */
  readonly backups?: Backups | undefined
  /** The terms on which earnings of agents are paid out; without them, none are. */
  readonly payouts?: PayoutTerms | undefined
  /**
   * The terms on which USDT is taken, and the reader of the chain; without it, no USDT is taken. `standsBy`: whether another server
   * reads the chain.
   */
  readonly topUps?:
    { readonly terms: TopUpTerms; readonly chain: ChainReader; readonly standsBy?: () => boolean } | undefined
}

export type Core = ReturnType<typeof createCore>

/**
 * The service: every rule of docs/rules.md behind one interface, which bot, api, jobs and cli call. Each function is documented
 * at its definition.
 */
export function createCore({
  db,
  clock,
  suppliers,
  drivers = {},
  checks,
  gatewayToken,
  exitProber,
  currency,
  jwtSecret,
  secretsKey = jwtSecret,
  jwtTtl,
  mailer,
  loopbackWebhooks = false,
  securityLog = () => {},
  operatorChats = [],
  supportContact,
  registrationLink,
  machine,
  setup,
  backups,
  payouts,
  topUps,
}: CoreOptions) {
  const echo = echoOf(jwtSecret, clock)
  const servers = () => db.cluster?.servers ?? 1
  const jobs = new JobQueue(db, clock)
  const hearers = [
    noticesOfFacts({ clock, operatorChats }),
    eventsOfFacts({ clock }),
    screensOfFacts({ jobs }),
    securityLogOfFacts(securityLog),
    trailOfFacts({ clock }),
  ]
  const deps: OperatorDeps = {
    db: heardBy(db, hearers),
    clock,
    suppliers,
    connections: suppliedByConnections(() => deps),
    drivers,
    supplierSecrets: sealing(secretsKey, 'credentials of suppliers'),
    linkTokens: sealing(secretsKey, 'tokens of links'),
    exitSecrets: sealing(secretsKey, 'credentials of exits'),
    exitProber: exitProber?.(echo),
    webhooks: { secrets: sealing(secretsKey, 'secrets of webhooks'), loopback: loopbackWebhooks },
    checks: checksOf(checks && { prober: checks.prober(echo), regular: checks.regular }),
    currency,
    jobs,
    passwords: new PasswordHasher(),
    tokens: new Tokens(jwtSecret, jwtTtl, clock),
    throttle: db.cluster ? new SharedLoginThrottle(db.cluster.logIns, clock) : new LocalLoginThrottle(clock),
    linkThrottle: new Throttle({ clock, servers, windowMs: 60_000, limit: 60, error: 'rate_limited' }),
    joinThrottle: new Throttle({ clock, windowMs: 15 * 60_000, limit: 20, error: 'too_many_attempts' }),
    promoThrottle: new Throttle({ clock, servers, windowMs: 15 * 60_000, limit: 10, error: 'rate_limited' }),
    activationTokens: new ActivationTokens(jwtSecret),
    answers: sealing(jwtSecret, 'answers of requests'),
    mailer,
    securityLog,
    operatorChats,
    machine,
    setup,
    backups,
    payouts,
    topUps: topUps && {
      ...topUps,
      lookUps: limitsOfLookUps({ clock, servers }),
      scanner: new ChainScanner(topUps.terms, topUps.chain, () => deps, topUps.standsBy),
    },
  }
  const handlers = jobHandlers(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (deps: OperatorDeps, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(deps, ...args)

  return {
    currency,
    now: () => clock.now(),
    accounts: {
      habits: bind(habitsOf),
      keepHabit: bind(keepHabit),
      /** Like {@link logIn}, and issues the access token. */
      logIn: async (credentials: LogIn) => {
        const { tokenVersion, ...account } = await logIn(deps, credentials)
        return {
          account,
          token: deps.tokens.issue(account.id, tokenVersion),
          expiresIn: deps.tokens.lifetime,
        }
      },
      authenticate: authentication(deps),
      balance: bind(currentBalance),
      createSubUser: bind(createSubUser),
      planSubUsers: bind(planSubUsers),
      createSubUsers: bind(createSubUsers),
      listSubUsers: bind(listSubUsers),
      exportSubUsers: bind(exportSubUsers),
      subUserIds: bind(subUserIds),
      subUsersNamed: bind(subUsersNamed),
      editSubUserContact: bind(editSubUserContact),
      getSubUser: bind(getSubUser),
      planAdjustment: bind(planAdjustment),
      askForMoney: bind(askForMoney),
      giveAskedMoney: bind(giveAskedMoney),
      declineAskedMoney: bind((seen, actor: Actor, id: number | undefined) =>
        declineAskedMoney(seen, actor, id),
      ),
      adjustSubUserBalance: bind(adjustSubUserBalance),
      planAdjustments: bind(planAdjustments),
      adjustSubUsers: bind(adjustSubUsers),
      editSubUserAccount: bind(editSubUserAccount),
      setSubUserStatus: bind(setSubUserStatus),
      setSubUsersStatus: bind(setSubUsersStatus),
      deleteSubUser: bind(deleteSubUser),
      createInvite: bind(createInvite),
      inviteState: bind(inviteState),
      setInvitedPassword: bind(setInvitedPassword),
      createJoinLink: bind(createJoinLink),
      listJoinLinks: bind(listJoinLinks),
      getJoinLink: bind(getJoinLink),
      revokeJoinLink: bind(revokeJoinLink),
      joinOffer: bind(joinOffer),
      pricesByLink: bind(pricesByLink),
      /** The token of the link by which strangers register and see prices (rules 2.27); undefined where none was set. */
      publicLink: registrationLink,
      checkNewUsername: bind(checkNewUsername),
      provePassword: bind(provePassword),
      /** Ends the token of a request. */
      logOut: bind(endToken),
      devices: bind(listDevices),
      endDevice: bind(endDevice),
      endOtherDevices: bind(endOtherDevices),
      changePassword: bind(changePassword),
      /** Like {@link changePassword}, outside of a chat: issues a token in place of those that it ended. */
      changePasswordForToken: async (actor: Actor, input: Parameters<typeof changePassword>[3]) => {
        const version = await changePassword(deps, actor, undefined, input)
        return { token: deps.tokens.issue(actor.id, version), expiresIn: deps.tokens.lifetime }
      },
      activate: bind(activateAccount),
      activationLink: bind(activationLink),
    },
    /** With which programs act for an account. */
    apiKeys: {
      create: bind(createApiKey),
      list: bind(listApiKeys),
      get: bind(getApiKey),
      revoke: bind(revokeApiKey),
    },
    /** Where accounts are told what happens, by HTTP. */
    webhooks: webhooksPart(deps),
    /** What agents write to their sub-users. */
    messages: {
      count: bind(countSubUserChats),
      draft: bind(draftMessage),
      read: bind(readMessage),
      start: bind(startMessage),
      cancel: bind(cancelMessage),
    },
    earnings: {
      setPrice: bind(setAgentPrice),
      removePrice: bind(removeAgentPrice),
      listPrices: bind(listAgentPrices),
      replacePrices: bind(replaceAgentPrices),
      checkPrices: bind(checkAgentPrices),
      /** Within what agents set prices. */
      priceTerms: bind(agentPriceTerms),
      pricesOfSubUsers: bind(subUserPrices),
      ofAgent: bind(earnings),
      report: bind(earningsReport),
      list: bind(listEarnings),
      export: bind(exportEarnings),
      toBalance: bind(moveEarnings),
      /** The terms on which earnings are paid out; undefined where none are. */
      payoutTerms: payouts,
      requestPayout: bind(requestPayout),
      cancelPayout: bind(cancelPayout),
      listPayouts: bind(listPayouts),
      getPayout: bind(getPayout),
    },
    promotions: {
      create: bind(createPromoCode),
      list: bind((seen, actor: Actor, input?: Parameters<typeof listPromoCodes>[2]) =>
        listPromoCodes(seen, actor, input),
      ),
      get: bind((seen, actor: Actor, code: string) => getPromoCode(seen, actor, code)),
      stop: bind((seen, actor: Actor, code: string) => stopPromoCode(seen, actor, code)),
      /** What a code of the agent, made or planned, takes off at the present prices. */
      effects: bind(effectsOfAgents),
    },
    catalog: {
      query: bind(queryProducts),
      ipRanges: bind(listIpRanges),
      freeAddresses: bind(freeAddresses),
      listFreeAddresses: bind(listFreeAddresses),
    },
    orders: {
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
    },
    /** Whether proxies work. */
    checks: {
      /** Whether proxies can be checked, and whether they are without being asked for. */
      enabled: deps.checks !== undefined,
      regular: deps.checks?.regular ?? false,
      check: bind(checkProxy),
      list: bind(checksOfProxy),
      /** What answers the probes: address and nonce; undefined for a token that the service did not make. */
      echo: echo.answer,
      due: dueChecks(deps),
      asked: askedChecks(deps),
      testOrder: bind(testOrder),
      orderTest: bind(orderTest),
    },
    traffic: {
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
      allowList: bind(getAllowList),
      setAllowList: bind(setAllowList),
      usage: bind(usageFigures),
      setKeepsHosts: bind(setKeepsHosts),
    },
    /** What gateways ask, and report. */
    gateway: {
      accepts: (token: string) => gatewayToken !== undefined && isGatewayToken(gatewayToken, token),
      accounts: bind(accountsFeed),
      countUsage: bind(countUsage),
      uncheckedExits: bind(uncheckedExits),
    },
    records: {
      transactions: bind(listTransactions),
      agentTransactions: bind(listAgentTransactions),
      exportTransactions: bind(exportTransactions),
      dashboard: bind(dashboard),
      summary: bind(accountSummary),
    },
    topUps: {
      /** The terms on which USDT is taken; undefined when it is not. */
      terms: topUps?.terms,
      /** Whether a top-up can be opened now: not while the chain says that wallet or token are wrong. */
      enabled: bind(acceptsTopUps),
      /** Reads the chain for all top-ups together; undefined when USDT is not taken. */
      scanner: deps.topUps?.scanner,
      create: bind(createTopUp),
      check: bind(checkTopUp),
      look: bind(lookAtTopUp),
      get: bind(getTopUp),
      list: bind(listTopUps),
      cancel: bind(cancelTopUp),
      findPayment: bind(findPayment),
      claim: bind(claimTransfer),
    },
    chats: {
      session: bind(chatSession),
      logIn: bind(logInChat),
      openInvite: bind(openInvite),
      join: bind(joinByLink),
      logOut: bind(logOutChat),
      logOutOfAll: bind(logOutOfAll),
      accounts: bind(accountsIn),
      switchAccount: bind(switchAccount),
      setLanguage: bind(setChatLanguage),
      setScreen: bind(setChatScreen),
      isFollowing: bind(isFollowing),
      setBlocked: bind(setChatBlocked),
      moved: bind(moveChat),
      currentId: bind(currentId),
      muted: bind(mutedIn),
      setMuted: bind(setMuted),
      salesMode: bind(salesMode),
      setSalesMode: bind(setSalesMode),
      setProxyFormat: bind(setProxyFormat),
      setTimeZone: bind(setTimeZone),
      writeDialogue: bind(writeDialogue),
      deleteDialogue: bind(deleteDialogue),
      readDraft: bind(readDraft),
      changeDraft: bind(changeDraft),
      forgetWaiting: bind(forgetWaiting),
      /** Keeps a pasted list of proxies, which holds credentials, readable to its chat only. */
      sealedLists: sealing(jwtSecret, 'lists of proxies'),
    },
    /** Questions of customers, to their agent or the shop. */
    support: {
      /** Where customers write: somewhere else, tickets, or nowhere, because nobody would read them (rules 15.1). */
      way: async () =>
        supportContact === undefined
          ? (await isAnybodyTold(deps, 'support_question')) && ('tickets' as const)
          : { url: supportContact },
      open: bind(openTicket),
      write: (actor: Actor, input: Parameters<typeof writeTicket>[2]) => writeTicket(deps, actor, input),
      read: (actor: Actor, ticketNo: string) => readTicket(deps, actor, ticketNo),
      list: (actor: Actor, page?: number) => listTickets(deps, actor, page),
      close: (actor: Actor, ticketNo: string) => closeTicket(deps, actor, ticketNo),
      passOn: bind(passTicketOn),
      takesTickets: bind(takesTickets),
      setTakesTickets: bind(setTakesTickets),
      /** The topic of a forum in which the shop answers a ticket. */
      threadOf: bind(threadOf),
      setThread: bind(setThread),
    },
    /** For those who run the shop; see {@link operatorPart}. */
    operator: operatorPart(deps),
    /** Who that is. */
    people: {
      /** Who acts in a chat; undefined for customers. */
      operatorIn: bind(operatorIn),
      /** A person at the command line. */
      operatorNamed: bind(operatorNamed),
      /** Whoever opens a link becomes a person. */
      openInvite: bind(openPersonInvite),
    },
    /** The check that every balance is what the ledger says. */
    books: {
      check: selfCheck(deps),
      checkedAt: bind(booksCheckedAt),
      frozen: bind(frozenAccounts),
    },
    /** By what this service recognizes itself among its suppliers. */
    instance: { id: bind(instanceId), isBehind: bind(isBehind) },
    /** What the lanes of suppliers do, and their callbacks. */
    supply: {
      lanes: bind(supplierLanes),
      due: bind(dueCalls),
      advance: bind(advanceCall),
      sync: bind(syncDueOffers),
      takeOver: bind(takeOverCalls),
      callback: bind(takeCallback),
      resolve: bind(resolveCall),
      reconcileDue: bind(reconcileDue),
    },
    /** What the background loop does. */
    jobs: {
      queue: deps.jobs,
      backlog: bind(backlog),
      outbox: bind(outbox),
      handleOrder: handlers.handleOrder,
      handlers: handlers.with,
      sweepStaticOrders: bind(sweepStaticOrders),
      matureEarnings: bind(matureEarnings),
      sweepRequestKeys: requestKeySweep(deps),
      sweepEndedTokens: endedTokenSweep(deps),
      sweepUsageTargets: usageTargetSweep(deps),
      sweepExitDays: exitDaySweep(deps),
      noticeSweeps: noticeSweeps(deps),
      sweepBackups: backupSchedule(deps),
      sweepVersions: newerVersionSweep(deps),
      expireTopUps: bind(expireTopUps),
    },
    database: {
      origin: bind(databaseOrigin),
      claimForSandbox: bind(claimForSandbox),
      currency: bind(currencyOf),
      completeSandbox: bind(completeSandbox),
      keepBot: bind(keepBot),
      bot: bind(keptBot),
      /** How many servers work on it, this one included. */
      servers,
      /** Resolves when the database can be read. */
      ping: async () => void (await db.read.$kysely.selectNoFrom(({ lit }) => lit(1).as('one')).execute()),
      tryWrite: bind(tryWrite),
    },
  }
}
