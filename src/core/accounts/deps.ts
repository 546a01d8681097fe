import type { SecurityLog } from '../access/security-log.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { Throttle } from '../throttle.ts'
import type { ActivationTokens, Mailer } from './activation-mail.ts'
import type { LoginThrottle } from './login-throttle.ts'
import type { PasswordHasher } from './passwords.ts'
import type { Tokens } from './tokens.ts'

/** Dependencies of what is done with accounts. */
export interface AccountDeps extends Essentials {
  readonly passwords: PasswordHasher
  readonly tokens: Tokens
  readonly throttle: LoginThrottle
  /** Log of refusals, and of log-ins, which change nothing; see `happened` for the rest. */
  readonly securityLog: SecurityLog
  /** Limits the attempts of newcomers in a chat, so that nobody finds out who has an account here. */
  readonly joinThrottle: Throttle<number>
  readonly activationTokens: ActivationTokens
  /** Undefined when mail is not configured: then new users need no activation. */
  readonly mailer: Mailer | undefined
}
