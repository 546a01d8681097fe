import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { Role } from '../../generated/prisma/enums.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import type { ValueOf } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'

export const ROLES = Object.values(Role)

/** The authenticated account that makes a request. The operator is not an account and has functions of its own. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly role: Role
  /** The account's agent; null for an agent and for a user without one. */
  readonly agentId: number | null
  /** Price level: of the agent itself, or of the user's agent; null without either. */
  readonly level: number | null
  /** The API key with which it acts. */
  readonly keyId?: number
  /** Where the request comes from, for the security log: a network address or a chat. */
  readonly origin?: string
}

/** The part of an actor that decides which records it may see. */
interface Viewer {
  readonly role: Role
  readonly id: ValueOf<number>
}

/**
 * Condition: the actor may see records of this user: its own and, for an agent, those of its direct sub-users (rules 1.5: any
 * other record answers as if it did not exist).
 */
export function maySee({ role, id }: Viewer, userId: Expression<number>): Expression<SqlBool> {
  const eb = expressionBuilder<DB>()
  if (role !== 'agent') return eb(userId, '=', id)
  const ownAndSubUsers = eb
    .selectFrom('accounts')
    .select('id')
    .where((account) => account.or([account('id', '=', id), account('agentId', '=', id)]))
  return eb(userId, 'in', ownAndSubUsers)
}

/**
 * Only agents have sub-users.
 *
 * @throws agent_required
 */
export function requireAgent(actor: Actor): void {
  if (actor.role !== 'agent') throw new ServiceError('agent_required')
}

/**
 * Returns the account for which the actor orders: itself, or for an agent a direct sub-user (rules 4.1). Its agent is read anew, as the
 * operator may have moved the account since the actor was authenticated (rules 16.3).
 *
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, account_disabled
 */
export async function targetUser(db: Readable, actor: Actor, userId: number): Promise<Actor> {
  if (userId === actor.id) return actor.role === 'agent' ? actor : withAgent(db, actor)
  const user = await directSubUser(db, actor, userId)
  if (user.status === 'disabled') throw new ServiceError('account_disabled')
  return { id: userId, username: user.username, role: 'user', agentId: actor.id, level: actor.level }
}

async function withAgent(db: Readable, actor: Actor): Promise<Actor> {
  const [agent] = await findAgent(db, { userId: actor.id })
  return { ...actor, agentId: agent?.id ?? null, level: agent?.level ?? null }
}

const findAgent = compiled<{ userId: number }>()((db, { userId }) =>
  db
    .selectFrom('accounts as u')
    .innerJoin('accounts as a', 'a.id', 'u.agentId')
    .select(['a.id', 'a.level'])
    .where('u.id', '=', userId),
)

/**
 * Returns the direct sub-user with this id; every action of an agent on a sub-user checks it here (rules 1.5).
 *
 * @param userId undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found (also when it is deleted), not_direct_sub_user
 */
export async function directSubUser(
  db: Readable,
  actor: Actor,
  userId: number | undefined,
): Promise<{ username: string; status: 'active' | 'disabled' }> {
  requireAgent(actor)
  if (userId === undefined) throw new ServiceError('sub_user_not_found')
  const [user] = await findUser(db, { userId })
  if (!user) throw new ServiceError('sub_user_not_found')
  if (user.agentId !== actor.id || user.role !== 'user') throw new ServiceError('not_direct_sub_user')
  const { username, status } = user
  if (status === 'deleted') throw new ServiceError('sub_user_not_found')
  return { username, status }
}

const findUser = compiled<{ userId: number }>()((db, { userId }) =>
  db.selectFrom('accounts').select(['username', 'agentId', 'role', 'status']).where('id', '=', userId),
)
