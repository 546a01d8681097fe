import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { batched } from '../batched.ts'
import { type Database, type Readable, selectJson } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { Tokens } from './tokens.ts'

/**
 * Makes the check of a token: who it speaks for, as the account stands now. A token dies at once when its user is disabled,
 * deleted or gets a new password (rules 2.3). Tokens that come at the same time share a statement.
 *
 * @returns the check; it throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
export function authentication({ db, tokens }: { readonly db: Database; readonly tokens: Tokens }) {
  const find = batched((ids: readonly number[]) => findAccounts(db.read, ids))
  return async (token: string): Promise<Actor> => {
    const claims = tokens.read(token)
    if (!claims) throw new ServiceError('token_invalid')
    return checked(await find(claims.accountId), claims.version)
  }
}

/**
 * The account behind a proof of identity that was given at token version `version`.
 *
 * @throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
export async function actorOf(db: Readable, accountId: number, version: number): Promise<Actor> {
  const accountOf = await findAccounts(db, [accountId])
  return checked(accountOf(accountId), version)
}

/** What decides whether an account may act. */
export interface Account extends Actor {
  readonly status: string
  readonly activated: number
  readonly version: number
}

/** An {@link Account} as JSON, of `accounts a LEFT JOIN accounts g ON g.id = a.agent_id`. */
export const ACCOUNT_JSON = Prisma.sql`
  json_object('id', a.id, 'username', a.username, 'role', a.role, 'agentId', a.agent_id, 'status', a.status,
              'activated', a.activated, 'version', a.token_version, 'level', coalesce(a.level, g.level))`

async function findAccounts(db: Readable, ids: readonly number[]) {
  const accounts = await selectJson<Account>(
    db,
    Prisma.sql`SELECT ${ACCOUNT_JSON} AS json
               FROM accounts a LEFT JOIN accounts g ON g.id = a.agent_id
               WHERE a.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  )
  const found = new Map(accounts.map((account) => [account.id, account]))
  return (id: number) => found.get(id)
}

/**
 * The account as somebody who may act, by a proof that was given at token version `version`.
 *
 * @throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
export function checked(account: Account | undefined, version: number): Actor {
  if (!account || account.status === 'deleted') throw new ServiceError('user_not_found')
  if (account.version !== version) throw new ServiceError('token_invalid')
  if (account.status === 'disabled') throw new ServiceError('account_disabled')
  if (!account.activated) throw new ServiceError('account_not_activated')
  const { id, username, role, agentId, level } = account
  return { id, username, role, agentId, level }
}
