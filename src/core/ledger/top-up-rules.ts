import { SKEW_MS } from '../top-ups/top-up-terms.ts'
import type { Rule } from './rule.ts'

/** What USDT has added to the balances is what the chain says (rules 8.7, 8.8, 10.10). */
export const TOP_UP_RULES: readonly Rule[] = [
  {
    name: 'every matched transfer is credited once, at the rate of its top-up',
    unit: 'money',
    sql: `SELECT x.txid || ':' || x.log_index AS subject, coalesce(sum(e.amount), 0) AS found,
                 CAST(x.units AS INTEGER) / 1000000 * t.rate + CAST(x.units AS INTEGER) % 1000000 * t.rate / 1000000 AS expected
          FROM usdt_transfers x JOIN top_ups t ON t.id = x.top_up_id LEFT JOIN ledger_entries e
            ON e.source = 'usdt:' || x.txid || ':' || x.log_index AND e.type = 'recharge' AND e.order_no = t.order_no AND e.account_id = t.user_id
          WHERE x.state = 'matched' GROUP BY x.id HAVING found <> expected OR count(e.id) <> 1`,
  },
  {
    name: 'every credit for USDT has its transfer',
    unit: 'count',
    sql: `SELECT e.transaction_no AS subject, 0 AS found, 1 AS expected FROM ledger_entries e
          WHERE e.source LIKE 'usdt:%' AND NOT EXISTS (
            SELECT 1 FROM usdt_transfers x WHERE x.state = 'matched' AND x.txid = substr(e.source, 6, 64) AND x.log_index = CAST(substr(e.source, 71) AS INTEGER))`,
  },
  {
    name: 'every paid top-up has a transfer, and no other has',
    unit: 'count',
    sql: `SELECT t.order_no AS subject, t.status = 'paid' AS found,
                 EXISTS (SELECT 1 FROM usdt_transfers x WHERE x.top_up_id = t.id) AS expected
          FROM top_ups t WHERE found <> expected`,
  },
  {
    name: 'every paid top-up says what it was credited',
    unit: 'money',
    sql: `SELECT t.order_no AS subject, t.credit_amount AS found,
                 coalesce((SELECT sum(e.amount) FROM ledger_entries e WHERE e.order_no = t.order_no AND e.type = 'recharge'), 0) AS expected
          FROM top_ups t WHERE t.status = 'paid' AND found <> expected`,
  },
  {
    name: 'an automatic payment is of the exact amount, within the time of its top-up',
    unit: 'count',
    sql: `SELECT x.txid || ':' || x.log_index AS subject, 0 AS found, 1 AS expected
          FROM usdt_transfers x JOIN top_ups t ON t.id = x.top_up_id
          WHERE x.resolved_at IS NULL AND NOT (x.units = CAST(t.pay_units AS TEXT) AND x.wallet = t.wallet AND x.contract = t.contract
            AND x.block_time <= t.match_until AND x.block_time >= strftime('%Y-%m-%dT%H:%M:%fZ', t.created_at, '-${SKEW_MS / 1000} seconds'))`,
  },
]
