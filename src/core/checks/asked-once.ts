import { compiled } from '../database/compiled.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Least time in ms between two checks of a proxy that people ask for, on whichever server (rules 5.20). */
const AGAIN_MS = 60_000

/**
 * Begins a check that somebody asks for, unless one began within a minute.
 *
 * @param id of the proxy
 * @returns milliseconds after which a check may begin; 0: this one has begun
 */
export function beginAskedCheck({ db, clock }: Essentials, id: number): Promise<number> {
  return db.write(async (tx) => {
    const now = clock.now()
    const proxy = await tx.$kysely
      .selectFrom('instances')
      .select('askedCheckAt')
      .where('id', '=', id)
      .executeTakeFirst()
    const ageMs = now.getTime() - Date.parse(proxy?.askedCheckAt ?? '')
    // A clock that was set back keeps nobody waiting.
    if (ageMs >= 0 && ageMs < AGAIN_MS) return AGAIN_MS - ageMs
    await setAsked(tx, { id, now })
    return 0
  })
}

/** Notes that a check begins for which somebody waits. */
export async function noteAskedCheck({ db, clock }: Essentials, id: number): Promise<void> {
  await db.write((tx) => setAsked(tx, { id, now: clock.now() }))
}

const setAsked = compiled<{ id: number; now: Date }>()((db, { id, now }) =>
  db.updateTable('instances').set({ askedCheckAt: now }).where('id', '=', id),
)
