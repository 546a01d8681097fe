import type { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { literal } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import type { Bytes } from '../bytes.ts'
import { bytesLeft } from '../traffic/traffic-left.ts'
import { nextTurn } from '../turns.ts'
import { matching, SubUserFilter } from './list-sub-users.ts'
import { type SubUser, subUsers } from './sub-user.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Sub-users per statement; other requests are served between the statements. */
const AT_ONCE = 500

const ExportFilter = SubUserFilter.omit({ page: true, pageSize: true })

export interface ExportedSubUser extends SubUser {
  /** Number of static proxies in use. */
  readonly activeProxies: number
  /** Bytes left in all traffic products together, without those of sub-accounts. */
  readonly trafficLeft: Bytes
}

/**
 * Returns all direct sub-users of an agent that a filter finds, newest first (rules 2.9).
 *
 * @throws agent_required, validation_error
 */
export async function exportSubUsers(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof ExportFilter> = {},
): Promise<ExportedSubUser[]> {
  requireAgent(actor)
  const wanted = matching(actor, parseInput(ExportFilter, input))
  const found: ExportedSubUser[] = []
  for (;;) {
    const before = found.at(-1)?.id ?? Number.MAX_SAFE_INTEGER
    const rows = await subUsers(db.read.$kysely)
      .select(({ selectFrom, fn, eb }) => [
        selectFrom('instances as i')
          .select(fn.countAll<number>().as('number'))
          .whereRef('i.userId', '=', 'a.id')
          .where('i.status', '=', literal('active'))
          .$asScalar()
          .$notNull()
          .as('activeProxies'),
        selectFrom('traffic as t')
          .select(fn.coalesce(fn.sum<number>(bytesLeft()), eb.val(0)).as('bytes'))
          .whereRef('t.userId', '=', 'a.id')
          .$asScalar()
          .$notNull()
          .as('trafficLeft'),
      ])
      .where(wanted)
      .where('a.id', '<', before)
      .orderBy('a.id', 'desc')
      .limit(AT_ONCE)
      .execute()
    found.push(...rows)
    if (rows.length < AT_ONCE) return found
    await nextTurn()
  }
}
