import type { AccountStatus } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import { batched } from '../batched.ts'
import { compiled } from '../database/compiled.ts'
import type { Database, Readable } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import { API_KEY_PREFIX } from '../api-keys/api-key.ts'
import { apiKeyCheck, type ApiKeyUse } from '../api-keys/use-api-key.ts'
import type { Clock } from '../clock.ts'
import type { Tokens } from './tokens.ts'

interface AuthenticationDeps {
  readonly db: Database
  readonly tokens: Tokens
  readonly clock: Clock
}

/**
 * Makes the check of access tokens and API keys: it reads the account as it is now. A token becomes invalid at once when its user is
 * disabled, deleted or gets a new password, or has logged out with it (rules 2.3, 1.18); a key also works with a new password (rules 1.17).
 * Checks that come at the same time share a statement.
 *
 * @returns the check; it throws token_invalid (also for a key where keys are not accepted), address_not_allowed, scope_missing,
 *   user_not_found, account_disabled, account_not_activated
 */
export function authentication(deps: AuthenticationDeps) {
  const { db, tokens } = deps
  const find = batched((ids: readonly number[]) => findAccounts(db.read, ids))
  const accountOfKey = apiKeyCheck(deps)
  return async (proof: string, use?: ApiKeyUse): Promise<Actor> => {
    if (use && proof.startsWith(API_KEY_PREFIX)) {
      const { accountId, keyId } = await accountOfKey(proof, use)
      return { ...permitted(await find(accountId)), keyId }
    }
    const claims = tokens.read(proof)
    if (!claims) throw new ServiceError('token_invalid')
    const account = await find(claims.accountId)
    if (account?.hasEndedTokens && (await isEnded(db.read, claims.hash)))
      throw new ServiceError('token_invalid')
    return permitted(account, claims.version)
  }
}

async function isEnded(db: Readable, tokenHash: string): Promise<boolean> {
  return (await endedToken(db, { tokenHash })).length > 0
}

const endedToken = compiled<{ tokenHash: string }>()((db, { tokenHash }) =>
  db.selectFrom('endedTokens').select('tokenHash').where('tokenHash', '=', tokenHash),
)

/**
 * Returns the account behind a proof of identity that was given at token version `version`.
 *
 * @throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
export async function actorOf(db: Readable, accountId: number, version: number): Promise<Actor> {
  const accountOf = await findAccounts(db, [accountId])
  return permitted(accountOf(accountId), version)
}

/**
 * Returns the account as an actor, whatever its token version.
 *
 * @throws user_not_found, account_disabled, account_not_activated
 */
export async function accountAsItIs(db: Readable, accountId: number): Promise<Actor> {
  const accountOf = await findAccounts(db, [accountId])
  return permitted(accountOf(accountId))
}

/** The fields that decide whether an account may act. */
interface Account extends Actor {
  readonly status: AccountStatus
  readonly activated: boolean
  readonly version: number
  /** Whether tokens were ended before their time; few accounts have any, so most requests need no second query. */
  readonly hasEndedTokens: number | boolean
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
    .select(({ fn, exists, selectFrom }) => [
      fn.coalesce('a.level', 'g.level').as('level'),
      exists(selectFrom('endedTokens as e').select('e.tokenHash').whereRef('e.accountId', '=', 'a.id')).as(
        'hasEndedTokens',
      ),
    ])
    .where('a.id', 'in', listOf(ids)),
)

async function findAccounts(db: Readable, ids: readonly number[]) {
  const found = new Map((await accountsOf(db, { ids })).map((account) => [account.id, account]))
  return (id: number) => found.get(id)
}

/**
 * Returns the account as an actor, if it may act by a proof of identity that was given at token version `version`; without it, by one that
 * holds for every version.
 *
 * @throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
function permitted(account: Account | undefined, version = account?.version): Actor {
  if (!account || account.status === 'deleted') throw new ServiceError('user_not_found')
  if (account.version !== version) throw new ServiceError('token_invalid')
  if (account.status === 'disabled') throw new ServiceError('account_disabled')
  if (!account.activated) throw new ServiceError('account_not_activated')
  const { id, username, role, agentId, level } = account
  return { id, username, role, agentId, level }
}
