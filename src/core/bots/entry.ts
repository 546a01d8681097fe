import { randomBytes } from 'node:crypto'
import type { Actor } from '../access/actor.ts'
import { actorOf } from '../accounts/authenticate.ts'
import { logChatIn } from '../accounts/chat-log-ins.ts'
import { draftIn, storeDraft } from '../chats/draft.ts'
import { hashOf } from '../token-hash.ts'
import type { BotDeps, Brand } from './agent-bot.ts'

/** How long in ms a customer can enter the bot of its agent by a link. */
const ENTRY_MS = 15 * 60_000
const CODE_BYTES = 16
/** Prefix that tells the code from other parameters of a deep link. */
const MARK = 'in_'

/** Returns the code in the parameter of `/start`; undefined for anything else. */
export function entryIn(parameter: string): string | undefined {
  return parameter.startsWith(MARK) ? parameter.slice(MARK.length) : undefined
}

/**
 * Makes the parameter of `/start` with which the account that acts in a chat with the shop's bot enters that of its agent: once, within a
 * quarter of an hour, and only as the same Telegram user (rules 20.5).
 */
export async function makeEntry({ db, clock }: BotDeps, chatId: number, { id }: Actor): Promise<string> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const now = clock.now()
  const entry = { hash: hashOf(code), account: id, until: now.getTime() + ENTRY_MS }
  await db.write(async (tx) => {
    const draft = JSON.stringify({ ...(await draftIn(tx, chatId)), entry })
    await storeDraft(tx, { chatId, draft, now })
  })
  return MARK + code
}

/**
 * Logs the customer in who has opened such a link in the bot of its agent.
 *
 * @returns undefined for a link that is used up, expired or somebody else's
 */
export function enterBot(
  deps: BotDeps,
  chatId: number,
  { brand, telegramId, code }: { readonly brand: Brand; readonly telegramId: number; readonly code: string },
): Promise<Actor | undefined> {
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const { entry, ...draft } = await draftIn(tx, telegramId)
    const { hash, account = 0, until = 0 } = (entry ?? {}) as Partial<Record<string, never>>
    if (hash !== hashOf(code) || until < now.getTime()) return undefined
    await storeDraft(tx, { chatId: telegramId, draft: JSON.stringify(draft), now })
    const logIn = await tx.$kysely
      .selectFrom('logIns as l')
      .innerJoin('accounts as a', 'a.id', 'l.accountId')
      .select('l.accountVersion as version')
      .where('l.chatId', '=', telegramId)
      .where('l.accountId', '=', account)
      .where('a.agentId', '=', brand.agentId)
      .whereRef('l.accountVersion', '=', 'a.tokenVersion')
      .executeTakeFirst()
    if (!logIn) return undefined
    const actor = await actorOf(tx, account, logIn.version)
    await logChatIn(deps, tx, chatId, account)
    return { ...actor, origin: `chat ${chatId}` }
  })
}
