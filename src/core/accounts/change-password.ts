import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { actorOf } from './authenticate.ts'
import { proveIdentity } from './log-in.ts'
import { storePassword } from './store-password.ts'
import { Password } from '../usernames.ts'
import type { AccountDeps } from './deps.ts'

export const PasswordChange = z.object({ oldPassword: z.string(), newPassword: Password })

/**
 * Checks the password of the actor again, as somebody else may hold the phone. Throttled like a log-in.
 *
 * @returns the token version of the account
 * @throws invalid_credentials, too_many_attempts, unavailable
 */
export async function provePassword(deps: AccountDeps, actor: Actor, password: string): Promise<number> {
  const { username, origin: from } = actor
  try {
    const { id, tokenVersion } = await proveIdentity(deps, { username, password, address: from ?? '' })
    // The actor was renamed meanwhile, and somebody else has the name now.
    if (id !== actor.id) throw new ServiceError('invalid_credentials')
    return tokenVersion
  } catch (error) {
    if (error instanceof ServiceError)
      deps.securityLog({ event: 'password_refused', account: actor.id, from, error: error.code })
    throw error
  }
}

/**
 * An account changes its own password: all its tokens and chat log-ins end, except in the chat where it does so.
 *
 * @param chatId the chat that stays logged in; undefined outside of chats
 * @returns the new token version
 * @throws invalid_credentials (the old password is wrong), too_many_attempts, unavailable, validation_error, token_invalid (somebody else
 *   has changed it meanwhile)
 */
export async function changePassword(
  deps: AccountDeps,
  actor: Actor,
  chatId: number | undefined,
  input: z.input<typeof PasswordChange>,
): Promise<number> {
  const { oldPassword, newPassword } = parseInput(PasswordChange, input)
  const version = await provePassword(deps, actor, oldPassword)
  const hash = await deps.passwords.hash(newPassword)
  return deps.db.write(async (tx) => {
    await actorOf(tx, actor.id, version)
    happened(tx, { kind: 'password.changed', actor })
    return storePassword(tx, deps.clock.now(), actor.id, hash, { own: true, keptChatId: chatId })
  })
}
