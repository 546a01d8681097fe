import type { Rule } from './rule.ts'

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

/** Balances, their entries and the sums kept of them (rules 2.13). */
export const BOOK_RULES: readonly Rule[] = [
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
]
