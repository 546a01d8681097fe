import type { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { listOf } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { SUB_USERS_AT_ONCE } from './adjust-sub-users.ts'
import { matching, SubUserFilter } from './list-sub-users.ts'
import { usernameKey } from '../usernames.ts'
import type { Essentials } from '../jobs/essentials.ts'

const Filter = SubUserFilter.omit({ page: true, pageSize: true })

/**
 * Returns the ids of the direct sub-users that a filter finds, newest first: one more than can be picked, if there are more.
 *
 * @throws agent_required, validation_error
 */
export async function subUserIds(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof Filter>,
): Promise<number[]> {
  requireAgent(actor)
  const found = await db.read.$kysely
    .selectFrom('accounts as a')
    .select('a.id')
    .where(matching(actor, parseInput(Filter, input)))
    .orderBy('a.id', 'desc')
    .limit(SUB_USERS_AT_ONCE + 1)
    .execute()
  return found.map(({ id }) => id)
}

/**
 * Returns the direct sub-users with these names, and the names that none of them has.
 *
 * @throws agent_required
 */
export async function subUsersNamed(
  { db }: Essentials,
  actor: Actor,
  names: readonly string[],
): Promise<{ readonly ids: number[]; readonly unknown: string[] }> {
  requireAgent(actor)
  const found = await db.read.$kysely
    .selectFrom('accounts as a')
    .select(['a.id', 'a.usernameKey'])
    .where(matching(actor, {}))
    .where('a.usernameKey', 'in', listOf(names.map(usernameKey)))
    .execute()
  const known = new Set(found.map((user) => user.usernameKey))
  return { ids: found.map(({ id }) => id), unknown: names.filter((name) => !known.has(usernameKey(name))) }
}
