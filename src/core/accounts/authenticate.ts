import type { AccountStatus } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { batched } from '../batched.ts'
import { compiled } from '../database/compiled.ts'
import type { Database, Readable } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import type { Tokens } from './tokens.ts'

/**
 * Makes the check of access tokens: it reads the account of a token as it is now. A token becomes invalid at once when its user is
 * disabled, deleted or gets a new password (rules 2.3). Tokens that come at the same time share a statement.
 *
 * @returns the check; it throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
export function authentication({ db, tokens }: { readonly db: Database; readonly tokens: Tokens }) {
  const find = batched((ids: readonly number[]) => findAccounts(db.read, ids))
  return async (token: string): Promise<Actor> => {
    const claims = tokens.read(token)
    if (!claims) throw new ServiceError('token_invalid')
    return permitted(await find(claims.accountId), claims.version)
  }
}

/**
 * The account behind a proof of identity that was given at token version `version`.
 *
 * @throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
export async function actorOf(db: Readable, accountId: number, version: number): Promise<Actor> {
  const accountOf = await findAccounts(db, [accountId])
  return permitted(accountOf(accountId), version)
}

/** The fields that decide whether an account may act. */
interface Account extends Actor {
  readonly status: AccountStatus
  readonly activated: boolean
  readonly version: number
}

/** Accounts with the price level that applies to each: its own, or that of its agent. */
const accountsOf = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('accounts as a')
    .leftJoin('accounts as g', 'g.id', 'a.agentId')
    .select([
      'a.id',
      'a.username',
      'a.role',
      'a.agentId',
      'a.status',
      'a.activated',
      'a.tokenVersion as version',
    ])
    .select(({ fn }) => fn.coalesce('a.level', 'g.level').as('level'))
    .where('a.id', 'in', listOf(ids)),
)

async function findAccounts(db: Readable, ids: readonly number[]) {
  const found = new Map((await accountsOf(db, { ids })).map((account) => [account.id, account]))
  return (id: number) => found.get(id)
}

/**
 * The account as an actor, if it may act by a proof of identity that was given at token version `version`.
 *
 * @throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
function permitted(account: Account | undefined, version: number): Actor {
  if (!account || account.status === 'deleted') throw new ServiceError('user_not_found')
  if (account.version !== version) throw new ServiceError('token_invalid')
  if (account.status === 'disabled') throw new ServiceError('account_disabled')
  if (!account.activated) throw new ServiceError('account_not_activated')
  const { id, username, role, agentId, level } = account
  return { id, username, role, agentId, level }
}
