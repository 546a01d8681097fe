import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { usernameKey } from './usernames.ts'

export interface LogIn {
  readonly username: string
  readonly password: string
  /** Where the attempt comes from, for the throttle: an IP address or a chat. */
  readonly address: string
}

export interface LoggedIn {
  readonly id: number
  readonly username: string
  readonly role: 'agent' | 'user'
  readonly status: string
  readonly balance: Micros
  readonly tokenVersion: number
}

/**
 * Proves who somebody is (contract 2). An unknown or deleted user gets the same answer after the same time as a wrong password.
 *
 * @throws invalid_credentials, account_disabled, too_many_attempts, unavailable (too many log-ins at once)
 */
export async function logIn(deps: CoreDeps, { username, password, address }: LogIn): Promise<LoggedIn> {
  const key = usernameKey(username)
  const forgive = deps.throttle.begin(key, address)
  const [account] = await selectJson<LoggedIn & { passwordHash: string }>(
    deps.db.read,
    Prisma.sql`SELECT json_object('id', id, 'username', username, 'role', role, 'status', status, 'balance', balance,
                                  'tokenVersion', token_version, 'passwordHash', password_hash) AS json
               FROM accounts WHERE username_key = ${key} AND status <> 'deleted'`,
  )
  const matches = await deps.passwords.matches(account?.passwordHash, password).catch((error: unknown) => {
    // Nothing was checked, so nothing failed: a flood of log-ins must not shut others out.
    forgive()
    throw error
  })
  if (!matches || !account) throw new ServiceError('invalid_credentials')
  forgive()
  if (account.status === 'disabled') throw new ServiceError('account_disabled')
  const { passwordHash: _, ...loggedIn } = account
  return loggedIn
}
