import { expect, test } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { TOP_UP_RULES } from '../../../src/core/top-ups/book-rules.ts'
import { beside, keepRows } from '../../support/beside.ts'
import { openShop, unitsOf } from '../../support/top-ups.ts'

const MINUTE_MS = 60_000

/** Books of top-ups with everything in them: paid in time, late, by hand and twice; expired, cancelled and open ones. */
async function books() {
  const shop = await openShop({ terms: { rate: 2_000_000 } })
  const [ann, ben] = [await shop.customer(null), await shop.customer(null)]
  const paid = await shop.open(ann, '10')
  const late = await shop.open(ann, '20')
  const byHand = await shop.open(ben, '30')
  const cancelled = await shop.open(ben, '40')
  shop.pay(paid)
  await shop.core.topUps.cancel(ben, cancelled.order_no)
  await shop.pass(31 * MINUTE_MS, MINUTE_MS)
  shop.pay(late)
  const txids = {
    twice: shop.pay(paid),
    other: shop.people.transfer({ units: unitsOf('29') }),
    strange: shop.people.transfer({ units: unitsOf('5') }),
  }
  await shop.settle()
  const { payments } = shop.core.operator
  await payments.assign(SHELL, { txid: txids.twice, orderNo: paid.order_no })
  await payments.assign(SHELL, { txid: txids.other, orderNo: byHand.order_no })
  await payments.refund(SHELL, { txid: txids.strange, note: 'sent back' })
  shop.people.transfer({ units: unitsOf('6') })
  const pending = await shop.open(ben, '50')
  await shop.settle()
  await shop.audited()
  const statuses = await Promise.all([paid, late, byHand, cancelled, pending].map(shop.topUp))
  expect(statuses.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'cancelled', 'pending'])
  const numbers = {
    paid: paid.order_no,
    late: late.order_no,
    byHand: byHand.order_no,
    cancelled: cancelled.order_no,
    pending: pending.order_no,
  }
  return { shop, numbers }
}

type Name = keyof Awaited<ReturnType<typeof books>>['numbers']

const EXACT = 'an automatic payment is of the exact amount, within the time of its top-up'
const CREDITED = 'every matched transfer is credited once, at the rate of its top-up'

const VIOLATIONS: readonly { rule: string; sql: string; detail: RegExp; about?: Name }[] = [
  {
    rule: CREDITED,
    sql: 'DELETE FROM ledger_entries WHERE order_no = :late',
    detail: /^0\.00 instead of 40\.0\d+$/,
  },
  {
    rule: CREDITED,
    sql: 'UPDATE ledger_entries SET amount = amount + 1 WHERE order_no = :byHand',
    detail: /^58\.000001 instead of 58\.00$/,
  },
  {
    rule: CREDITED,
    sql: 'UPDATE ledger_entries SET account_id = 2 WHERE order_no = :late',
    detail: /^0\.00 instead of 40\.0\d+$/,
  },
  {
    rule: CREDITED,
    sql: 'UPDATE top_ups SET rate = rate * 2 WHERE order_no = :byHand',
    detail: /^58\.00 instead of 116\.00$/,
  },
  {
    rule: 'every credit for USDT has its transfer',
    sql: "UPDATE usdt_transfers SET state = 'ignored' WHERE units = '29000000'",
    detail: /^0 instead of 1$/,
  },
  {
    rule: 'every credit for USDT has its transfer',
    sql: "UPDATE ledger_entries SET source = source || '1' WHERE order_no = :late",
    detail: /^0 instead of 1$/,
  },
  {
    rule: 'every paid top-up has a transfer, and no other has',
    sql: "UPDATE top_ups SET status = 'paid', paid_at = created_at WHERE order_no = :pending",
    detail: /^1 instead of 0$/,
    about: 'pending',
  },
  {
    rule: 'every paid top-up has a transfer, and no other has',
    sql: "UPDATE top_ups SET status = 'expired' WHERE order_no = :late",
    detail: /^0 instead of 1$/,
    about: 'late',
  },
  {
    rule: 'every paid top-up says what it was credited',
    sql: 'UPDATE top_ups SET credit_amount = credit_amount - 1000000 WHERE order_no = :byHand',
    detail: /^57\.00 instead of 58\.00$/,
    about: 'byHand',
  },
  ...[
    'UPDATE top_ups SET pay_units = pay_units + 1 WHERE order_no = :late',
    'UPDATE top_ups SET match_until = expires_at WHERE order_no = :late',
    "UPDATE usdt_transfers SET block_time = '2026-03-01T11:58:00.000Z' WHERE top_up_id = (SELECT id FROM top_ups WHERE order_no = :late)",
    "UPDATE usdt_transfers SET wallet = 'another' WHERE top_up_id = (SELECT id FROM top_ups WHERE order_no = :late)",
    "UPDATE usdt_transfers SET contract = 'another' WHERE top_up_id = (SELECT id FROM top_ups WHERE order_no = :late)",
    'UPDATE usdt_transfers SET resolved_at = NULL WHERE top_up_id = (SELECT id FROM top_ups WHERE order_no = :byHand)',
  ].map((sql) => ({ rule: EXACT, sql, detail: /^0 instead of 1$/ })),
]

test('the audit notices whatever is wrong with top-ups', async () => {
  const { shop, numbers } = await books()
  const forger = await beside(shop)
  await forger.unprotect()
  const restore = await keepRows(forger)
  for (const { rule, sql, detail, about } of VIOLATIONS) {
    await forger.run(sql.replaceAll(/:([a-z]\w*)/gi, (_, name: Name) => `'${numbers[name]}'`))
    expect(await shop.core.operator.audit(), sql).toContainEqual({
      rule,
      detail: expect.stringMatching(detail) as string,
      subject: about ? numbers[about] : (expect.any(String) as string),
    })
    await restore()
  }
  expect(new Set(VIOLATIONS.map(({ rule }) => rule))).toEqual(new Set(TOP_UP_RULES.map(({ name }) => name)))
})

test('credits from the time when there was one network, which their entries do not name, are those of their transfers', async () => {
  const { shop } = await books()
  const forger = await beside(shop)
  await forger.unprotect()
  await forger.run(
    "UPDATE ledger_entries SET source = replace(source, 'usdt:TRC20:', 'usdt:') WHERE source LIKE 'usdt:%'",
  )
  expect(await shop.core.operator.audit()).toEqual([])
  await forger.run("UPDATE usdt_transfers SET network = 'OTHER' WHERE units = '29000000'")
  expect(await shop.core.operator.audit()).toEqual([])
  await forger.run(
    "UPDATE ledger_entries SET source = replace(source, 'usdt:', 'usdt:TRC20:') WHERE source LIKE 'usdt:%'",
  )
  expect((await shop.core.operator.audit()).map(({ rule }) => rule)).toContain(CREDITED)
})
