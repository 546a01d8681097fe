import type { SecurityLog } from './access/security-log.ts'
import { ActivationTokens, type Mailer } from './accounts/activation-mail.ts'
import { endedTokenSweep } from './accounts/end-token.ts'
import { accountsPart, logInsPart } from './accounts/index.ts'
import { LocalLoginThrottle } from './accounts/local-login-throttle.ts'
import { PasswordHasher } from './accounts/passwords.ts'
import { SharedLoginThrottle } from './accounts/shared-login-throttle.ts'
import { Tokens } from './accounts/tokens.ts'
import { apiKeysPart } from './api-keys/index.ts'
import type { Backups } from './backups/backup-maker.ts'
import { backupSchedule } from './backups/schedule-backups.ts'
import { binding } from './binding.ts'
import { booksPart } from './books/index.ts'
import type { BotTerms } from './bots/agent-bot.ts'
import { botsPart } from './bots/index.ts'
import { messagesPart } from './broadcasts/index.ts'
import { catalogPart } from './catalog/index.ts'
import { keepBot, keptBot } from './chats/bot-account.ts'
import { chatsPart } from './chats/index.ts'
import { checksOf } from './checks/checks.ts'
import { type Echo, echoOf } from './checks/echo.ts'
import { checksPart } from './checks/index.ts'
import type { ProxyProber } from './checks/prober.ts'
import type { Clock } from './clock.ts'
import { currencyOf } from './database/currency.ts'
import type { Database } from './database/database.ts'
import { claimForSandbox, completeSandbox, databaseOrigin, tryWrite } from './database/settings.ts'
import { earningsPart } from './earnings/index.ts'
import { matureEarnings } from './earnings/mature-earnings.ts'
import type { PayoutTerms } from './earnings/payout-terms.ts'
import { heardBy } from './facts/happened.ts'
import { usageTargetSweep } from './gateway/count-targets.ts'
import type { ExitProber } from './gateway/exit-probe.ts'
import { exitDaySweep } from './gateway/exit-reports.ts'
import { gatewayTrafficPart, gatewayPart } from './gateway/index.ts'
import { jobHandlers } from './job-handlers.ts'
import { backlog } from './jobs/backlog.ts'
import type { Essentials } from './jobs/essentials.ts'
import { JobQueue } from './jobs/job-queue.ts'
import { noticeSweeps } from './notice-sweeps.ts'
import { mutesPart } from './notices/index.ts'
import { noticesOfFacts } from './notices/notices-of-facts.ts'
import { outbox } from './notices/outbox.ts'
import type { Setup } from './operator/choices.ts'
import type { OperatorDeps } from './operator/deps.ts'
import { newerVersionSweep } from './operator/newer-version.ts'
import { operatorPart } from './operator/operator-part.ts'
import type { Machine } from './operator/readiness.ts'
import { ordersPart, orderTestsPart } from './orders/index.ts'
import { sweepStaticOrders } from './orders/sweep-static-orders.ts'
import { peoplePart } from './people/index.ts'
import { trailOfFacts } from './people/trail-of-facts.ts'
import { promotionsPart } from './promotions/index.ts'
import { recordsPart } from './records/index.ts'
import { requestKeySweep } from './requests/once.ts'
import { screensPart } from './screens/index.ts'
import { screensOfFacts } from './screens/screens-of-facts.ts'
import { sealing } from './sealed.ts'
import { securityLogOfFacts } from './security/security-log-of-facts.ts'
import type { DriverKinds } from './supply/driver.ts'
import { supplyPart } from './supply/index.ts'
import { instanceId, isBehind } from './supply/instance-id.ts'
import { suppliedByConnections } from './supply/supplied.ts'
import type { Supplier } from './supply/supplier.ts'
import { supportPart } from './support/index.ts'
import { Throttle } from './throttle.ts'
import { ChainScanner } from './top-ups/chain-scanner.ts'
import { expireTopUps } from './top-ups/expire-top-ups.ts'
import { topUpsPart } from './top-ups/index.ts'
import { limitsOfLookUps } from './top-ups/named-transactions.ts'
import type { NetworkTraits, OpenNetwork } from './top-ups/payment-network.ts'
import type { TopUpTerms } from './top-ups/top-up-terms.ts'
import { trafficPart } from './traffic/index.ts'
import { eventsOfFacts } from './webhooks/events-of-facts.ts'
import { webhooksPart } from './webhooks/index.ts'

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
  /** Token with which gateways identify themselves; without it, none is let in. */
  readonly gatewayToken?: string | undefined
  /** Tries exits; without it none can be tried. */
  readonly exitProber?: ((echo: Echo) => ExitProber) | undefined
  /** ISO 4217 code of the account currency. */
  readonly currency: string
  /** Key that signs access tokens. */
  readonly jwtSecret: string
  /** Lifetime of access tokens in seconds. */
  readonly jwtTtl: number
  /** Sends mail; with it, new users with an e-mail address activate their account by mail. */
  readonly mailer?: Mailer | undefined
  /** Whether webhooks may lead to this machine, and without encryption: for tests and the sandbox. */
  readonly loopbackWebhooks?: boolean
  /** Without it, security events are dropped. */
  readonly securityLog?: SecurityLog
  /** Telegram chats, groups among them, of those who run the shop. */
  readonly operatorChats?: readonly number[]
  /** Where customers find support outside of the bot, as an address; without it, they write tickets. */
  readonly supportContact?: string | undefined
  /** The terms on which agents have bots of their own; without it, they have none. */
  readonly agentBots?: BotTerms | undefined
  /** The token of a registration link that is open to everybody; without it, strangers see no prices and cannot register. */
  readonly registrationLink?: string | undefined
  /** What the process knows of itself. */
  readonly machine?: Machine | undefined
  /** What owners may choose of the settings; without it, nothing. */
  readonly setup?: Setup | undefined
  /** Makes backups; without it, none are made. */
  readonly backups?: Backups | undefined
  /** The terms on which earnings of agents are paid out; without them, none are. */
  readonly payouts?: PayoutTerms | undefined
  /** All networks over which USDT can be paid, open or not; without it, those that are open. */
  readonly networks?: readonly NetworkTraits[]
  /**
   * The terms on which USDT is taken, and the networks that are open, the usual one first; without it, no USDT is taken. `standsBy`:
   * whether another server reads them.
   */
  readonly topUps?:
    | {
        readonly terms: TopUpTerms
        readonly networks: readonly [OpenNetwork, ...OpenNetwork[]]
        readonly standsBy?: () => boolean
      }
    | undefined
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
  agentBots,
  machine,
  setup,
  backups,
  payouts,
  topUps,
  networks = topUps?.networks.map(({ network }) => network) ?? [],
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
    agentBots,
    botTokens: sealing(secretsKey, 'tokens of bots'),
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
    networks,
    topUps: topUps && {
      terms: topUps.terms,
      lookUps: limitsOfLookUps({ clock, servers }),
      scanners: scannersOf(topUps.networks, () => deps, topUps.standsBy),
    },
  }
  const handlers = jobHandlers(deps)
  const bind = binding(deps)

  return {
    currency,
    now: () => clock.now(),
    accounts: accountsPart(deps, registrationLink),
    bots: botsPart(deps),
    apiKeys: apiKeysPart(deps),
    webhooks: webhooksPart(deps),
    messages: messagesPart(deps),
    earnings: earningsPart(deps),
    promotions: promotionsPart(deps),
    catalog: catalogPart(deps),
    orders: ordersPart(deps),
    checks: { ...checksPart(deps, echo), ...orderTestsPart(deps) },
    traffic: { ...trafficPart(deps), ...gatewayTrafficPart(deps) },
    gateway: gatewayPart(deps, gatewayToken),
    records: recordsPart(deps),
    topUps: topUpsPart(deps),
    chats: {
      ...chatsPart(deps, sealing(jwtSecret, 'lists of proxies')),
      ...logInsPart(deps),
      ...mutesPart(deps),
      ...screensPart(deps),
    },
    support: supportPart(deps, supportContact),
    operator: operatorPart(deps),
    people: peoplePart(deps),
    books: booksPart(deps),
    /** Id by which this service recognizes itself among its suppliers. */
    instance: { id: bind(instanceId), isBehind: bind(isBehind) },
    supply: supplyPart(deps),
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
      /** Returns the number of servers on the database, this one included. */
      servers,
      /** Resolves when the database can be read. */
      ping: async () => void (await db.read.$kysely.selectNoFrom(({ lit }) => lit(1).as('one')).execute()),
      tryWrite: bind(tryWrite),
    },
  }
}

function scannersOf(
  [usual, ...others]: readonly [OpenNetwork, ...OpenNetwork[]],
  deps: () => Essentials,
  standsBy: (() => boolean) | undefined,
): readonly [ChainScanner, ...ChainScanner[]] {
  const scanner = (open: OpenNetwork) => new ChainScanner(open, deps, standsBy)
  return [scanner(usual), ...others.map(scanner)]
}
