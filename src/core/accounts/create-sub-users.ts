import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import type { Readable } from '../database/database.ts'
import { InvalidInput, type InputIssue } from '../errors.ts'
import { planTransfer, type TransferPlan } from '../ledger/plan-transfer.ts'
import { fromNumber, type Micros } from '../money.ts'
import { insertSubUser, NewSubUser, takenUsernames } from './create-account.ts'
import { newPassword } from './passwords.ts'
import type { SubUser } from './sub-user.ts'
import type { Tell } from '../tell.ts'
import { Password, usernameKey } from '../usernames.ts'
import type { AccountDeps } from './deps.ts'

/** Most sub-users in one request: their passwords are hashed one after another, which takes a while. */
export const MAX_SUB_USERS_AT_ONCE = 200

/** Like {@link NewSubUser}; without a password, one is generated. */
const SubUserOfMany = NewSubUser.extend({ password: Password.optional() })
export type SubUserOfMany = z.input<typeof SubUserOfMany>

const SubUsers = z.array(SubUserOfMany).min(1).max(MAX_SUB_USERS_AT_ONCE)

/** What a creation will do to the balance of the agent. */
export interface SubUsersPlan extends TransferPlan {
  /** Sum of the initial balances. */
  readonly total: Micros
}

export interface CreatedSubUser extends SubUser {
  /** The password, if it was generated; it cannot be read later. */
  readonly password: string | undefined
}

/** Number of users that are created in one turn of the event loop. */
const USERS_AT_ONCE = 10

/**
 * Returns what {@link createSubUsers} would do; nothing is changed.
 *
 * @throws as {@link createSubUsers}
 */
export async function planSubUsers(
  { db }: AccountDeps,
  actor: Actor,
  input: readonly SubUserOfMany[],
): Promise<SubUsersPlan> {
  const { users: _users, ...plan } = await checkAndPlan(db.read, actor, input)
  return plan
}

/**
 * An agent creates direct sub-users, all of them or none (rules 2.8).
 *
 * @param input at most {@link MAX_SUB_USERS_AT_ONCE}
 * @param tell hears of each password that is hashed, which takes nearly all of the time
 * @throws agent_required; validation_error with all issues, each with the index of the user (from 0) and the field,
 *   `username_taken` and `named_twice` among them; insufficient_balance for the sum of the initial balances
 */
export async function createSubUsers(
  deps: AccountDeps,
  actor: Actor,
  input: readonly SubUserOfMany[],
  tell: Tell = () => {},
): Promise<SubUsersPlan & { readonly users: readonly CreatedSubUser[] }> {
  // Hashing is slow on purpose: check first, and hash one at a time, so that log-ins are not delayed.
  await checkAndPlan(deps.db.read, actor, input)
  const passwords = input.map(({ password }) => password ?? newPassword())
  const hashes: string[] = []
  for (const password of passwords) tell(hashes.push(await deps.passwords.hash(password)), passwords.length)
  return deps.db.write(async (tx) => {
    const { users, ...plan } = await checkAndPlan(tx, actor, input)
    const rows: CreatedSubUser[] = []
    for (const [index, { balance, password: given, ...user }] of users.entries()) {
      if (index % USERS_AT_ONCE === USERS_AT_ONCE - 1) await setImmediate()
      const row = { ...user, initial: fromNumber(balance) ?? 0, passwordHash: hashes[index] ?? '' }
      const password = given === undefined ? passwords[index] : undefined
      rows.push({ ...(await insertSubUser(deps, tx, actor, row)), password })
    }
    return { ...plan, users: rows }
  })
}

/** Validates the input and plans the transfer; see {@link createSubUsers} for the errors. */
async function checkAndPlan(db: Readable, actor: Actor, input: readonly SubUserOfMany[]) {
  requireAgent(actor)
  const { data: users = [], error } = SubUsers.safeParse(input)
  const issues = [...(error?.issues ?? []), ...(await clashes(db, input))]
  if (issues.length > 0) throw new InvalidInput(issues)
  const total = users.reduce((sum, { balance }) => sum + (fromNumber(balance) ?? 0), 0)
  return { users, total, ...(await planTransfer(db, actor, total)) }
}

/** Usernames that are taken, or that occur in the list twice. */
async function clashes(db: Readable, input: readonly SubUserOfMany[]): Promise<InputIssue[]> {
  const keys = input.map(({ username }) => usernameKey(username))
  const taken = await takenUsernames(db, keys)
  const seen = new Set<string>()
  return keys.flatMap((key, index) => {
    const rule = taken.has(key) ? 'username_taken' : seen.has(key) ? 'named_twice' : undefined
    seen.add(key)
    return rule === undefined
      ? []
      : [{ code: 'custom' as const, path: [index, 'username'], message: rule, input: undefined }]
  })
}
