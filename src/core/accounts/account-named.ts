import type { Readable } from '../database/database.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { usernameKey } from '../usernames.ts'

/**
 * Returns the account that the operator names.
 *
 * @throws user_not_found, also when it is deleted
 */
export async function accountNamed(db: Readable, username: string) {
  const account = await db.$kysely
    .selectFrom('accounts')
    .selectAll()
    .where('usernameKey', '=', usernameKey(username.trim()))
    .executeTakeFirst()
  if (!account || account.status === 'deleted') throw new ServiceError('user_not_found')
  return account
}

/**
 * Returns the agent that the operator names.
 *
 * @throws user_not_found, agent_required
 */
export async function agentNamed(db: Readable, username: string) {
  const account = await accountNamed(db, username)
  if (account.role !== 'agent') throw new ServiceError('agent_required')
  return account
}

/**
 * Returns the customer, who is no agent, that the operator names.
 *
 * @throws user_not_found, validation_error (is_an_agent)
 */
export async function customerNamed(db: Readable, username: string) {
  const account = await accountNamed(db, username)
  if (account.role === 'agent') throw InvalidInput.of('username', 'is_an_agent')
  return account
}
