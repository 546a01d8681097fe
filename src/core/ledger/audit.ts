import { Prisma } from '../../generated/prisma/client.ts'
import { type Database, type Readable, selectJson } from '../database/database.ts'
import { toText } from '../money.ts'
import { TOP_UP_RULES } from './top-up-rules.ts'
import { TRAFFIC_RULES } from './traffic-rules.ts'

/** One statement about the books that does not hold. */
export interface Difference {
  readonly rule: string
  readonly subject: string
  readonly detail: string
}

export interface Rule {
  readonly name: string
  /** Rows that break the rule: `subject` and two numbers that should be equal. Money unless `count`. */
  readonly sql: string
  readonly unit: 'money' | 'count'
}

/**
 * Each day of `ledger_days` beside what the entries say about it; 0 where one side knows nothing. Added up, because SQLite
 * compares every day with every other to join them fully.
 */
const DAYS = `
  (SELECT viewer_id, sub_users, day, type, order_type, sum(entries) AS entries, sum(income) AS income, sum(expense) AS expense,
          sum(kept_entries) AS kept_entries, sum(kept_income) AS kept_income, sum(kept_expense) AS kept_expense
   FROM (SELECT account_id AS viewer_id, 0 AS sub_users, substr(created_at, 1, 10) AS day, type, coalesce(order_type, '') AS order_type,
                1 AS entries, max(amount, 0) AS income, max(-amount, 0) AS expense, 0 AS kept_entries, 0 AS kept_income, 0 AS kept_expense
         FROM ledger_entries
         UNION ALL
         SELECT scope_id, 1, substr(created_at, 1, 10), type, coalesce(order_type, ''), 1, max(amount, 0), max(-amount, 0), 0, 0, 0
         FROM ledger_entries WHERE scope_id <> account_id
         UNION ALL
         SELECT viewer_id, sub_users, day, type, order_type, 0, 0, 0, entries, income, expense FROM ledger_days)
   GROUP BY viewer_id, sub_users, day, type, order_type)`
