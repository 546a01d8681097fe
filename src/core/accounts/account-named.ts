import type { Account } from '../../generated/prisma/client.ts'
import type { ReadClient } from '../database/database.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { usernameKey } from '../usernames.ts'

/** Committed accounts, or those of the open transaction. */
type Named = Pick<ReadClient, 'account'>

/**
 * The account that the operator names.
 *
 * @throws user_not_found, also when it is deleted
 */
export async function accountNamed(db: Named, username: string): Promise<Account> {
  const account = await db.account.findUnique({ where: { usernameKey: usernameKey(username.trim()) } })
  if (!account || account.status === 'deleted') throw new ServiceError('user_not_found')
  return account
}

/**
 * The agent that the operator names.
 *
 * @throws user_not_found, agent_required
 */
export async function agentNamed(db: Named, username: string): Promise<Account> {
  const account = await accountNamed(db, username)
  if (account.role !== 'agent') throw new ServiceError('agent_required')
  return account
}

/**
 * The customer, who is no agent, that the operator names.
 *
 * @throws user_not_found, validation_error (is_an_agent)
 */
export async function customerNamed(db: Named, username: string): Promise<Account> {
  const account = await accountNamed(db, username)
  if (account.role === 'agent') throw InvalidInput.of('username', 'is_an_agent')
  return account
}
