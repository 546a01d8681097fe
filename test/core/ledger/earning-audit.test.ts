import { expect, it } from 'vitest'
import { EARNING_RULES } from '../../../src/core/earnings/book-rules.ts'
import { SHELL } from '../../../src/core/people/operator.ts'
import { beside, keepRows } from '../../support/beside.ts'
import { openService, PAYOUTS } from '../../support/service.ts'

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

/** Each change to the books, and the rule that then is broken. */
const VIOLATIONS: readonly (readonly [rule: string, sql: string])[] = [
  [
    'what is pending of every agent is the sum of its entries',
    'UPDATE accounts SET earning_pending = earning_pending + 1 WHERE id = 1',
  ],
  [
    'what every agent has available is the sum of its entries',
    'UPDATE accounts SET earning_available = earning_available + 1 WHERE id = 1',
  ],
  ['what every agent owes is the sum of its entries', 'UPDATE accounts SET earning_owed = 1 WHERE id = 1'],
  ['every earning was booked with its amount', 'UPDATE earnings SET amount = amount - 1'],
  ['what was taken back of every earning was booked', 'UPDATE earnings SET reversed = reversed + 1'],
  ['an earning is pending until it has matured', "UPDATE earnings SET state = 'pending'"],
  [
    'every earning is a part of what was paid, and no more was taken back than came back',
    'UPDATE earnings SET paid = paid + 1',
  ],
  [
    'every earning is a part of what was paid, and no more was taken back than came back',
    'UPDATE earnings SET refunded = 0',
  ],
  ['every entry is of the agent of its earning or payout', 'UPDATE earnings SET agent_id = 2'],
  ['every entry is of the agent of its earning or payout', 'UPDATE payouts SET agent_id = 2'],
  ['every payout was booked with its amount', 'UPDATE payouts SET amount = amount + 1'],
  ['every payout was booked with its amount', "DELETE FROM earning_entries WHERE kind = 'payout'"],
  ['what was not paid of payouts came back, and nothing else', "UPDATE payouts SET status = 'requested'"],
  [
    'what was not paid of payouts came back, and nothing else',
    "DELETE FROM earning_entries WHERE kind = 'payout_returned'",
  ],
  [
    'every move of earnings to a balance has both entries',
    "DELETE FROM ledger_entries WHERE source LIKE 'earnings:%'",
  ],
  [
    'what every agent may be paid out is the sum of its entries',
    'UPDATE accounts SET earning_payable = 9 WHERE id = 1',
  ],
  [
    'what may be paid out of every earning was booked when it had matured',
    'UPDATE earnings SET payable = payable - 1',
  ],
  ['no more of an earning may be paid out than is left of it', 'UPDATE earnings SET payable = amount'],
  [
    'every payout was taken from what may be paid out',
    "UPDATE earning_entries SET payable = 0 WHERE kind = 'payout'",
  ],
  [
    'what may be paid out stays money that came in when it is moved to a balance',
    "UPDATE ledger_entries SET paid_in = 0 WHERE source LIKE 'earnings:%'",
  ],
  [
    'every balance that got earnings gave them up as such',
    "DELETE FROM earning_entries WHERE kind = 'to_balance'",
  ],
]

it('the audit notices whatever is wrong with earnings', async () => {
  const service = await openService({ payouts: { ...PAYOUTS, min: 1 } })
  const { core, clock } = service
  const agent = await service.agent({ balance: 100 })
  const user = await service.customer(agent, { balance: 1000 })
  await service.product('static', { price: 10 })
  await service.stock('static', 9)
  await core.earnings.setPrice(agent, { markupPercent: 20 })
  const bought = await service.order(user, { ipCount: 3 })
  await service.runJobs()
  const { instances } = await core.orders.getStatic(user, bought)
  await core.orders.cancelStatic(user, { ...bought, instances: [instances[0]?.instanceNo ?? ''] })
  clock.advance(25 * 60 * 60_000)
  await core.jobs.matureEarnings()
  await expect(core.earnings.toBalance(agent, { amount: 4.01 })).rejects.toThrow('insufficient_balance')
  const moved = await core.earnings.toBalance(agent, { amount: 3 })
  expect(moved).toMatchObject({
    balance: 103_000_000,
    earnings: { pending: 0, available: 1_000_000, payable: 1_000_000, owed: 0 },
  })
  const { payout } = await core.earnings.requestPayout(agent, { amount: 0.5, address: ADDRESS })
  await core.operator.payouts.refuse(SHELL, { payoutNo: payout.payoutNo, reason: 'closed today' })
  await core.earnings.requestPayout(agent, { amount: 0.25, address: ADDRESS })
  await service.audited()

  const forger = await beside(service)
  await forger.unprotect()
  const restore = await keepRows(forger)
  for (const [rule, sql] of VIOLATIONS) {
    await forger.run(sql)
    const found = new Set((await core.operator.audit()).map((difference) => difference.rule))
    expect(found, sql).toContain(rule)
    await restore()
    await service.audited()
  }
  expect(new Set(VIOLATIONS.map(([rule]) => rule))).toEqual(new Set(EARNING_RULES.map(({ name }) => name)))
})
