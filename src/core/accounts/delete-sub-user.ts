import { type Actor, directSubUser } from '../access/actor.ts'
import { endSecrets } from '../access/bearer-secrets.ts'
import type { Tx } from '../database/database.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import { fundingOf, transferToSubUser } from '../ledger/transfer.ts'
import type { Micros } from '../money.ts'
import { customerNamed } from './account-named.ts'
import { Because, type CustomerChange } from './because.ts'
import { endOpenRequest } from './open-request.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

interface DeletedSubUser {
  readonly id: number
  /** Returned to the agent; 0 under `mint` funding, where the balance did not come from it. */
  readonly returnedBalance: Micros
}

/**
 * An agent deletes a direct sub-user (rules 2.12): the record and the username stay, the rest of the balance is returned to an
 * agent with `transfer` funding. Later credits, such as the refund of an order that was being completed, are forwarded to the agent
 * too (see book-entry.ts). Its proxies work until they expire.
 *
 * @param userId undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found (also when it is deleted already), not_direct_sub_user
 */
export async function deleteSubUser(
  deps: Essentials,
  actor: Actor,
  userId: number | undefined,
): Promise<DeletedSubUser> {
  return deps.db.write(async (tx) => {
    const { username } = await directSubUser(tx, actor, userId)
    return deleteUser(deps, tx, { id: Number(userId), username, agentId: actor.id }, actor)
  })
}

/**
 * The operator deletes a customer, as its agent could (rules 2.12, 16.2). The balance of a customer without an agent stays on the
 * record.
 *
 * @throws user_not_found, validation_error
 */
export async function deleteCustomer(
  deps: Essentials,
  { username, ...input }: CustomerChange,
): Promise<DeletedSubUser> {
  parseInput(Because, input)
  return deps.db.write(async (tx) => deleteUser(deps, tx, await customerNamed(tx, username), null))
}

/** @param actor the agent that does it; null for the operator */
async function deleteUser(
  deps: Essentials,
  tx: Tx,
  {
    id,
    username,
    agentId,
  }: { readonly id: number; readonly username: string; readonly agentId: number | null },
  actor: Actor | null,
): Promise<DeletedSubUser> {
  const now = deps.clock.now()
  const returns = agentId !== null && (await fundingOf(tx, agentId)) === 'transfer'
  const rest = returns ? await balanceOf(tx, id) : 0
  if (agentId !== null && rest > 0) {
    const remark = { ...systemRemark('account_deleted'), operatorId: actor?.id ?? null }
    await transferToSubUser(tx, now, { id: agentId }, id, -rest, remark)
  }
  await tx.$kysely
    .updateTable('accounts')
    .set({ status: 'deleted', activationHash: null, activationUntil: null, updatedAt: now })
    .where('id', '=', id)
    .execute()
  await endSecrets(tx, now, 'deletion', { accountId: id })
  await endOpenRequest(tx, now, id)
  happened(tx, { kind: 'sub_user.deleted', userId: id, returned: rest, ...(actor && { actor }) })
  if (agentId !== null && rest > 0) {
    const returned = { username, amount: rest, balance: await balanceOf(tx, agentId) }
    happened(tx, { kind: 'balance.returned', agentId, subject: String(id), ...returned })
  }
  await tx.$kysely.deleteFrom('agentPrices').where('userId', '=', id).execute()
  return { id, returnedBalance: rest }
}
