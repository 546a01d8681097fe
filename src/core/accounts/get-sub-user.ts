import { type Actor, directSubUser } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { ServiceError } from '../errors.ts'
import { type SubUser, subUsers } from './sub-user.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * Returns one direct sub-user of an agent, also a deleted one.
 *
 * @param userId undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function getSubUser(
  { db }: Essentials,
  actor: Actor,
  userId: number | undefined,
): Promise<SubUser> {
  const [user] = userId === undefined ? [] : await findSubUserOf(db.read, { userId, agentId: actor.id })
  if (user) return user
  await directSubUser(db.read, actor, userId)
  throw new ServiceError('sub_user_not_found')
}

const findSubUserOf = compiled<{ userId: number; agentId: number }>()((db, { userId, agentId }) =>
  subUsers(db).where('a.id', '=', userId).where('a.agentId', '=', agentId),
)
