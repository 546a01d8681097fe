import { describe, expect, it, onTestFinished } from 'vitest'
import { AUDIT_RULES } from '../../../src/core/books/audit.ts'
import { EARNING_RULES } from '../../../src/core/earnings/book-rules.ts'
import { PROMOTION_RULES } from '../../../src/core/promotions/book-rules.ts'
import { SUPPLY_RULES } from '../../../src/core/supply/book-rules.ts'
import { TOP_UP_RULES } from '../../../src/core/top-ups/book-rules.ts'
import { TRAFFIC_RULES } from '../../../src/core/traffic/book-rules.ts'
import { transferToSubUser } from '../../../src/core/ledger/transfer.ts'
import { delivers, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { beside, keepRows } from '../../support/beside.ts'
import { shared } from '../../support/clean-up.ts'
import { openService } from '../../support/service.ts'

/** Books with everything in them, which can be forged. */
async function books() {
  const service = await openService({ suppliers: { partly: scriptedSupplier(delivers(1)) } })
  const seller = await service.agent({ name: 'seller', balance: 1000 })
  const user = await service.customer(seller, { name: 'user' })
  await service.db.write((tx) =>
    transferToSubUser(tx, service.clock.now(), seller, user.id, 100_000_000, { remark: 'a gift' }),
  )
  await service.product()
  await service.stock('static', 9)
  await service.product('partly', { supplier: 'partly', price: 2 })
  await service.db.write((tx) => tx.location.create({ data: { productId: 2, countryCode: 'US' } }))
  const active = await service.order(user, { ipCount: 2 })
  const partial = await service.order(user, { poolId: 'partly', ipCount: 3 })
  const keeper = await service.customer(null, { name: 'keeper', balance: 50 })
  const lived = await service.order(keeper, { ipCount: 3 })
  await service.runJobs()
  const { instances } = await service.core.orders.getStatic(keeper, lived)
  const [renewed, released] = instances.map(({ instanceNo }) => instanceNo)
  await service.core.orders.renewStatic(keeper, { order: lived, instances: [{ instanceNo: renewed ?? '' }] })
  await service.core.orders.cancelStatic(keeper, { ...lived, instances: [released ?? ''] })
  const processing = await service.order(seller)
  await service.audited()

  const forger = await beside(service)
  await forger.unprotect()
  const subjects = {
    active: active.orderNo,
    partial: partial.orderNo,
    processing: processing.orderNo,
    lived: lived.orderNo,
  }
  return { core: service.core, run: forger.run, restore: await keepRows(forger), subjects }
}

interface Violation {
  readonly rule: string
  readonly sql: string
  readonly detail: string
  /** The order that the difference is about; else a username or transaction number. */
  readonly about?: 'active' | 'partial' | 'processing' | 'lived'
}

const VIOLATIONS: readonly Violation[] = [
  {
    rule: 'every balance is the sum of its entries',
    sql: "UPDATE accounts SET balance = balance + 1 WHERE username = 'user'",
    detail: '96.000001 instead of 96.00',
  },
  {
    rule: 'every balance is the sum of its entries',
    sql: "INSERT INTO accounts (username, username_key, password_hash, role, balance, created_at, updated_at) VALUES ('new', 'new', '', 'user', 5000000, '', '')",
    detail: '5.00 instead of 0.00',
  },
  {
    rule: 'every entry continues the balance before it',
    sql: 'UPDATE ledger_entries SET balance_after = balance_after - 7000000 WHERE id = 1',
    detail: '993.00 instead of 1000.00',
  },
  {
    rule: 'every entry continues the balance before it',
    sql: 'DELETE FROM ledger_entries WHERE id = 1',
    detail: '900.00 instead of -100.00',
  },
  {
    rule: 'every entry stands in the records of its account and its agent',
    sql: "UPDATE ledger_entries SET scope_id = account_id WHERE type = 'transfer_in'",
    detail: '2 instead of 1',
  },
  {
    rule: 'the income and expense of every day are those of its entries',
    sql: "UPDATE ledger_days SET expense = expense + 1000000 WHERE type = 'consumption' AND sub_users = true",
    detail: '9.00 instead of 8.00',
  },
  {
    rule: 'the income and expense of every day are those of its entries',
    sql: "DELETE FROM ledger_days WHERE type = 'refund'",
    detail: '0.00 instead of 4.00',
  },
  {
    rule: 'every day counts its entries',
    sql: "UPDATE ledger_days SET entries = entries + 1 WHERE type = 'transfer_in'",
    detail: '2 instead of 1',
  },
  {
    rule: 'every deleted sub-user has given its balance back',
    sql: "UPDATE accounts SET status = 'deleted' WHERE username = 'user'",
    detail: '96.00 instead of 0.00',
  },
  {
    rule: 'every registration link has cost what its newcomers got',
    sql: "INSERT INTO join_links (token_hash, agent_id, spent, created_at) VALUES ('', 1, 2000000, '')",
    detail: '2.00 instead of 0.00',
  },
  {
    rule: 'every request for money that was granted has moved its amount',
    sql: "INSERT INTO money_requests (account_id, agent_id, amount, status, transaction_no, created_at, ended_at) VALUES (1, 1, 3000000, 'given', 'X', '', '')",
    detail: '0.00 instead of 3.00',
  },
  {
    rule: 'transfers between agents and sub-users cancel out',
    sql: "DELETE FROM ledger_entries WHERE type = 'transfer_in'",
    detail: '-100.00 instead of 0.00',
  },
  {
    rule: 'transfers between agents and sub-users cancel out',
    sql: "UPDATE ledger_entries SET amount = amount + 1000000 WHERE type = 'transfer_in'",
    detail: '1.00 instead of 0.00',
  },
  {
    rule: 'transfers between agents and sub-users carry what came in along',
    sql: "UPDATE ledger_entries SET paid_in = 0 WHERE type = 'transfer_in'",
    detail: '-100.00 instead of 0.00',
  },
  {
    rule: 'what came in of every balance is the sum of its entries',
    sql: "UPDATE accounts SET paid_in = paid_in - 1000000 WHERE username = 'user'",
    detail: '95.00 instead of 96.00',
  },
  {
    rule: 'money comes in by top-ups and what the operator has marked as paid',
    sql: "UPDATE ledger_entries SET paid_in = 1 WHERE source LIKE 'adjust:%'",
    detail: '0.000001 instead of 0.00',
  },
  {
    rule: 'what came in for an order covers what may be paid out of its earnings',
    sql: "UPDATE ledger_entries SET paid_in = amount WHERE type = 'refund'; UPDATE ledger_entries SET paid_in = 0 WHERE type = 'consumption'",
    detail: '0.00 instead of -4.00',
    about: 'partial',
  },
  {
    rule: 'every static order is charged once with its total',
    sql: "DELETE FROM ledger_entries WHERE type = 'consumption' AND source = 'order:' || :active",
    detail: '0.00 instead of 2.00',
    about: 'active',
  },
  {
    rule: 'every static order is charged once with its total',
    sql: "UPDATE ledger_entries SET account_id = 1 WHERE type = 'consumption' AND source = 'order:' || :active",
    detail: '0.00 instead of 2.00',
    about: 'active',
  },
  {
    rule: 'every static order is charged once with its total',
    sql: `INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, order_type, order_no, created_at)
          SELECT 'again', account_id, scope_id, type, amount, balance_after + amount, 'again', order_type, order_no, ''
          FROM ledger_entries WHERE type = 'consumption' AND source = 'order:' || :active`,
    detail: '4.00 instead of 2.00',
    about: 'active',
  },
  {
    rule: 'every static order is charged once with its total',
    sql: 'UPDATE static_orders SET total_amount = 9000000 WHERE order_no = :active',
    detail: '2.00 instead of 9.00',
    about: 'active',
  },
  {
    rule: 'every static order is refunded what it says',
    sql: "DELETE FROM ledger_entries WHERE type = 'refund'",
    detail: '4.00 instead of 0.00',
    about: 'partial',
  },
  {
    rule: 'every static order is refunded what it says',
    sql: 'UPDATE static_orders SET refunded_amount = 0 WHERE order_no = :partial',
    detail: '0.00 instead of 4.00',
    about: 'partial',
  },
  {
    rule: 'every entry of an order belongs to an order of that account',
    sql: "UPDATE ledger_entries SET order_no = 'S0' WHERE type = 'refund'",
    detail: '0 instead of 1',
  },
  {
    rule: 'every entry of an order belongs to an order of that account',
    sql: "UPDATE ledger_entries SET account_id = 1 WHERE type = 'refund'",
    detail: '0 instead of 1',
  },
  {
    rule: 'every completed order has the proxies that it says',
    sql: 'DELETE FROM instances WHERE id IN (SELECT max(i.id) FROM instances i JOIN static_orders o ON o.id = i.order_id WHERE order_no = :active)',
    detail: '2 instead of 1',
    about: 'active',
  },
  {
    rule: 'every order got back the price of what was not delivered and of what was released, and nothing else',
    sql: 'UPDATE static_orders SET success_count = 2 WHERE order_no = :partial',
    detail: '4.00 instead of 2.00',
    about: 'partial',
  },
  {
    rule: 'every renewal is charged once with its amount',
    sql: "UPDATE ledger_entries SET source = 'nothing' WHERE source LIKE 'renewal:%'",
    detail: '0.00 instead of 1.00',
  },
  {
    rule: 'every renewal costs what its proxies cost',
    sql: 'UPDATE renewals SET amount = amount + 1000000',
    detail: '2.00 instead of 1.00',
  },
  {
    rule: 'every renewal gave back what its proxies cost that were not renewed, and one in processing nothing',
    sql: 'UPDATE renewals SET refunded_amount = 500000',
    detail: '0.50 instead of 0.00',
  },
  {
    rule: 'every renewal gave back what its proxies cost that were not renewed, and one in processing nothing',
    sql: 'UPDATE renewed_instances SET failed = true',
    detail: '0.00 instead of 1.00',
  },
  {
    rule: 'every refund of a renewal was booked with its amount',
    sql: 'UPDATE renewals SET refunded_amount = 500000',
    detail: '0.00 instead of 0.50',
  },
  {
    rule: 'every renewal in processing has a call to the supplier, or a job that will complete it',
    sql: "UPDATE renewals SET status = 'processing'",
    detail: '0 instead of 1',
  },
  {
    rule: 'every replacement in processing has a call to the supplier, or a job that will complete it',
    sql: `INSERT INTO replacements (replacement_no, instance_id, order_id, status, ground, old_ip, old_port, old_provider_instance_no, created_at)
      SELECT 'X0', id, order_id, 'processing', 'dead', ip, port, provider_instance_no, opened_at FROM instances LIMIT 1`,
    detail: '0 instead of 1',
  },
  {
    rule: 'every charge for a renewal has its renewal',
    sql: "UPDATE renewals SET renew_order_no = 'R0'",
    detail: '0 instead of 1',
  },
  {
    rule: 'every static order counts its renewals',
    sql: 'UPDATE static_orders SET renewed_amount = 0 WHERE order_no = :lived',
    detail: '0.00 instead of 1.00',
    about: 'lived',
  },
  {
    rule: 'every cancellation is refunded once with its amount',
    sql: 'UPDATE cancellations SET refund_amount = 0',
    detail: '1.00 instead of 0.00',
  },
  {
    rule: 'the cancellations, replacements and refunds by the operator of every order gave back what its proxies got',
    sql: "UPDATE instances SET refunded_amount = 0 WHERE status = 'released'",
    detail: '1.00 instead of 0.00',
    about: 'lived',
  },
  {
    rule: 'only released proxies, and those that the operator chose, are refunded, and not more than was paid for them',
    sql: "UPDATE instances SET refunded_amount = 5000000 WHERE status = 'released'",
    detail: '5.00 instead of 1.00',
  },
  {
    rule: 'only released proxies, and those that the operator chose, are refunded, and not more than was paid for them',
    sql: "UPDATE instances SET refunded_amount = 1000000 WHERE status = 'active'",
    detail: '1.00 instead of 0.00',
  },
  {
    rule: 'only released proxies, and those that the operator chose, are refunded, and not more than was paid for them',
    sql: `INSERT INTO refunds (refund_no, order_id, amount, reason, created_at) SELECT 'G' || id, id, 1, 'x', '2026' FROM static_orders;
      UPDATE instances SET refunded_amount = 1000001 WHERE status = 'active'`,
    detail: '1.000001 instead of 1.00',
  },
  {
    rule: 'every refund of a static order by the operator is booked once with its amount',
    sql: `INSERT INTO refunds (refund_no, order_id, amount, reason, created_at)
      SELECT 'G1', id, 1000000, 'x', '2026' FROM static_orders LIMIT 1`,
    detail: '0.00 instead of 1.00',
  },
  {
    rule: 'every replacement is refunded once with its amount',
    sql: `INSERT INTO replacements (replacement_no, instance_id, order_id, status, ground, old_ip, old_port, old_provider_instance_no, refund_amount, created_at)
      SELECT 'X1', id, order_id, 'refunded', 'dead', ip, port, provider_instance_no, 1000000, '2026' FROM instances LIMIT 1`,
    detail: '0.00 instead of 1.00',
  },
  {
    rule: 'only a replacement that found no equal proxy is refunded',
    sql: `INSERT INTO replacements (replacement_no, instance_id, order_id, status, ground, old_ip, old_port, old_provider_instance_no, refund_amount, created_at)
      SELECT 'X1', id, order_id, 'declined', 'dead', ip, port, provider_instance_no, 1000000, '2026' FROM instances LIMIT 1`,
    detail: '1.00 instead of 0.00',
  },
  {
    rule: 'every replacement that is done led to an address',
    sql: `INSERT INTO replacements (replacement_no, instance_id, order_id, status, ground, old_ip, old_port, old_provider_instance_no, created_at)
      SELECT 'X1', id, order_id, 'done', 'dead', ip, port, provider_instance_no, '2026' FROM instances LIMIT 1`,
    detail: '0 instead of 1',
  },
  {
    rule: 'a proxy is released by a cancellation or for want of an equal one, and by nothing else',
    sql: "UPDATE instances SET cancellation_id = NULL WHERE status = 'released'",
    detail: '1 instead of 0',
  },
  {
    rule: 'every proxy ends when its last renewal says',
    sql: "UPDATE instances SET expire_time = '2027' WHERE id IN (SELECT instance_id FROM renewed_instances)",
    detail: '0 instead of 1',
  },
  {
    rule: 'every order with an active proxy is active, and no other',
    sql: "UPDATE static_orders SET status = 'expired' WHERE order_no = :lived",
    detail: '0 instead of 1',
    about: 'lived',
  },
  {
    rule: 'every proxy of the own stock that is in use, or may be renewed, is held by its order',
    sql: 'UPDATE stock_ips SET order_id = NULL WHERE order_id = (SELECT id FROM static_orders WHERE order_no = :lived)',
    detail: '0 instead of 1',
  },
  {
    rule: 'every proxy of the stock is held by an order that uses it, or is free',
    sql: "UPDATE instances SET released_at = '2026' WHERE order_id = (SELECT id FROM static_orders WHERE order_no = :lived)",
    detail: '1 instead of 0',
  },
  {
    rule: 'every processing order has a job that will complete it, or a call to a supplier that has not ended',
    sql: 'DELETE FROM jobs',
    detail: '0 instead of 1',
    about: 'processing',
  },
]

describe('the audit', () => {
  const forged = shared(books)

  it('finds nothing in an empty database', async () => {
    const { audited } = await openService()
    await audited()
  })

  it.each(VIOLATIONS)('notices when not $rule: $sql', async ({ rule, sql, detail, about }) => {
    const { run, restore, core, subjects } = forged()
    onTestFinished(restore)
    await run(sql.replaceAll(/:(\w+)/g, (_, name: keyof typeof subjects) => `'${subjects[name]}'`))
    expect(await core.operator.audit()).toContainEqual({
      rule,
      detail,
      subject: about ? subjects[about] : (expect.any(String) as string),
    })
  })

  it('has a violation here for each of its rules', () => {
    // The others are violated in the other tests of audits here.
    const others = new Set(
      [...TRAFFIC_RULES, ...TOP_UP_RULES, ...SUPPLY_RULES, ...EARNING_RULES, ...PROMOTION_RULES].map(
        ({ name }) => name,
      ),
    )
    const rules = AUDIT_RULES.filter((name) => !others.has(name))
    expect(new Set(VIOLATIONS.map(({ rule }) => rule))).toEqual(new Set(rules))
  })
})
