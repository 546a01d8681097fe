import { Prisma } from '../../generated/prisma/client.ts'
import { dayOf } from '../calendar-day.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { type Micros, toText } from '../money.ts'
import { announceToOperators } from '../notices/announce.ts'
import { readSetting, writeSetting } from '../settings.ts'
import type { Difference } from './audit.ts'
import { freezeSpending, unfreezeExcept } from './frozen-accounts.ts'

/** From the end of one check to the next. */
const PAUSE_MS = 60 * 60_000
/** Rows of one statement, which keeps everybody else waiting for some milliseconds. */
const SLICE = 5_000
const CHECKED_AT = 'books_checked_at'
/** Of many differences, those that the operator is shown. */
const EXAMPLES = 5

/**
 * The balance rebuilt from the ledger, in rules that look at one row and its predecessor: together they say that every balance
 * is the sum of its entries. Each query selects what breaks its rule, among the rows of an id in a range.
 */
const RULES = [
  {
    name: 'every entry continues the balance before it',
    table: 'ledger_entries',
    broken: `SELECT id, account_id, transaction_no AS subject, balance_after AS found, amount + coalesce((
               SELECT balance_after FROM ledger_entries p WHERE p.account_id = e.account_id AND p.id < e.id ORDER BY p.id DESC LIMIT 1), 0) AS expected
             FROM ledger_entries e`,
  },
  {
    name: 'every balance is that after the last entry',
    table: 'accounts',
    broken: `SELECT id, id AS account_id, username AS subject, balance AS found, coalesce((
               SELECT balance_after FROM ledger_entries e WHERE e.account_id = a.id ORDER BY e.id DESC LIMIT 1), 0) AS expected
             FROM accounts a`,
  },
] as const

interface Broken {
  readonly accountId: number
  readonly subject: string
  readonly found: Micros
  readonly expected: Micros
}

/**
 * Makes the check of all balances against the ledger that runs beside the service, every hour and a slice at a time: the audit
 * in small. An account whose books do not balance spends nothing until they do.
 *
 * @returns the next step, to be called again and again; it answers the differences that it found
 */
export function selfCheck(deps: CoreDeps): () => Promise<Difference[]> {
  let begun: ReturnType<typeof allSlices> | undefined
  let ended = -Infinity
  return async () => {
    const now = deps.clock.now().getTime()
    // A clock that was set back must not silence it.
    if (Math.abs(now - ended) < PAUSE_MS) return []
    const slices = begun ?? allSlices(deps)
    // What the database cannot answer ends this round; the next step begins another.
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

/** All books, a slice after the other; in the end those that balance again are trusted again. */
async function* allSlices(deps: CoreDeps) {
  const doubted = new Set<number>()
  for (const { name, table, broken } of RULES) {
    for (let from = 0; ; from += SLICE) {
      const [last] = await selectJson<number>(
        deps.db.read,
        Prisma.sql`SELECT CAST(coalesce(max(id), 0) AS TEXT) AS json FROM ${Prisma.raw(table)}`,
      )
      const rows = await selectJson<Broken>(
        deps.db.read,
        Prisma.sql`SELECT json_object('accountId', account_id, 'subject', subject, 'found', found, 'expected', expected) AS json
                   FROM (${Prisma.raw(broken)}) WHERE id > ${from} AND id <= ${from + SLICE} AND found <> expected`,
      )
      for (const { accountId } of rows) doubted.add(accountId)
      const differences = rows.map(({ subject, found, expected }) => ({
        rule: name,
        subject,
        detail: `${toText(found)} instead of ${toText(expected)}`,
      }))
      if (differences.length > 0) {
        await deps.db.write(async (tx) => {
          await freezeSpending(tx, [...doubted])
          await tellOperator(deps, tx, table, differences)
        })
        deps.jobs.wake()
      }
      yield { rows: Math.min(SLICE, Math.max(0, (last ?? 0) - from)), differences }
      if (from + SLICE >= (last ?? 0)) break
    }
  }
  await deps.db.write(async (tx) => {
    await unfreezeExcept(tx, [...doubted])
    await writeSetting(tx, CHECKED_AT, deps.clock.now().toISOString())
  })
}

/** Once a day for each kind of books, with some examples. */
async function tellOperator(
  deps: CoreDeps,
  tx: Tx,
  table: string,
  differences: readonly Difference[],
): Promise<void> {
  const examples = differences
    .slice(0, EXAMPLES)
    .map(({ rule, subject, detail }) => `${rule}: ${subject}, ${detail}`)
  await announceToOperators(deps, tx, {
    kind: 'books_wrong',
    subject: `${table} ${dayOf(deps.clock.now())}`,
    data: { differences: differences.length, examples },
  })
}

/** When all books were checked last. */
export async function booksCheckedAt(deps: CoreDeps): Promise<Date | undefined> {
  const time = await readSetting(deps, CHECKED_AT)
  return time === undefined ? undefined : new Date(time)
}
