import { z } from 'zod'
import type { Actor } from '../access.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { newGatewayPassword } from './credit-traffic.ts'
import { GatewayPassword, readSubAccount, type SubAccount } from './sub-account.ts'

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
  deps: CoreDeps,
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
