import type { Actor } from '../access/actor.ts'
import { withFlushed } from './flush.ts'
import type { Bytes } from '../bytes.ts'
import { moveTraffic } from './move-traffic.ts'
import { readSubAccount, usernameOf } from './sub-account.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * Deletes a sub-account; its unused traffic returns to the main account (rules 6.9), after the gateway has reported what was used
 * (rules 12.4). The row stays with the status `deleted`, so that sums of used traffic remain right and the name is not given out again.
 *
 * @throws sub_account_not_found, also when it is deleted already
 */
export async function deleteSubAccount(
  deps: Essentials,
  actor: Actor,
  id: number | undefined,
): Promise<{ readonly id: number; readonly returned: Bytes }> {
  const username = await usernameOf(deps.db.read, actor, id)
  return withFlushed(deps, username, () =>
    deps.db.write(async (tx) => {
      const now = deps.clock.now()
      const { id: subAccountId, limitBytes, usedBytes } = await readSubAccount(tx, actor, id)
      const returned = limitBytes - usedBytes
      if (returned > 0)
        await moveTraffic(tx, now, actor, { subAccountId, bytes: -returned, remark: 'deleted' })
      await tx.$kysely
        .updateTable('subAccounts')
        .set({ status: 'deleted', updatedAt: now })
        .where('id', '=', subAccountId)
        .whereRef('limitBytes', '=', 'usedBytes')
        .execute()
      return { id: subAccountId, returned }
    }),
  )
}
