import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { happened } from '../facts/happened.ts'
import { Password } from '../usernames.ts'
import type { AccountDeps } from './deps.ts'
import { NO_PASSWORD } from './passwords.ts'
import { storePassword } from './store-password.ts'

/** Returns whether the account has a password, which it must know to change it (rules 2.6). */
export async function hasPassword({ db }: AccountDeps, { id }: Actor): Promise<boolean> {
  return (await findWithout(db.read, { id })).length === 0
}

const findWithout = compiled<{ id: number }>()((db, { id }) =>
  db.selectFrom('accounts').select('id').where('id', '=', id).where('passwordHash', '=', NO_PASSWORD),
)

/**
 * An account without a password sets its first one, in a chat where it is logged in. All other log-ins end, this chat stays logged in.
 *
 * @throws invalid_state when it has a password, or is not logged in there any more; validation_error, unavailable
 */
export async function setFirstPassword(
  deps: AccountDeps,
  actor: Actor,
  chatId: number,
  password: string,
): Promise<void> {
  const hash = await deps.passwords.hash(parseInput(Password, password))
  await deps.db.write(async (tx) => {
    const without = await tx.$kysely
      .selectFrom('accounts as a')
      .innerJoin('logIns as l', 'l.accountId', 'a.id')
      .select('a.id')
      .where('a.id', '=', actor.id)
      .where('a.passwordHash', '=', NO_PASSWORD)
      .where('l.chatId', '=', chatId)
      .whereRef('l.accountVersion', '=', 'a.tokenVersion')
      .executeTakeFirst()
    if (!without) throw new ServiceError('invalid_state')
    await storePassword(tx, deps.clock.now(), actor.id, hash, { own: true, keptChatId: chatId })
    happened(tx, { kind: 'password.changed', actor })
  })
}
