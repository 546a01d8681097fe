import type { Database, Readable } from '../database/database.ts'
import { toText } from '../money.ts'
import { BOOK_RULES } from '../ledger/book-rules.ts'
import { EARNING_RULES } from '../earnings/book-rules.ts'
import { PROMOTION_RULES } from '../promotions/book-rules.ts'
import type { Difference, Rule } from '../ledger/rule.ts'
import { STATIC_ORDER_RULES } from '../orders/book-rules.ts'
import { SUPPLY_RULES } from '../supply/book-rules.ts'
import { TOP_UP_RULES } from '../top-ups/book-rules.ts'
import { TRAFFIC_RULES } from '../traffic/book-rules.ts'

/** All rules of the books (rules 10.10). */
const RULES: readonly Rule[] = [
  ...BOOK_RULES,
  ...EARNING_RULES,
  ...PROMOTION_RULES,
  ...STATIC_ORDER_RULES,
  ...SUPPLY_RULES,
  ...TOP_UP_RULES,
  ...TRAFFIC_RULES,
]

/** The names of the rules that {@link audit} checks. */
export const AUDIT_RULES: readonly string[] = RULES.map(({ name }) => name)

/**
 * Checks all rules of the books, on the read-only connection; the service may be running.
 *
 * @returns every difference; empty when the books are right
 */
export async function audit({ db }: { readonly db: Pick<Database, 'read'> }): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const rule of RULES) differences.push(...(await check(db.read, rule)))
  return differences
}

async function check(db: Readable, { name, unit, broken }: Rule): Promise<Difference[]> {
  const show = unit === 'money' ? toText : String
  const rows = await db.$kysely
    .selectFrom(broken(db.$kysely).as('row'))
    .selectAll()
    .orderBy('row.subject')
    .execute()
  return rows.map(({ subject, found, expected }) => ({
    rule: name,
    subject,
    detail: `${show(Number(found))} instead of ${show(Number(expected))}`,
  }))
}
