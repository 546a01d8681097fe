import { describe, expect, it, onTestFinished } from 'vitest'
import { TRAFFIC_RULES } from '../../../src/core/traffic/book-rules.ts'
import { batch, used } from '../../support/gateway-wire.ts'
import { beside, keepRows } from '../../support/beside.ts'
import { shared } from '../../support/clean-up.ts'
import { openService } from '../../support/service.ts'

/** Books of traffic with everything in them, which can be forged. */
async function books() {
  const service = await openService()
  const { core, db } = service
  const seller = await service.agent({ name: 'seller', balance: 100 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 2 })
  await service.product('other', { proxyType: 104, pool: 'dynamic_2', price: 2 })
  const first = await service.buyTraffic(seller)
  const second = await service.buyTraffic(seller, { trafficAmount: 2 })
  const third = await service.buyTraffic(seller, { trafficAmount: 4 })
  await service.buyTraffic(seller, { poolId: 'other' })
  const sub = (username: string) =>
    core.traffic.createSubAccount(seller, { productNo: 'traffic', username, amount: 1 })
  await sub('kept')
  const { id } = await sub('gone')
  const { username: main } = await db.read.traffic.findFirstOrThrow({
    where: { product: { productNo: 'traffic' } },
  })
  for (const [reportId, account, bytes] of [
    ['1', main, 1.2e9],
    ['2', 'kept', 0.3e9],
    ['3', 'gone', 0.1e9],
    ['4', 'kept', 5e9],
  ] as const)
    await core.traffic.recordUsage({ reportId, account, bytes })
  await core.traffic.deleteSubAccount(seller, id)
  await core.gateway.countUsage(
    'gateway-of-the-tests',
    batch(1, { items: [used('kept', 0), used(main, 10, { targets: [{ host: 'a', bytes: 8 }] })] }),
  )
  await core.traffic.setAllowList(seller, { productNo: 'traffic', addresses: ['192.0.2.1', '192.0.2.2'] })
  await service.audited()

  const forger = await beside(service)
  await forger.unprotect()
  const names = {
    main,
    kept: 'kept',
    gone: 'gone',
    first: first.order.orderNo,
    second: second.order.orderNo,
    third: third.order.orderNo,
  }
  return { core, run: forger.run, restore: await keepRows(forger), names }
}

type Subject = 'main' | 'kept' | 'gone' | 'first' | 'second' | 'third'

