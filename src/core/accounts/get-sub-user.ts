import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, directSubUser } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import { type SubUser, subUserJson } from './sub-user.ts'

/**
 * One direct sub-user of an agent, a deleted one included.
 *
 * @param userId undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function getSubUser(
  { db }: CoreDeps,
  actor: Actor,
  userId: number | undefined,
): Promise<SubUser> {
  const [user] = await selectJson<SubUser>(
    db.read,
    Prisma.sql`SELECT ${subUserJson} AS json FROM accounts a
               WHERE a.id = ${userId ?? null} AND a.agent_id = ${actor.id} AND a.role = 'user'`,
  )
  if (user) return user
  await directSubUser(db.read, actor, userId)
  throw new ServiceError('sub_user_not_found')
}
