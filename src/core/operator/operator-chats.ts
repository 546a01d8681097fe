import type { Language } from '../catalog/places.ts'
import type { CoreDeps } from '../deps.ts'

/** The operator's chats with the language of each; one that the bot has not seen yet is told things in English. */
export async function operatorLanguages({
  db,
  operatorChats,
}: CoreDeps): Promise<ReadonlyMap<number, Language>> {
  const known = await db.read.chat.findMany({
    where: { id: { in: [...operatorChats] } },
    select: { id: true, language: true },
  })
  const languages = new Map(known.map(({ id, language }) => [Number(id), language]))
  return new Map(operatorChats.map((id) => [id, languages.get(id) ?? 'en']))
}
