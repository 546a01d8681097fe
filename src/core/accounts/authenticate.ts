import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { type Readable, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'

/**
 * Who a token speaks for, as the account stands now: a token dies at once when its user is disabled, deleted or gets a new
 * password (contract 2).
 *
 * @throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
export async function authenticate(deps: CoreDeps, token: string): Promise<Actor> {
  const claims = deps.tokens.read(token)
  if (!claims) throw new ServiceError('token_invalid')
  return actorOf(deps.db.read, claims.accountId, claims.version)
}

/**
 * The account behind a proof of identity that was given at token version `version`.
 *
 * @throws token_invalid, user_not_found, account_disabled, account_not_activated
 */
export async function actorOf(db: Readable, accountId: number, version: number): Promise<Actor> {
  const [account] = await selectJson<Actor & { status: string; activated: number; version: number }>(
    db,
    Prisma.sql`SELECT json_object('id', a.id, 'username', a.username, 'role', a.role, 'agentId', a.agent_id, 'status', a.status,
                                  'activated', a.activated, 'version', a.token_version, 'level', coalesce(a.level, g.level)) AS json
               FROM accounts a LEFT JOIN accounts g ON g.id = a.agent_id WHERE a.id = ${accountId}`,
  )
  if (!account || account.status === 'deleted') throw new ServiceError('user_not_found')
  if (account.version !== version) throw new ServiceError('token_invalid')
  if (account.status === 'disabled') throw new ServiceError('account_disabled')
  if (!account.activated) throw new ServiceError('account_not_activated')
  const { id, username, role, agentId, level } = account
  return { id, username, role, agentId, level }
}
