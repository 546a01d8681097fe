import type { Actor } from '../access/actor.ts'
import type { Readable } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { actorOf } from './authenticate.ts'
import { logChatIn } from './chat-log-ins.ts'
import type { AccountDeps } from './deps.ts'
import { agentOfBotIn, isShopBotChat, telegramUserOf } from '../access/chat-keys.ts'
import { NO_PASSWORD } from './passwords.ts'

/** Most accounts that are offered: a Telegram user registers few. */
const MOST_OFFERED = 5

/**
 * Returns the accounts to which the Telegram user of a private chat logs in without a password, newest first: those that were registered
 * there and have none (rules 2.21).
 */
export async function registeredIn({ db }: AccountDeps, chatId: number) {
  return (await ownOf(db.read, chatId)).orderBy('a.id', 'desc').limit(MOST_OFFERED).execute()
}

/**
 * Logs an account of {@link registeredIn} in at that chat.
 *
 * @throws user_not_found when it is none of them (any more)
 */
export async function logInRegistered(deps: AccountDeps, chatId: number, accountId: number): Promise<Actor> {
  const origin = `chat ${chatId}`
  const actor = await deps.db.write(async (tx) => {
    const own = await (await ownOf(tx, chatId)).where('a.id', '=', accountId).executeTakeFirst()
    if (!own) throw new ServiceError('user_not_found')
    return actorOf(tx, own.id, await logChatIn(deps, tx, chatId, own.id))
  })
  deps.securityLog({ event: 'login_ok', account: actor.id, from: origin })
  return { ...actor, origin }
}

async function ownOf(db: Readable, chatId: number) {
  const person = await telegramUserOf(db, chatId)
  return db.$kysely
    .selectFrom('joined as j')
    .innerJoin('accounts as a', 'a.id', 'j.accountId')
    .select(['a.id', 'a.username'])
    .where('j.chatId', '=', person)
    .$if(!isShopBotChat(chatId), (own) => own.where('a.agentId', '=', agentOfBotIn(chatId)))
    .where('a.passwordHash', '=', NO_PASSWORD)
    .where('a.status', '=', 'active')
    .where('a.activated', '=', true)
}
