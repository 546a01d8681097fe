import { z } from 'zod'
import { InvalidInput, parseInput } from '../errors.ts'
import { agentNamed } from './account-named.ts'
import { findLeft } from './clear-deleted.ts'
import { NewAgent } from './create-account.ts'
import { ContactChanges, writeContact } from './edit-contact.ts'
import { storePassword } from './store-password.ts'
import { Password } from '../usernames.ts'
import type { AccountDeps } from './deps.ts'

/** The fields of an agent that can be changed. */
export const AgentEdit = z
  .object({
    password: Password.optional(),
    /** Price level of the agent and its sub-users from now on. */
    level: NewAgent.shape.level.unwrap().optional(),
    /** Where the money for its sub-users comes from, from now on. */
    funding: NewAgent.shape.funding.unwrap().optional(),
    /** Whether it may log in; its sub-users are not affected. */
    enabled: z.boolean().optional(),
    ...ContactChanges.shape,
  })
  .refine((edit) => Object.values(edit).some((value) => value !== undefined), {
    path: ['agent'],
    error: 'nothing_to_change',
  })

/**
 * The operator changes an agent (rules 10.2). A new password ends all its tokens and chat log-ins at once.
 *
 * @returns its id
 * @throws user_not_found, agent_required, validation_error
 */
export async function editAgent(
  deps: AccountDeps,
  username: string,
  input: z.input<typeof AgentEdit>,
): Promise<number> {
  const { password, level, funding, enabled, ...contact } = parseInput(AgentEdit, input)
  const status = enabled === undefined ? undefined : enabled ? 'active' : 'disabled'
  const hash = password === undefined ? undefined : await deps.passwords.hash(password)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const { id } = await agentNamed(tx, username)
    // The money of deleted users would belong to the agent, who did not pay for it.
    if (funding === 'transfer' && (await findLeft(tx, { agentId: id })).length > 0)
      throw InvalidInput.of('funding', 'deleted_users_have_money')
    await tx.$kysely
      .updateTable('accounts')
      .set({ level, funding, status, updatedAt: now })
      .where('id', '=', id)
      .execute()
    await writeContact(deps, tx, id, contact)
    if (hash !== undefined) await storePassword(tx, now, id, hash, { own: false })
    return id
  })
}
