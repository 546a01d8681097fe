import type { Readable } from '../database/database.ts'
import { contains, listOf, valuesAsJson } from '../database/dialect.ts'
import { compiledByShape } from '../database/compiled.ts'
import type { Role } from '../../generated/prisma/client.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { parseSearch, type PastedProxy, proxiesPasted, SEARCH_LIMITS } from './search-static-orders.ts'
import { isOf } from './static-order.ts'

/** Users whose proxies are searched: all that the actor may see, or one of them. */
interface Searched {
  readonly role: Role
  readonly actorId: number
  readonly userId: number | undefined
}

/** Proxies per statement; other requests are served between the statements. */
const CHUNK = 5_000

/**
 * Finds the ids of the proxies that a text names (rules 17.3): pasted lines of proxies, in any of their formats, or their addresses,
 * also one that a proxy had before it was replaced; else proxies whose address, username or note contains a single line.
 */
export async function proxiesLike(db: Readable, searched: Searched, text: string): Promise<number[]> {
  const { role, actorId, userId } = searched
  const { proxies = [], part } = parseSearch(text) ?? {}
  if (proxies.length > 0) {
    const found = await pastedAmong(db, { role }, { actorId, userId, proxies })
    return found.map(({ id }) => id)
  }
  if (part === undefined || part.length > SEARCH_LIMITS.fuzzyCharacters) return []
  const [all] = await idsOf(db, { role }, { actorId, userId })
  const found: number[] = []
  for (const [index, chunk] of inPieces(all?.ids ?? [], CHUNK).entries()) {
    if (index > 0) await nextTurn()
    const some = await db.$kysely
      .selectFrom('instances as i')
      .select('i.id')
      .where('i.id', 'in', listOf(chunk))
      .where(({ or, ref }) =>
        or((['i.ip', 'i.username', 'i.note'] as const).map((field) => contains(ref(field), part))),
      )
      .execute()
    found.push(...some.map(({ id }) => id))
  }
  return found
}

const pastedAmong = compiledByShape<
  { role: Role },
  { actorId: number; userId: number | undefined; proxies: readonly PastedProxy[] }
>()((db, { role }, { actorId, userId, proxies }) =>
  db
    .selectFrom('instances as i')
    .select('i.id')
    .where('i.id', 'in', proxiesPasted(proxies))
    .where(({ ref }) => isOf({ role, actorId, userId }, ref('i.userId'))),
)

const idsOf = compiledByShape<{ role: Role }, { actorId: number; userId: number | undefined }>()(
  (db, { role }, { actorId, userId }) =>
    db.selectNoFrom(({ selectFrom }) =>
      valuesAsJson(
        selectFrom('instances as i')
          .select('i.id')
          .where(({ ref }) => isOf({ role, actorId, userId }, ref('i.userId'))),
      ).as('ids'),
    ),
)
