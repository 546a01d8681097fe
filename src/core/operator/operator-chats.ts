import type { Language } from '../catalog/places.ts'
import { compiled } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { chatsToldOf } from '../notices/concerns.ts'
import type { OperatorNoticeKind } from '../notices/kinds.ts'

/** The chats that are told of a kind, with the language of each; English for a chat that the bot has not seen yet. */
export async function operatorLanguages(
  deps: CoreDeps,
  kind: OperatorNoticeKind,
): Promise<ReadonlyMap<number, Language>> {
  const chats = await chatsToldOf(deps, deps.db.read, kind)
  const known = await languagesOf(deps.db.read, { ids: chats })
  const languages = new Map(known.map(({ id, language }) => [id, language]))
  return new Map(chats.map((id) => [id, languages.get(id) ?? 'en']))
}

const languagesOf = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db.selectFrom('chats').select(['id', 'language']).where('id', 'in', listOf(ids)),
)
