import type { EarningKind } from '../../generated/prisma/client.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { greatest } from '../database/dialect.ts'
import { MAX_MICROS, type Micros } from '../money.ts'

export type { EarningKind }

interface NewEarningEntry {
  readonly agentId: number
  readonly kind: EarningKind
  /** What it is for: the database refuses the same source twice. */
  readonly source: string
  readonly earningId?: number
  readonly payoutId?: number
  /** Signed change of what is pending. */
  readonly pending?: Micros
  /** Signed change of what is available; what comes in repays what is owed first. */
  readonly spendable?: Micros
  /** Signed change of what may be paid out (rules 13.15). */
  readonly payable?: Micros
  /** Whether the agent may owe what is no longer available. */
  readonly mayOwe?: boolean
}

/**
 * Books one entry and thereby changes the earnings of an agent, in one conditional statement; nothing else does (rules 13.3). An agent
 * that owes something has nothing available.
 *
 * @returns whether it was booked; false where less than that is available or pending
 */
export async function bookEarningEntry(tx: Tx, now: Date, entry: NewEarningEntry): Promise<boolean> {
  const { agentId, kind, source, earningId = null, payoutId = null } = entry
  const { pending = 0, spendable = 0, payable = 0, mayOwe = false } = entry
  const least = mayOwe ? -MAX_MICROS : 0
  const values = { agentId, kind, source, earningId, payoutId, pending, spendable, payable, least, now }
  const rows = await insertEntry(tx, values)
  return rows.length > 0
}

interface Values {
  readonly agentId: number
  readonly kind: EarningKind
  readonly source: string
  readonly earningId: number | null
  readonly payoutId: number | null
  readonly pending: Micros
  readonly spendable: Micros
  readonly payable: Micros
  /** Lower bound of what is available less what is owed, after the entry. */
  readonly least: Micros
  readonly now: Date
}

const insertEntry = compiled<Values>()(
  (db, { agentId, kind, source, earningId, payoutId, pending, spendable, payable, least, now }) =>
    db
      .insertInto('earningEntries')
      .columns([
        ...(['agentId', 'kind', 'source', 'earningId', 'payoutId', 'pending', 'available', 'owed'] as const),
        ...(['pendingAfter', 'availableAfter', 'owedAfter', 'payable', 'createdAt'] as const),
      ])
      .expression(({ selectFrom }) =>
        selectFrom('accounts')
          .select(({ eb, ref, lit }) => {
            const after = eb(eb('earningAvailable', '-', ref('earningOwed')), '+', spendable)
            const available = greatest(after, lit(0))
            const owed = greatest(eb(lit<number>(0), '-', after), lit(0))
            return [
              'id',
              kind.as('kind'),
              source.as('source'),
              earningId.as('earningId'),
              payoutId.as('payoutId'),
              pending.as('pending'),
              eb(available, '-', ref('earningAvailable')).as('available'),
              eb(owed, '-', ref('earningOwed')).as('owed'),
              eb('earningPending', '+', pending).as('pendingAfter'),
              available.as('availableAfter'),
              owed.as('owedAfter'),
              payable.as('payable'),
              now.as('createdAt'),
            ]
          })
          .where('id', '=', agentId)
          .where(({ eb }) => eb(eb('earningPending', '+', pending), '>=', 0))
          .where(({ eb, ref, or }) =>
            or([
              eb(spendable, '>=', 0),
              eb(eb(eb('earningAvailable', '-', ref('earningOwed')), '+', spendable), '>=', least),
            ]),
          ),
      )
      .returning('id'),
)
