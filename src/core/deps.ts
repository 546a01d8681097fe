import type { Backups } from './backups/backup-maker.ts'
import type { Essentials } from './essentials.ts'
import type { Sealing } from './sealed.ts'
import type { SecurityLog } from './security-log.ts'
import type { Supplier } from './orders/supplier.ts'
import type { DriverKinds } from './supply/driver.ts'
import type { ActivationTokens, Mailer } from './accounts/activation-mail.ts'
import type { LoginThrottle } from './accounts/login-throttle.ts'
import type { PasswordHasher } from './accounts/passwords.ts'
import type { Tokens } from './accounts/tokens.ts'
import type { Setup } from './operator/choices.ts'
import type { Machine } from './operator/readiness.ts'
import type { ExitProber } from './gateway/exit-probe.ts'
import type { ChainReader } from './top-ups/chain-reader.ts'
import type { ChainScanner } from './top-ups/chain-scanner.ts'
import type { limitsOfLookUps } from './top-ups/named-transactions.ts'
import type { TopUpTerms } from './top-ups/top-up-terms.ts'
import type { Checks } from './checks/checks.ts'
import type { PayoutTerms } from './earnings/payout-terms.ts'
import type { Throttle } from './throttle.ts'

/** Dependencies of the use cases; made once by `createCore`. */
export interface CoreDeps extends Essentials {
  readonly passwords: PasswordHasher
  readonly tokens: Tokens
  readonly throttle: LoginThrottle
  /** Calls of each public link. */
  readonly linkThrottle: Throttle<string>
  /** What newcomers try out in a chat, so that nobody finds out who has an account here. */
  readonly joinThrottle: Throttle<number>
  /** Wrong promotion codes of an account. */
  readonly promoThrottle: Throttle<number>
  readonly activationTokens: ActivationTokens
  /** Undefined when mail is not configured: then new users need no activation. */
  readonly mailer: Mailer | undefined
  /** Suppliers by the name that products carry. */
  readonly suppliers: Readonly<Record<string, Supplier>>
  /** The supplier of all products that name a connection. */
  readonly connections: Supplier
  /** The kinds of third parties at which proxies can be bought. */
  readonly drivers: Partial<DriverKinds>
  /** Encrypts the credentials of connections. */
  readonly supplierSecrets: Sealing
  /** Encrypts the tokens of registration links and public links, each for its hash, so that they can be shown again. */
  readonly linkTokens: Sealing
  /** Encrypts the credentials of exits. */
  readonly exitSecrets: Sealing
  /** Tries exits; undefined where they cannot be tried. */
  readonly exitProber: ExitProber | undefined
  /** ISO 4217 code of the account currency. */
  readonly currency: string
  readonly securityLog: SecurityLog
  /** Encrypts the secrets of webhooks; and whether they may lead to this machine, as tests and the sandbox need. */
  readonly webhooks: { readonly secrets: Sealing; readonly loopback: boolean }
  /** Encrypts the stored answers of requests with a key; see `once`. */
  readonly answers: Sealing
  /** Undefined where none can be made. */
  readonly backups: Backups | undefined
  /** What the process knows of itself; undefined at the command line. */
  readonly machine: Machine | undefined
  /** What owners may choose of the settings; undefined where nothing. */
  readonly setup: Setup | undefined
  /** Undefined where proxies cannot be checked. */
  readonly checks: Checks | undefined
  /** Undefined where nothing is paid out. */
  readonly payouts: PayoutTerms | undefined
  /** Undefined when the operator takes no USDT. */
  readonly topUps:
    | {
        readonly terms: TopUpTerms
        readonly chain: ChainReader
        readonly scanner: ChainScanner
        /** Transactions that accounts look up on the chain. */
        readonly lookUps: ReturnType<typeof limitsOfLookUps>
      }
    | undefined
}
