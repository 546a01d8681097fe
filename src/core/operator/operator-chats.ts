import type { ChatLocale } from '../chat-locale.ts'
import { compiled } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import { chatsToldOf } from '../notices/concerns.ts'
import type { OperatorFactKind } from '../facts/operator-facts.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Lists the chats that are told of a kind, with language and time zone; English for a chat that the bot has not seen yet. */
export async function operatorChats(deps: Essentials, kind: OperatorFactKind): Promise<ChatLocale[]> {
  const chats = await chatsToldOf(deps, deps.db.read, kind)
  const known = new Map((await localesOf(deps.db.read, { ids: chats })).map((chat) => [chat.chatId, chat]))
  return chats.map((chatId) => known.get(chatId) ?? { chatId, language: 'en', timeZone: null })
}

const localesOf = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db.selectFrom('chats').select(['id as chatId', 'language', 'timeZone']).where('id', 'in', listOf(ids)),
)
