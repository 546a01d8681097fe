import { z } from 'zod'
import { type Actor, directSubUser } from '../access/actor.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { storePassword } from './store-password.ts'
import { readSubUser, type SubUser } from './sub-user.ts'
import { Password, usernameKey } from '../usernames.ts'
import type { AccountDeps } from './deps.ts'

export const AccountEdit = z
  .object({
    /** Stricter than for a new user (rules 2.10). */
    username: z
      .string()
      .min(3)
      .max(50)
      .regex(/^[A-Za-z0-9_-]*$/, { error: 'letters_digits_underscore_hyphen' })
      .optional(),
    password: Password.optional(),
  })
  .refine(({ username, password }) => username !== undefined || password !== undefined, {
    error: 'username_or_password_required',
  })

/**
 * An agent changes username or password of a direct sub-user (rules 2.10). A new password ends all tokens and chat log-ins at
 * once; a new username ends none.
 *
 * @param userId undefined for what cannot be an id
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, username_taken, validation_error
 */
export async function editSubUserAccount(
  deps: AccountDeps,
  actor: Actor,
  userId: number | undefined,
  input: z.input<typeof AccountEdit>,
): Promise<SubUser> {
  const edit = parseInput(AccountEdit, input)
  const { username, password } = edit
  // Hashing is slow on purpose: check the permission first, so that it is not done for another agent's user.
  await directSubUser(deps.db.read, actor, userId)
  const id = Number(userId)
  const hash = password === undefined ? undefined : await deps.passwords.hash(password)
  try {
    return await deps.db.write(async (tx) => {
      const now = deps.clock.now()
      await directSubUser(tx, actor, id)
      if (username !== undefined)
        await tx.$kysely
          .updateTable('accounts')
          .set({ username, usernameKey: usernameKey(username), updatedAt: now })
          .where('id', '=', id)
          .execute()
      if (hash !== undefined) await storePassword(tx, now, id, hash, { own: false })
      const changed = Object.entries(edit).flatMap(([name, value]) => (value === undefined ? [] : name))
      happened(tx, { kind: 'sub_user.edited', actor, userId: id, changed })
      return readSubUser(tx, id)
    })
  } catch (error) {
    if (uniqueViolation(error, 'username_key')) throw new ServiceError('username_taken')
    throw error
  }
}
