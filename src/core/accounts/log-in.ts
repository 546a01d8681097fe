import type { AccountStatus, Role } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { renewActivationMail } from './activation.ts'
import { logInOrigin } from './login-throttle.ts'
import { usernameKey } from '../usernames.ts'
import type { AccountDeps } from './deps.ts'

export interface LogIn {
  readonly username: string
  readonly password: string
  /** Where the attempt comes from, for the throttle: an IP address or a chat. */
  readonly address: string
}

interface LoggedIn {
  readonly id: number
  readonly username: string
  readonly role: Role
  readonly status: AccountStatus
  readonly balance: Micros
  readonly tokenVersion: number
}

/**
 * Authenticates by username and password (rules 2.2). An unknown or deleted user gets the same answer after the same time as a
 * wrong password.
 *
 * @throws invalid_credentials, account_disabled, account_not_activated, too_many_attempts, unavailable (too many log-ins at once)
 */
export async function logIn(deps: AccountDeps, attempt: LogIn): Promise<LoggedIn> {
  const from = attempt.address
  try {
    const account = await proveIdentity(deps, attempt)
    deps.securityLog({ event: 'login_ok', account: account.id, from })
    return account
  } catch (error) {
    if (error instanceof ServiceError) {
      // Log the account, never the text: people type passwords into the wrong field.
      const target = await accountNamed(deps, attempt.username)
      deps.securityLog({ event: 'login_failed', account: null, from, ...target, error: error.code })
    }
    throw error
  }
}

async function accountNamed({ db }: AccountDeps, username: string): Promise<{ target?: number }> {
  const [account] = await findAccount(db.read, { key: usernameKey(username) })
  return account ? { target: account.id } : {}
}

const findAccount = compiled<{ key: string }>()((db, { key }) =>
  db
    .selectFrom('accounts')
    .select(['id', 'username', 'role', 'status', 'balance', 'tokenVersion', 'passwordHash', 'activated'])
    .where('usernameKey', '=', key),
)

/**
 * Returns the account with this username and password. Each failure counts for the throttle.
 *
 * @throws as {@link logIn}
 */
export async function proveIdentity(
  deps: AccountDeps,
  { username, password, address }: LogIn,
): Promise<LoggedIn> {
  const key = usernameKey(username)
  const account = await deps.throttle.attempt(logInOrigin(key, address), async () => {
    const [found] = await findAccount(deps.db.read, { key })
    const named = found?.status === 'deleted' ? undefined : found
    return (await deps.passwords.matches(named?.passwordHash, password)) ? named : undefined
  })
  if (!account) throw new ServiceError('invalid_credentials')
  if (account.status === 'disabled') throw new ServiceError('account_disabled')
  if (!account.activated) {
    await renewActivationMail(deps, account.id)
    throw new ServiceError('account_not_activated')
  }
  const { passwordHash: _, activated: __, ...loggedIn } = account
  return loggedIn
}
