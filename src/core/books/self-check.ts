import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { dayOf } from '../calendar-day.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { toText } from '../money.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { freezeSpending, unfreezeExcept } from '../ledger/frozen-accounts.ts'
import { happened } from '../facts/happened.ts'
import type { Difference } from '../ledger/rule.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Pause between the end of one check and the start of the next. */
const PAUSE_MS = 60 * 60_000
/** Rows of one statement, which blocks the event loop for some milliseconds. */
const SLICE = 5_000
const CHECKED_AT = 'books_checked_at'
/** Differences that the operator is shown. */
const EXAMPLES = 5

/** A range of row ids. */
interface Slice {
  /** First id, exclusive. */
  readonly from: number
  /** Last id, inclusive. */
  readonly to: number
}

/** Selects the balance after the account's last entry; the entry is `p`. */
function balanceAfterLast(accountId: Expression<number>) {
  return expressionBuilder<DB>()
    .selectFrom('ledgerEntries as p')
    .select('p.balanceAfter')
    .where('p.accountId', '=', accountId)
    .orderBy('p.id', 'desc')
    .limit(1)
}

/**
 * Two rules, each of which looks only at one row and its predecessor; together they say that every balance is the sum of its
 * entries. Each query selects the rows of a slice that break its rule.
 */
const RULES = [
  {
    name: 'every entry continues the balance before it',
    table: 'ledger_entries',
    last: compiled<object>()((db) =>
      db.selectFrom('ledgerEntries').select(({ fn }) => fn.max('id').as('id')),
    ),
    broken: compiled<Slice>()((db, { from, to }) =>
      db
        .selectFrom(
          db
            .selectFrom('ledgerEntries as e')
            .select(({ eb, fn, ref, lit }) => [
              'e.accountId',
              'e.transactionNo as subject',
              'e.balanceAfter as found',
              eb(
                'e.amount',
                '+',
                fn.coalesce(balanceAfterLast(ref('e.accountId')).where('p.id', '<', ref('e.id')), lit(0)),
              ).as('expected'),
            ])
            .where('e.id', '>', from)
            .where('e.id', '<=', to)
            .as('row'),
        )
        .selectAll()
        .whereRef('row.found', '<>', 'row.expected'),
    ),
  },
  {
    name: 'every balance is that after the last entry',
    table: 'accounts',
    last: compiled<object>()((db) => db.selectFrom('accounts').select(({ fn }) => fn.max('id').as('id'))),
    broken: compiled<Slice>()((db, { from, to }) =>
      db
        .selectFrom(
          db
            .selectFrom('accounts as a')
            .select(({ fn, ref, lit }) => [
              'a.id as accountId',
              'a.username as subject',
              'a.balance as found',
              fn.coalesce(balanceAfterLast(ref('a.id')), lit(0)).as('expected'),
            ])
            .where('a.id', '>', from)
            .where('a.id', '<=', to)
            .as('row'),
        )
        .selectAll()
        .whereRef('row.found', '<>', 'row.expected'),
    ),
  },
] as const

/**
 * Creates the hourly check of all balances against the ledger, which runs beside the service a slice at a time; a small part of the
 * audit. The spending of an account whose books do not balance is frozen until they do.
 *
 * @returns a function that carries out the next step and resolves to the differences that it found; to be called periodically
 */
export function selfCheck(deps: Essentials): () => Promise<Difference[]> {
  let begun: ReturnType<typeof allSlices> | undefined
  let ended = -Infinity
  return async () => {
    const now = deps.clock.now().getTime()
    // The absolute value: a clock that was set back must not stop the check.
    if (Math.abs(now - ended) < PAUSE_MS) return []
    const slices = begun ?? allSlices(deps)
    // When a query fails, this round ends; the next step begins another.
    begun = undefined
    const differences: Difference[] = []
    for (let rows = 0; rows < SLICE;) {
      const slice = await slices.next()
      if (slice.done) {
        ended = now
        return differences
      }
      rows += slice.value.rows
      differences.push(...slice.value.differences)
    }
    begun = slices
    return differences
  }
}

/** Checks all slices; at the end, accounts whose books balance again are unfrozen. */
async function* allSlices(deps: Essentials) {
  const unbalanced = new Set<number>()
  for (const { name, table, last, broken } of RULES) {
    for (let from = 0; ; from += SLICE) {
      const [newest] = await last(deps.db.read, {})
      const end = newest?.id ?? 0
      const rows = await broken(deps.db.read, { from, to: from + SLICE })
      for (const { accountId } of rows) unbalanced.add(accountId)
      const differences = rows.map(({ subject, found, expected }) => ({
        rule: name,
        subject,
        detail: `${toText(found)} instead of ${toText(expected)}`,
      }))
      if (differences.length > 0) {
        await deps.db.write(async (tx) => {
          await freezeSpending(tx, [...unbalanced])
          noteDifferences(deps, tx, table, differences)
        })
      }
      yield { rows: Math.min(SLICE, Math.max(0, end - from)), differences }
      if (from + SLICE >= end) break
    }
  }
  await deps.db.write(async (tx) => {
    await unfreezeExcept(tx, [...unbalanced])
    await writeSetting(tx, CHECKED_AT, deps.clock.now().toISOString())
  })
}

/** Announces differences to the operator, once a day for each table, with some examples. */
function noteDifferences(deps: Essentials, tx: Tx, table: string, differences: readonly Difference[]): void {
  const examples = differences
    .slice(0, EXAMPLES)
    .map(({ rule, subject, detail }) => `${rule}: ${subject}, ${detail}`)
  happened(tx, {
    kind: 'books_wrong',
    subject: `${table} ${dayOf(deps.clock.now())}`,
    data: { differences: differences.length, examples },
  })
}

/** Reads when the last check of all slices ended; undefined before the first. */
export async function booksCheckedAt(deps: Essentials): Promise<Date | undefined> {
  const time = await readSetting(deps, CHECKED_AT)
  return time === undefined ? undefined : new Date(time)
}
