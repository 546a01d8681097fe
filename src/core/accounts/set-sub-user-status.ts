import { z } from 'zod'
import { type Actor, directSubUser, requireAgent } from '../access/actor.ts'
import { listOf } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { SubUserIds } from './adjust-sub-users.ts'
import { readSubUser, type SubUser } from './sub-user.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** A status for several sub-users. */
const StatusChanges = z.object({ userIds: SubUserIds, status: z.enum(['active', 'disabled']) })

export const StatusChange = z.object({ status: z.enum(['active', 'disabled']) })

/**
 * An agent enables or disables a direct sub-user (rules 2.11). While it is disabled, its tokens and chat log-ins are refused; when
 * it is enabled again, those that have not expired work again. Repeating it changes nothing.
 *
 * @param userId undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, validation_error
 */
export async function setSubUserStatus(
  deps: Essentials,
  actor: Actor,
  userId: number | undefined,
  input: z.input<typeof StatusChange>,
): Promise<SubUser> {
  const { status } = parseInput(StatusChange, input)
  return deps.db.write(async (tx) => {
    await directSubUser(tx, actor, userId)
    const id = Number(userId)
    const now = deps.clock.now()
    const changed = await tx.$kysely
      .updateTable('accounts')
      .set({ status, updatedAt: now })
      .where('id', '=', id)
      .where('status', '<>', status)
      .returning('id')
      .execute()
    happened(tx, ...changesOf(changed, status), {
      kind: 'sub_users.status_set',
      actor,
      userIds: [id],
      status,
    })
    return readSubUser(tx, id)
  })
}

const CHANGE = { active: 'sub_user.enabled', disabled: 'sub_user.disabled' } as const

/** The facts that a status was set. */
function changesOf(accounts: readonly { readonly id: number }[], status: keyof typeof CHANGE) {
  return accounts.map(({ id }) => ({ kind: CHANGE[status], userId: id }))
}

/**
 * An agent enables or disables several direct sub-users (rules 2.20); of others and of deleted ones nothing changes.
 *
 * @returns how many were changed
 * @throws agent_required, validation_error
 */
export async function setSubUsersStatus(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof StatusChanges>,
): Promise<number> {
  requireAgent(actor)
  const { userIds, status } = parseInput(StatusChanges, input)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const accounts = await tx.$kysely
      .updateTable('accounts')
      .set({ status, updatedAt: now })
      .where('id', 'in', listOf(userIds))
      .where('agentId', '=', actor.id)
      .where('role', '=', 'user')
      .where('status', 'not in', [status, 'deleted'])
      .returning('id')
      .execute()
    happened(tx, ...changesOf(accounts, status), { kind: 'sub_users.status_set', actor, userIds, status })
    return accounts.length
  })
}
