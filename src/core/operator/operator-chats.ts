import type { Language } from '../catalog/places.ts'
import { compiled } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'

/** The operator's chats with the language of each; English for a chat that the bot has not seen yet. */
export async function operatorLanguages({
  db,
  operatorChats,
}: CoreDeps): Promise<ReadonlyMap<number, Language>> {
  const known = await languagesOf(db.read, { ids: operatorChats })
  const languages = new Map(known.map(({ id, language }) => [id, language]))
  return new Map(operatorChats.map((id) => [id, languages.get(id) ?? 'en']))
}

const languagesOf = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db.selectFrom('chats').select(['id', 'language']).where('id', 'in', listOf(ids)),
)
