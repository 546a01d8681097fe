import { accountNamed, customerNamed } from '../accounts/account-named.ts'
import { Because, type CustomerChange } from '../accounts/because.ts'
import { endSecrets } from '../access/bearer-secrets.ts'
import { parseInput } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * Disables a customer, or enables it again, for the operator, as its agent could (rules 2.11, 16.2). Repeating it changes nothing.
 *
 * @returns whether it was changed
 * @throws user_not_found, validation_error
 */
export async function setCustomerStatus(
  deps: Essentials,
  { username, ...input }: CustomerChange,
  status: 'active' | 'disabled',
): Promise<boolean> {
  parseInput(Because, input)
  return deps.db.write(async (tx) => {
    const account = await customerNamed(tx, username)
    if (account.status === status) return false
    const now = deps.clock.now()
    await tx.$kysely
      .updateTable('accounts')
      .set({ status, updatedAt: now })
      .where('id', '=', account.id)
      .execute()
    happened(tx, { kind: `sub_user.${status === 'active' ? 'enabled' : 'disabled'}`, userId: account.id })
    return true
  })
}

/**
 * Ends all tokens, chat log-ins and open links of an account, for the operator (rules 16.2); its password stays.
 *
 * @returns the id of the account
 * @throws user_not_found, validation_error
 */
export function logOutEverywhere(deps: Essentials, { username, ...input }: CustomerChange): Promise<number> {
  parseInput(Because, input)
  return deps.db.write(async (tx) => {
    const { id } = await accountNamed(tx, username)
    await endSecrets(tx, deps.clock.now(), 'log_out', { accountId: id })
    return id
  })
}
