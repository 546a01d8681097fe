import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { parseInput } from '../errors.ts'
import { GatewayPassword, readSubAccount, type SubAccount } from './sub-account.ts'
import { newGatewayPassword } from '../gateway-login.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const SubAccountPasswordInput = z.object({
  /** Generated when missing. */
  password: GatewayPassword.nullish(),
})

/**
 * Gives a sub-account another password at the gateway (rules 6.9).
 *
 * @throws sub_account_not_found, validation_error
 */
export async function setSubAccountPassword(
  deps: Essentials,
  actor: Actor,
  id: number | undefined,
  input: z.input<typeof SubAccountPasswordInput> = {},
): Promise<SubAccount> {
  const password = parseInput(SubAccountPasswordInput, input).password ?? newGatewayPassword()
  return deps.db.write(async (tx) => {
    const { id: subAccountId } = await readSubAccount(tx, actor, id)
    await tx.$kysely
      .updateTable('subAccounts')
      .set({ password, updatedAt: deps.clock.now() })
      .where('id', '=', subAccountId)
      .execute()
    return readSubAccount(tx, actor, subAccountId)
  })
}
