import { z } from 'zod'
import { agentNamed } from '../accounts/account-named.ts'
import { requestActivationMail } from '../accounts/activation.ts'
import {
  bookInitialBalance,
  type CreatedAccount,
  insertAccount,
  NewAgent,
  NewSubUser,
} from '../accounts/create-account.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { fromNumber } from '../money.ts'
import { happened } from '../facts/happened.ts'
import type { AccountDeps } from '../accounts/deps.ts'

export const NewCustomer = NewSubUser.extend({
  /** Without a password nobody can log in before the customer has opened its link. */
  password: NewAgent.shape.password,
  /** Username of the customer's agent; without one it is a customer of the shop. */
  agent: z.string().trim().min(1).nullish(),
})

/**
 * Creates a customer, of an agent or of the shop, for the operator; the initial balance comes from the shop (rules 16.2).
 *
 * @throws username_taken, user_not_found and agent_required (of the agent), account_disabled (of the agent), validation_error
 */
export async function createCustomer(
  deps: AccountDeps,
  input: z.input<typeof NewCustomer>,
): Promise<CreatedAccount> {
  const { balance, agent, password, ...user } = parseInput(NewCustomer, input)
  const initial = fromNumber(balance) ?? 0
  const passwordHash = await deps.passwords.hash(password)
  const activated = !deps.mailer || user.email === ''
  const created = await deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const owner = agent ? await agentNamed(tx, agent) : undefined
    if (owner?.status === 'disabled') throw new ServiceError('account_disabled')
    const row = { ...user, passwordHash, activated, role: 'user', agentId: owner?.id ?? null } as const
    const id = await insertAccount(tx, now, row)
    await bookInitialBalance(tx, now, id, initial)
    if (!activated) await requestActivationMail(deps, tx, id)
    happened(tx, { kind: 'sub_user.created', userId: id, balance: initial })
    return { id, username: user.username }
  })
  return created
}
