import type { Rule } from './rule.ts'

/** Bytes that the sub-accounts of a traffic account have, used or not. Needs `t` = traffic. */
const ALLOCATED = '(SELECT coalesce(sum(s.limit_bytes), 0) FROM sub_accounts s WHERE s.traffic_id = t.id)'
/** Bytes that the credentials of a traffic account have used. Needs `t` = traffic. */
const USED =
  't.used_bytes + (SELECT coalesce(sum(s.used_bytes), 0) FROM sub_accounts s WHERE s.traffic_id = t.id)'
const DELIVERED = "o.status IN ('active', 'exhausted')"

/** The books of traffic (rules 6.2, 6.10, 6.11), in bytes. */
export const TRAFFIC_RULES: readonly Rule[] = [
  {
    name: 'every dynamic order is charged once with its total',
    unit: 'money',
    sql: `SELECT o.order_no AS subject, coalesce(-sum(e.amount), 0) AS found, o.total_amount AS expected
          FROM dynamic_orders o LEFT JOIN ledger_entries e
            ON e.order_no = o.order_no AND e.account_id = o.user_id AND e.type = 'consumption'
          GROUP BY o.id HAVING found <> expected OR count(e.id) <> 1`,
  },
  {
    name: 'every entry of a dynamic order belongs to an order of that account',
    unit: 'count',
    sql: `SELECT e.transaction_no AS subject, 0 AS found, 1 AS expected FROM ledger_entries e
          WHERE e.order_type = 'dynamic' AND NOT EXISTS (SELECT 1 FROM dynamic_orders o WHERE o.order_no = e.order_no AND o.user_id = e.account_id)`,
  },
  {
    name: 'every dynamic order costs its traffic times its price',
    unit: 'money',
    sql: `SELECT o.order_no AS subject, o.total_amount AS found,
                 (o.traffic_bytes / 1000000 * o.unit_price + 999) / 1000 AS expected -- orders are whole MB
          FROM dynamic_orders o WHERE found <> expected`,
  },
  {
    name: 'every traffic account holds what was bought',
    unit: 'count',
    sql: `SELECT t.username AS subject, t.total_bytes AS found,
                 (SELECT coalesce(sum(o.traffic_bytes), 0) FROM dynamic_orders o
                  WHERE o.user_id = t.user_id AND o.product_id = t.product_id AND ${DELIVERED}) AS expected
          FROM traffic t WHERE found <> expected`,
  },
  {
    name: 'every order of traffic has its traffic account',
    unit: 'count',
    sql: `SELECT o.order_no AS subject, 0 AS found, 1 AS expected FROM dynamic_orders o
          WHERE ${DELIVERED} AND NOT EXISTS (SELECT 1 FROM traffic t WHERE t.user_id = o.user_id AND t.product_id = o.product_id)`,
  },
  {
    name: 'no traffic account is overdrawn',
    unit: 'count',
    sql: `SELECT t.username AS subject, t.used_bytes + t.allocated_bytes AS found, t.total_bytes AS expected
          FROM traffic t WHERE found > expected OR t.used_bytes < 0 OR t.allocated_bytes < 0`,
  },
  {
    name: 'no sub-account is overdrawn',
    unit: 'count',
    sql: `SELECT s.username AS subject, s.used_bytes AS found, s.limit_bytes AS expected
          FROM sub_accounts s WHERE found > expected OR found < 0`,
  },
  {
    name: 'what is allocated is what the sub-accounts have',
    unit: 'count',
    sql: `SELECT t.username AS subject, t.allocated_bytes AS found, ${ALLOCATED} AS expected FROM traffic t WHERE found <> expected`,
  },
  {
    name: 'every sub-account has what was moved to it',
    unit: 'count',
    sql: `SELECT s.username AS subject, s.limit_bytes AS found,
                 (SELECT coalesce(sum(m.bytes), 0) FROM traffic_moves m WHERE m.sub_account_id = s.id) AS expected
          FROM sub_accounts s WHERE found <> expected`,
  },
  {
    name: 'a deleted sub-account has returned the rest',
    unit: 'count',
    sql: `SELECT s.username AS subject, s.limit_bytes AS found, s.used_bytes AS expected
          FROM sub_accounts s WHERE s.status = 'deleted' AND found <> expected`,
  },
  {
    name: 'every use was reported',
    unit: 'count',
    sql: `SELECT t.username AS subject, t.used_bytes AS found,
                 (SELECT coalesce(sum(r.counted_bytes), 0) FROM usage_reports r
                  WHERE r.traffic_id = t.id AND r.sub_account_id IS NULL) AS expected
          FROM traffic t WHERE found <> expected
          UNION ALL
          SELECT s.username, s.used_bytes AS found,
                 (SELECT coalesce(sum(r.counted_bytes), 0) FROM usage_reports r WHERE r.sub_account_id = s.id) AS expected
          FROM sub_accounts s WHERE found <> expected`,
  },
  {
    name: 'every use is taken from an order',
    unit: 'count',
    sql: `SELECT t.username AS subject,
                 (SELECT coalesce(sum(o.used_bytes), 0) FROM dynamic_orders o
                  WHERE o.user_id = t.user_id AND o.product_id = t.product_id) AS found,
                 ${USED} AS expected
          FROM traffic t WHERE found <> expected`,
  },
  {
    name: 'an order of traffic is exhausted when it is used up',
    unit: 'count',
    sql: `SELECT o.order_no AS subject, o.status = 'exhausted' AS found, o.used_bytes = o.traffic_bytes AS expected
          FROM dynamic_orders o WHERE ${DELIVERED} AND found <> expected`,
  },
  {
    name: 'orders of traffic are used up oldest first',
    unit: 'count',
    sql: `SELECT o.order_no AS subject, o.used_bytes AS found, 0 AS expected FROM dynamic_orders o
          WHERE o.used_bytes > 0 AND EXISTS (
            SELECT 1 FROM dynamic_orders older WHERE older.user_id = o.user_id AND older.product_id = o.product_id
              AND older.id < o.id AND older.status = 'active')`,
  },
  {
    name: 'every name at the gateway is one credential',
    unit: 'count',
    sql: `SELECT t.username AS subject, 2 AS found, 1 AS expected FROM traffic t JOIN sub_accounts s ON s.username = t.username`,
  },
]
