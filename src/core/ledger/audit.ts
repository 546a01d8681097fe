import { Prisma } from '../../generated/prisma/client.ts'
import { type Database, type Readable, selectJson } from '../database/database.ts'
import { toText } from '../money.ts'

/** One statement about the books that does not hold. */
export interface Difference {
  readonly rule: string
  readonly subject: string
  readonly detail: string
}

interface Rule {
  readonly name: string
  /** Rows that break the rule: `subject` and two numbers that should be equal. Money unless `count`. */
  readonly sql: string
  readonly unit: 'money' | 'count'
}

/**
 * The books, rule by rule (contract 2, 4 and 10). Each query selects what breaks its rule, so that an empty answer is
 * the proof.
 */
const RULES: readonly Rule[] = [
  {
    name: 'every balance is the sum of its entries',
    unit: 'money',
    sql: `SELECT a.username AS subject, a.balance AS found, coalesce(sum(e.amount), 0) AS expected
          FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id GROUP BY a.id HAVING found <> expected`,
  },
  {
    name: 'every entry continues the balance before it',
    unit: 'money',
    sql: `SELECT transaction_no AS subject, balance_after AS found, before + amount AS expected FROM (
            SELECT transaction_no, amount, balance_after,
                   coalesce(lag(balance_after) OVER (PARTITION BY account_id ORDER BY id), 0) AS before FROM ledger_entries)
          WHERE found <> expected`,
  },
  {
    name: 'transfers between agents and sub-users cancel out',
    unit: 'money',
    sql: `SELECT pair AS subject, total AS found, 0 AS expected FROM (
            SELECT substr(source, 1, 35) AS pair, sum(amount) AS total -- 'transfer:' and the number of the transfer
            FROM ledger_entries WHERE type IN ('transfer_in', 'transfer_out') GROUP BY pair)
          WHERE total <> 0`,
  },
  {
    name: 'every static order is charged once with its total',
    unit: 'money',
    sql: `SELECT o.order_no AS subject, coalesce(-sum(e.amount), 0) AS found, o.total_amount AS expected
          FROM static_orders o LEFT JOIN ledger_entries e
            ON e.order_no = o.order_no AND e.account_id = o.user_id AND e.type = 'consumption'
          GROUP BY o.id HAVING found <> expected OR count(e.id) <> 1`,
  },
  {
    name: 'every static order is refunded what it says',
    unit: 'money',
    sql: `SELECT o.order_no AS subject, o.refunded_amount AS found,
                 coalesce((SELECT sum(e.amount) FROM ledger_entries e
                           WHERE e.order_no = o.order_no AND e.type = 'refund' AND e.account_id = o.user_id), 0) AS expected
          FROM static_orders o WHERE found <> expected`,
  },
  {
    name: 'every entry of an order belongs to an order of that account',
    unit: 'count',
    sql: `SELECT e.transaction_no AS subject, 0 AS found, 1 AS expected FROM ledger_entries e
          WHERE e.order_type = 'static' AND NOT EXISTS (SELECT 1 FROM static_orders o WHERE o.order_no = e.order_no AND o.user_id = e.account_id)`,
  },
  {
    name: 'every completed order has the proxies that it says',
    unit: 'count',
    sql: `SELECT o.order_no AS subject, o.success_count AS found,
                 (SELECT count(*) FROM instances i WHERE i.order_id = o.id) AS expected
          FROM static_orders o WHERE found <> expected`,
  },
  {
    name: 'every delivered order is paid for exactly the proxies that it got',
    unit: 'money',
    sql: `SELECT order_no AS subject, refunded_amount AS found, (ip_count - success_count) * periods * unit_price AS expected
          FROM static_orders WHERE status IN ('active', 'partial', 'failed') AND found <> expected`,
  },
  {
    name: 'every processing order has a job that will complete it',
    unit: 'count',
    sql: `SELECT o.order_no AS subject, 0 AS found, 1 AS expected FROM static_orders o
          WHERE o.status = 'processing'
            AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'complete_static_order' AND j.key = o.order_no)`,
  },
]

/** What {@link audit} proves, in words. */
export const AUDIT_RULES: readonly string[] = RULES.map(({ name }) => name)

/**
 * Proves the books. Runs on the read-only connection, beside a busy service.
 *
 * @returns every difference; empty when the books are right
 */
export async function audit({ db }: { readonly db: Pick<Database, 'read'> }): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const rule of RULES) differences.push(...(await check(db.read, rule)))
  return differences
}

async function check(db: Readable, { name, sql, unit }: Rule): Promise<Difference[]> {
  const rows = await selectJson<{ subject: string; found: number; expected: number }>(
    db,
    Prisma.sql`SELECT json_object('subject', subject, 'found', found, 'expected', expected) AS json FROM (${Prisma.raw(sql)})`,
  )
  const show = unit === 'money' ? toText : String
  return rows.map(({ subject, found, expected }) => ({
    rule: name,
    subject,
    detail: `${show(found)} instead of ${show(expected)}`,
  }))
}
