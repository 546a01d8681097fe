import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { parseInput } from '../errors.ts'
import { withFlushed } from './flush.ts'
import { readSubAccount, SUB_ACCOUNT_STATUSES, type SubAccount, usernameOf } from './sub-account.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const SubAccountStatusInput = z.object({ status: z.enum(SUB_ACCOUNT_STATUSES) })

/**
 * Enables or disables a sub-account; it keeps its traffic (rules 6.9).
 *
 * @throws sub_account_not_found, validation_error
 */
export async function setSubAccountStatus(
  deps: Essentials,
  actor: Actor,
  id: number | undefined,
  input: z.input<typeof SubAccountStatusInput>,
): Promise<SubAccount> {
  const { status } = parseInput(SubAccountStatusInput, input)
  const store = () =>
    deps.db.write(async (tx) => {
      const { id: subAccountId } = await readSubAccount(tx, actor, id)
      await tx.$kysely
        .updateTable('subAccounts')
        .set({ status, updatedAt: deps.clock.now() })
        .where('id', '=', subAccountId)
        .where('status', '<>', status)
        .execute()
      return readSubAccount(tx, actor, subAccountId)
    })
  return status === 'disabled' ? withFlushed(deps, await usernameOf(deps.db.read, actor, id), store) : store()
}
