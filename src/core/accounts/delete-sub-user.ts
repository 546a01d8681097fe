import { type Actor, directSubUser } from '../access.ts'
import type { CoreDeps } from '../deps.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import { systemRemark } from '../ledger/system-remarks.ts'
import { fundingOf, transferToSubUser } from '../ledger/transfer.ts'
import type { Micros } from '../money.ts'
import { announce } from '../notices/announce.ts'
import { endOpenRequest } from './open-request.ts'

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
  deps: CoreDeps,
  actor: Actor,
  userId: number | undefined,
): Promise<DeletedSubUser> {
  const deleted = await deps.db.write(async (tx) => {
    const { username } = await directSubUser(tx, actor, userId)
    const id = Number(userId)
    const now = deps.clock.now()
    const rest = (await fundingOf(tx, actor.id)) === 'transfer' ? await balanceOf(tx, id) : 0
    if (rest > 0) await transferToSubUser(tx, now, actor, id, -rest, systemRemark('account_deleted'))
    await tx.$kysely
      .updateTable('accounts')
      .set({ status: 'deleted', activationHash: null, activationUntil: null, updatedAt: now })
      .where('id', '=', id)
      .execute()
    await endOpenRequest(tx, now, id)
    if (rest > 0)
      await announce(deps, tx, [
        {
          accountIds: [actor.id],
          kind: 'balance_returned',
          subject: String(id),
          data: { username, amount: rest, balance: await balanceOf(tx, actor.id) },
        },
      ])
    return { id, returnedBalance: rest }
  })
  deps.jobs.wake()
  return deleted
}