const DAY_NAME = "concat_ws(' ', iif(sub_users, 'sub-users of', 'account'), viewer_id, day, type, order_type)"

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
    name: 'every entry stands in the records of its account and its agent',
    unit: 'count',
    sql: `SELECT e.transaction_no AS subject, e.scope_id AS found, coalesce(a.agent_id, a.id) AS expected
          FROM ledger_entries e JOIN accounts a ON a.id = e.account_id WHERE found <> expected`,
  },
  {
    name: 'the income and expense of every day are those of its entries',
    unit: 'money',
    sql: `SELECT ${DAY_NAME} AS subject, iif(kept_income <> income, kept_income, kept_expense) AS found,
                 iif(kept_income <> income, income, expense) AS expected
          FROM ${DAYS} WHERE found <> expected`,
  },
  {
    name: 'every day counts its entries',
    unit: 'count',
    sql: `SELECT ${DAY_NAME} AS subject, kept_entries AS found, entries AS expected
          FROM ${DAYS} WHERE found <> expected`,
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
    name: 'every deleted sub-user has given its balance back',
    unit: 'money',
    sql: `SELECT u.username AS subject, u.balance AS found, 0 AS expected
          FROM accounts u JOIN accounts g ON g.id = u.agent_id
          WHERE u.status = 'deleted' AND g.funding = 'transfer' AND u.balance <> 0`,
  },
  {
    name: 'every static order is charged once with its total',
    unit: 'money',
    sql: `SELECT o.order_no AS subject, coalesce(-sum(e.amount), 0) AS found, o.total_amount AS expected
          FROM static_orders o LEFT JOIN ledger_entries e
            ON e.order_no = o.order_no AND e.account_id = o.user_id AND e.type = 'consumption' AND e.source NOT LIKE 'renewal:%'
          GROUP BY o.id HAVING found <> expected OR count(e.id) <> 1`,
  },
  {
    name: 'every renewal is charged once with its amount',
    unit: 'money',
    sql: `SELECT r.renew_order_no AS subject, coalesce(-sum(e.amount), 0) AS found, r.amount AS expected
          FROM renewals r JOIN static_orders o ON o.id = r.order_id LEFT JOIN ledger_entries e
            ON e.source = 'renewal:' || r.renew_order_no AND e.order_no = o.order_no AND e.account_id = o.user_id AND e.type = 'consumption'
          GROUP BY r.id HAVING found <> expected OR count(e.id) <> 1`,
  },
  {
    name: 'every renewal costs what its proxies cost',
    unit: 'money',
    sql: `SELECT r.renew_order_no AS subject, r.amount AS found,
                 (SELECT coalesce(sum(n.amount), 0) FROM renewed_instances n WHERE n.renewal_id = r.id) AS expected
          FROM renewals r WHERE found <> expected`,
  },
  {
    name: 'every charge for a renewal has its renewal',
    unit: 'count',
    sql: `SELECT e.transaction_no AS subject, 0 AS found, 1 AS expected FROM ledger_entries e
          WHERE e.source LIKE 'renewal:%' AND NOT EXISTS (SELECT 1 FROM renewals r WHERE 'renewal:' || r.renew_order_no = e.source)`,
  },
  {
    name: 'every static order counts its renewals',
    unit: 'money',
    sql: `SELECT o.order_no AS subject, o.renewed_amount AS found,
                 coalesce((SELECT sum(r.amount) FROM renewals r WHERE r.order_id = o.id), 0) AS expected
          FROM static_orders o WHERE found <> expected`,
  },
  {
    name: 'every cancellation is refunded once with what its proxies got back',
    unit: 'money',
    sql: `SELECT c.cancel_no AS subject, coalesce(sum(e.amount), 0) AS found,
                 (SELECT coalesce(sum(i.refunded_amount), 0) FROM instances i WHERE i.cancellation_id = c.id) AS expected
          FROM cancellations c JOIN static_orders o ON o.id = c.order_id LEFT JOIN ledger_entries e
            ON e.source = 'cancel:' || c.cancel_no AND e.order_no = o.order_no AND e.account_id = o.user_id AND e.type = 'refund'
          GROUP BY c.id HAVING found <> expected OR c.refund_amount <> expected`,
  },
  {
    name: 'only released proxies are refunded, and not more than was paid for them',
    unit: 'money',
    sql: `SELECT i.instance_no AS subject, i.refunded_amount AS found,
                 iif(i.cancellation_id IS NULL, 0, o.unit_price * o.periods
                   + coalesce((SELECT sum(n.amount) FROM renewed_instances n WHERE n.instance_id = i.id), 0)) AS expected
          FROM instances i JOIN static_orders o ON o.id = i.order_id WHERE found > expected`,
  },
  {
    name: 'a proxy is released by a cancellation, and by nothing else',
    unit: 'count',
    sql: `SELECT i.instance_no AS subject, i.status = 'released' AS found, i.cancellation_id IS NOT NULL AS expected
          FROM instances i WHERE found <> expected`,
  },
  {
    name: 'every proxy ends when its last renewal says',
    unit: 'count',
    sql: `SELECT i.instance_no AS subject, 0 AS found, 1 AS expected FROM instances i
          JOIN renewed_instances n ON n.id = (SELECT max(id) FROM renewed_instances WHERE instance_id = i.id)
          WHERE n.new_expire_time <> i.expire_time`,
  },
  {
    name: 'every order with an active proxy is active, and no other',
    unit: 'count',
    sql: `SELECT o.order_no AS subject, o.status IN ('active', 'partial') AS found,
                 EXISTS (SELECT 1 FROM instances i WHERE i.order_id = o.id AND i.status = 'active') AS expected
          FROM static_orders o WHERE found <> expected`,
  },
  {
    name: 'every proxy of the own stock that is in use, or may be renewed, is held by its order',
    unit: 'count',
    sql: `SELECT i.instance_no AS subject, 0 AS found, 1 AS expected
          FROM instances i JOIN static_orders o ON o.id = i.order_id JOIN products p ON p.id = o.product_id AND p.supplier = 'inventory'
          WHERE i.released_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM stock_ips s WHERE s.id = CAST(i.provider_instance_no AS INTEGER) AND s.order_id = o.id)`,
  },
  {
    name: 'every proxy of the stock is held by an order that uses it, or is free',
    unit: 'count',
    sql: `SELECT s.ip || ' ' || s.seat AS subject, 1 AS found, 0 AS expected FROM stock_ips s JOIN static_orders o ON o.id = s.order_id
          WHERE o.status <> 'processing'
            AND NOT EXISTS (SELECT 1 FROM instances i WHERE i.order_id = o.id AND i.released_at IS NULL
                              AND i.provider_instance_no = CAST(s.id AS TEXT))`,
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
    name: 'every order got back the price of what was not delivered and of what was released, and nothing else',
    unit: 'money',
    sql: `SELECT o.order_no AS subject, o.refunded_amount AS found,
                 iif(o.status = 'processing', 0, (o.ip_count - o.success_count) * o.periods * o.unit_price
                   + coalesce((SELECT sum(i.refunded_amount) FROM instances i WHERE i.order_id = o.id), 0)) AS expected
          FROM static_orders o WHERE found <> expected`,
  },
  {
    name: 'every processing order has a job that will complete it',
    unit: 'count',
    sql: `SELECT o.order_no AS subject, 0 AS found, 1 AS expected FROM static_orders o
          WHERE o.status = 'processing'
            AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'complete_static_order' AND j.key = o.order_no)`,
  },
  ...TOP_UP_RULES,
  ...TRAFFIC_RULES,
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
