import { FALLBACK_LANGUAGE } from '../languages.ts'
import type { ChatLocale } from '../chat-locale.ts'
import { compiled } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import { readLanguage } from '../database/read-language.ts'
import { chatsToldOf } from '../notices/concerns.ts'
import type { OperatorFactKind } from '../facts/operator-facts.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Lists the chats that are told of a kind, with language and time zone; the fallback for a chat that the bot has not seen yet. */
export async function operatorChats(deps: Essentials, kind: OperatorFactKind): Promise<ChatLocale[]> {
  const chats = await chatsToldOf(deps, deps.db.read, kind)
  const known = new Map((await localesOf(deps.db.read, { ids: chats })).map((chat) => [chat.chatId, chat]))
  return chats.map((chatId) => known.get(chatId) ?? { chatId, language: FALLBACK_LANGUAGE, timeZone: null })
}

const localesOf = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('chats')
    .select(['id as chatId', 'timeZone'])
    .select(({ ref }) => readLanguage(ref('language')).as('language'))
    .where('id', 'in', listOf(ids)),
)
