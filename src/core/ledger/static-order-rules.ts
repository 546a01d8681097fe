import type { Rule } from './rule.ts'

/** What static orders were charged, refunded and delivered (rules 4.8, 5.5, 5.7, 5.10). */
export const STATIC_ORDER_RULES: readonly Rule[] = [
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
    name: 'every cancellation is refunded once with its amount',
    unit: 'money',
    sql: `SELECT c.cancel_no AS subject, coalesce(sum(e.amount), 0) AS found, c.refund_amount AS expected
          FROM cancellations c JOIN static_orders o ON o.id = c.order_id LEFT JOIN ledger_entries e
            ON e.source = 'cancel:' || c.cancel_no AND e.order_no = o.order_no AND e.account_id = o.user_id AND e.type = 'refund'
          GROUP BY c.id HAVING found <> expected`,
  },
  {
    name: 'the cancellations of every order gave back what its proxies got',
    unit: 'money',
    sql: `SELECT o.order_no AS subject, sum(c.refund_amount) AS found,
                 (SELECT coalesce(sum(i.refunded_amount), 0) FROM instances i WHERE i.order_id = o.id) AS expected
          FROM cancellations c JOIN static_orders o ON o.id = c.order_id GROUP BY o.id HAVING found <> expected`,
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
]