const VIOLATIONS: readonly { rule: string; sql: string; detail: string; about?: Subject }[] = [
  {
    rule: 'every dynamic order is charged once with its total',
    sql: "DELETE FROM ledger_entries WHERE source = 'order:' || :first",
    detail: '0.00 instead of 2.00',
    about: 'first',
  },
  {
    rule: 'every dynamic order is charged once with its total',
    sql: `INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, order_type, order_no, created_at)
          SELECT 'again', account_id, scope_id, type, amount, balance_after, 'again', order_type, order_no, created_at
          FROM ledger_entries WHERE source = 'order:' || :second`,
    detail: '8.00 instead of 4.00',
    about: 'second',
  },
  {
    rule: 'every entry of a dynamic order belongs to an order of that account',
    sql: "UPDATE ledger_entries SET order_no = 'D0' WHERE source = 'order:' || :first",
    detail: '0 instead of 1',
  },
  {
    rule: 'every refund of an order of traffic is booked once with its amount',
    sql: "INSERT INTO refunds (refund_no, dynamic_order_id, amount, reason, created_at) SELECT 'G1', id, 1000000, 'x', '2026' FROM dynamic_orders LIMIT 1",
    detail: '0.00 instead of 1.00',
  },
  {
    rule: 'no order of traffic got back more than it cost, or anything without a refund by the operator',
    sql: `INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, order_type, order_no, created_at)
          SELECT 'back', account_id, scope_id, 'refund', 1000000, balance_after, 'back', order_type, order_no, created_at
          FROM ledger_entries WHERE source = 'order:' || :first`,
    detail: '1.00 instead of 0.00',
    about: 'first',
  },
  {
    rule: 'every dynamic order costs its traffic times its price, less its discount',
    sql: 'UPDATE dynamic_orders SET unit_price = 1 WHERE order_no = :first',
    detail: '2.00 instead of 0.000001',
    about: 'first',
  },
  {
    rule: 'every traffic account holds what was bought',
    sql: 'UPDATE traffic SET total_bytes = total_bytes + 1 WHERE username = :main',
    detail: '7000000001 instead of 7000000000',
    about: 'main',
  },
  {
    rule: 'every traffic account holds what was bought',
    sql: "UPDATE dynamic_orders SET status = 'cancelled' WHERE order_no = :third",
    detail: '7000000000 instead of 3000000000',
    about: 'main',
  },
  {
    rule: 'every order of traffic has its traffic account',
    sql: 'DELETE FROM traffic WHERE username = :main',
    detail: '0 instead of 1',
    about: 'third',
  },
  {
    rule: 'no traffic account is overdrawn',
    sql: 'UPDATE traffic SET used_bytes = total_bytes - allocated_bytes + 5 WHERE username = :main',
    detail: '7000000005 instead of 7000000000',
    about: 'main',
  },
  {
    rule: 'no traffic account is overdrawn',
    sql: 'UPDATE traffic SET used_bytes = -1 WHERE username = :main',
    detail: '1099999999 instead of 7000000000',
    about: 'main',
  },
  {
    rule: 'no sub-account is overdrawn',
    sql: "UPDATE sub_accounts SET used_bytes = limit_bytes + 1 WHERE username = 'kept'",
    detail: '1000000001 instead of 1000000000',
    about: 'kept',
  },
  {
    rule: 'what is allocated is what the sub-accounts have',
    sql: 'UPDATE traffic SET allocated_bytes = allocated_bytes - 100000000 WHERE username = :main',
    detail: '1000000000 instead of 1100000000',
    about: 'main',
  },
  {
    rule: 'every sub-account has what was moved to it',
    sql: 'DELETE FROM traffic_moves WHERE bytes < 0',
    detail: '100000000 instead of 1000000000',
    about: 'gone',
  },
  {
    rule: 'a deleted sub-account has returned the rest',
    sql: "UPDATE sub_accounts SET limit_bytes = 200000000 WHERE username = 'gone'",
    detail: '200000000 instead of 100000000',
    about: 'gone',
  },
  {
    rule: 'every use was reported',
    sql: "DELETE FROM usage_reports WHERE report_id = '1'",
    detail: '1200000010 instead of 10',
    about: 'main',
  },
  {
    rule: 'every use was reported',
    sql: "UPDATE usage_reports SET counted_bytes = counted_bytes + 1 WHERE report_id = '2'",
    detail: '1000000000 instead of 1000000001',
    about: 'kept',
  },
  {
    rule: 'every report stands in its day',
    sql: "UPDATE usage_reports SET day = '' WHERE report_id = '1'",
    detail: '0 instead of 1',
  },
  {
    rule: 'every report stands in its day',
    sql: "UPDATE usage_reports SET day = '2026-03-02' WHERE report_id LIKE 'gateway:%' AND username = :main",
    detail: '0 instead of 1',
  },
  {
    rule: 'what gateways have reported is recorded',
    sql: 'UPDATE gateways SET bytes = bytes + 1',
    detail: '10 instead of 11',
  },
  {
    rule: 'the hosts of a day have used no more than gateways reported for that day',
    sql: "UPDATE usage_targets SET bytes = 9 WHERE host = 'a'",
    detail: '11 instead of 10',
    about: 'main',
  },
  {
    rule: 'every allowed address belongs to one account',
    sql: "UPDATE allowed_addresses SET high = '00000000000000000000ffffc0000202' WHERE cidr = '192.0.2.1'",
    detail: '2 instead of 1',
  },
  {
    rule: 'every use is taken from an order',
    sql: 'UPDATE dynamic_orders SET used_bytes = used_bytes - 1 WHERE order_no = :second',
    detail: '2300000009 instead of 2300000010',
    about: 'main',
  },
  {
    rule: 'an order of traffic is exhausted when it is used up',
    sql: "UPDATE dynamic_orders SET status = 'active' WHERE order_no = :first",
    detail: '0 instead of 1',
    about: 'first',
  },
  {
    rule: 'an order of traffic is exhausted when it is used up',
    sql: "UPDATE dynamic_orders SET status = 'exhausted' WHERE order_no = :second",
    detail: '1 instead of 0',
    about: 'second',
  },
  {
    rule: 'orders of traffic are used up oldest first',
    sql: 'UPDATE dynamic_orders SET used_bytes = 7 WHERE order_no = :third',
    detail: '7 instead of 0',
    about: 'third',
  },
  {
    rule: 'every name at the gateway is one credential',
    sql: "UPDATE sub_accounts SET username = :main WHERE username = 'kept'",
    detail: '2 instead of 1',
    about: 'main',
  },
]

describe('the audit of traffic', () => {
  const forged = shared(books)

  it.each(VIOLATIONS)('notices when not $rule: $sql', async ({ rule, sql, detail, about }) => {
    const { run, restore, core, names } = forged()
    onTestFinished(restore)
    await run(sql.replaceAll(/:(\w+)(?=[ ,)]|$)/gm, (_, name: Subject) => `'${names[name]}'`))
    expect(await core.operator.audit()).toContainEqual({
      rule,
      detail,
      subject: about ? names[about] : (expect.any(String) as string),
    })
  })

  it('has a violation here for each of its rules', () => {
    expect(new Set(VIOLATIONS.map(({ rule }) => rule))).toEqual(
      new Set(TRAFFIC_RULES.map(({ name }) => name)),
    )
  })
})
