import { expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { beside, type Beside, REFUSED_BY } from '../../support/beside.ts'
import { openService } from '../../support/service.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

/** An agent with earnings, a payout of each outcome, and a refund by judgement. */
async function populated() {
  const service = await openService({ payouts: { min: 1, rate: 1_000_000, isAddress: () => true } })
  const { core } = service
  const agent = await service.agent({ balance: 100 })
  const user = await service.customer(agent, { balance: 100 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 2 })
  await core.earnings.setPrice(agent, { productNo: 'traffic', price: 3 })
  const { order } = await service.buyTraffic(user, { trafficAmount: 10 })
  const ask = async () =>
    (await core.earnings.requestPayout(agent, { amount: 1, address: ADDRESS })).payout.payoutNo
  await core.operator.payouts.paid(SHELL, { payoutNo: await ask(), txid: 'ab'.repeat(32) })
  await core.operator.payouts.refuse(SHELL, { payoutNo: await ask(), reason: 'test' })
  await ask()
  await core.operator.orders.refund(SHELL, { orderNo: order.orderNo, amount: 6, reason: 'slow' })
  return { service, connection: await beside(service) }
}

/** Statements, and by what each is refused. */
type Refusals = readonly (readonly [sql: string, by: string | RegExp])[]

const BY_TRIGGERS: Refusals = [
  ['UPDATE earning_entries SET available = 0', 'never changed'],
  ['DELETE FROM earning_entries', 'never deleted'],
  ['INSERT OR REPLACE INTO earning_entries SELECT * FROM earning_entries', /./],
  ['UPDATE accounts SET earning_pending = 1 WHERE id = 1', 'by an entry only'],
  ['UPDATE accounts SET earning_available = earning_available + 1 WHERE id = 1', 'by an entry only'],
  ['UPDATE accounts SET earning_owed = 1 WHERE id = 1', 'by an entry only'],
  ['UPDATE accounts SET earning_payable = earning_payable + 1 WHERE id = 1', 'by an entry only'],
  ['UPDATE accounts SET paid_in = 1 WHERE id = 1', 'by an entry only'],
  [
    `INSERT INTO accounts (username, username_key, password_hash, role, earning_available, created_at, updated_at)
     VALUES ('rich', 'rich', '', 'agent', 5, '', '')`,
    'by an entry only',
  ],
  [
    `INSERT INTO earning_entries (agent_id, kind, source, available, pending_after, available_after, owed_after, created_at)
     VALUES (1, 'to_balance', 'x', -1, 0, 0, 0, '')`,
    'does not continue the earnings',
  ],
  ["UPDATE payouts SET amount = amount + 1 WHERE status = 'requested'", 'end once'],
  ["UPDATE payouts SET usdt_units = 1 WHERE status = 'requested'", 'end once'],
  ["UPDATE payouts SET rate = 1 WHERE status = 'requested'", 'end once'],
  ["UPDATE payouts SET address = 'T' WHERE status = 'requested'", 'end once'],
  ["UPDATE payouts SET agent_id = 2 WHERE status = 'requested'", 'end once'],
  ["UPDATE payouts SET reason = 'other' WHERE status = 'refused'", 'end once'],
  ["UPDATE payouts SET status = 'requested', txid = NULL, ended_at = NULL WHERE status = 'paid'", 'end once'],
  ['DELETE FROM payouts', 'never deleted'],
]

const NUMBERS = ["'1.5'", "'x'", "X'00'", 'NULL', '-1', '9000000000000001', '1e300']
const COLUMNS = [
  ['accounts', 'earning_pending'],
  ['accounts', 'earning_available'],
  ['accounts', 'earning_owed'],
  ['earnings', 'paid'],
  ['earnings', 'amount'],
  ['earnings', 'refunded'],
  ['earnings', 'reversed'],
  ['earnings', 'payable'],
  ['accounts', 'paid_in'],
  ['earning_entries', 'pending_after'],
  ['earning_entries', 'available_after'],
  ['earning_entries', 'owed_after'],
  ['payouts', 'amount'],
  ['payouts', 'rate'],
  ['payouts', 'usdt_units'],
  ['refunds', 'amount'],
  ['agent_prices', 'price'],
] as const

const BY_CHECKS: Refusals = [
  ['UPDATE earnings SET amount = paid + 1', REFUSED_BY.check],
  ['UPDATE earnings SET refunded = paid + 1', REFUSED_BY.check],
  ['UPDATE earnings SET payable = amount + 1', REFUSED_BY.check],
  ['UPDATE accounts SET paid_in = balance + 1', REFUSED_BY.check],
  ['UPDATE ledger_entries SET paid_in = amount + 1 WHERE amount > 0', REFUSED_BY.check],
  ['UPDATE ledger_entries SET paid_in = 1 WHERE amount < 0', REFUSED_BY.check],
  ['UPDATE earnings SET reversed = amount + 1', REFUSED_BY.check],
  ["UPDATE earnings SET state = 'other'", REFUSED_BY.check],
  ["UPDATE earning_entries SET kind = 'other'", REFUSED_BY.check],
  ["UPDATE earning_entries SET earning_id = NULL WHERE kind = 'earned'", REFUSED_BY.check],
  ["UPDATE earning_entries SET payout_id = NULL WHERE kind = 'payout'", REFUSED_BY.check],
  ['UPDATE earning_entries SET payout_id = 1, earning_id = 1', REFUSED_BY.check],
  ["UPDATE payouts SET status = 'other'", REFUSED_BY.check],
  ["UPDATE payouts SET status = 'paid', ended_at = '' WHERE status = 'requested'", REFUSED_BY.check],
  ["UPDATE payouts SET status = 'refused', ended_at = '' WHERE status = 'requested'", REFUSED_BY.check],
  ["UPDATE payouts SET status = 'cancelled' WHERE status = 'requested'", REFUSED_BY.check],
  ["UPDATE payouts SET ended_at = '' WHERE status = 'requested'", REFUSED_BY.check],
  [
    `UPDATE payouts SET status = 'paid', ended_at = '', txid = '${'ab'.repeat(32)}' WHERE status = 'requested'`,
    REFUSED_BY.unique,
  ],
  ['UPDATE agent_prices SET markup_bps = 1', REFUSED_BY.check],
  ['UPDATE agent_prices SET product_id = NULL', REFUSED_BY.check],
  ['UPDATE agent_prices SET min_quantity = 0', REFUSED_BY.check],
  ['UPDATE refunds SET order_id = 1', REFUSED_BY.check],
  [
    'INSERT INTO earnings SELECT id + 9, source, agent_id, user_id, product_id, order_no, paid, amount, refunded, reversed, state, matures_at, created_at, payable FROM earnings',
    REFUSED_BY.unique,
  ],
]

it('the database itself keeps earnings, payouts and refunds as the books need them', async () => {
  const { service, connection } = await populated()
  const refuse = async (refusals: Refusals, run: Beside['run']) => {
    for (const [sql, by] of refusals) await expect(run(sql), sql).rejects.toThrow(by)
  }
  await refuse(BY_TRIGGERS, connection.run)
  await service.audited()
  // Without triggers, CHECK constraints and indexes are to show what they can.
  await refuse(BY_CHECKS, connection.unwatched)
  await refuse(
    COLUMNS.flatMap(([table, column]) =>
      NUMBERS.map((value) => [`UPDATE ${table} SET ${column} = ${value}`, REFUSED_BY.number] as const),
    ),
    connection.unwatched,
  )
  await service.audited()
})
