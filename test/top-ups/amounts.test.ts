import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { MAX_MICROS } from '../../src/core/money.ts'
import { creditFor, usdtFor, usdtFrom, usdtText } from '../../src/core/usdt.ts'
import { expectRefusal } from '../support/api.ts'
import { openShop, unitsOf, WALLET } from '../support/top-ups.ts'

test('case 32: every other amount than the exact one waits for the operator, who sees for whom it may be', async () => {
  const shop = await openShop({ operatorChats: [9] })
  const user = await shop.customer(null)
  const topUp = await shop.open(user, '100')
  const exact = unitsOf(topUp.pay_amount)
  const others = [exact - 1n, exact + 1n, 100_000_000n, exact - 1_000_000n, exact / 2n, exact - exact / 2n]
  for (const units of others) shop.people.transfer({ units })
  await shop.settle()
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'pending' })
  expect(await shop.transfers()).toEqual(others.map(() => 'no_order'))
  const queue = await shop.core.operator.payments.list()
  // Payments of one moment have no order.
  const byUnits = ([a]: [bigint, unknown], [b]: [bigint, unknown]) => Number(a - b)
  expect(
    queue
      .map(({ units, near }): [bigint, string[]] => [BigInt(units), near.map(({ orderNo }) => orderNo)])
      .toSorted(byUnits),
  ).toEqual(
    others
      .map((units): [bigint, string[]] => [units, units > exact - 5_000_000n ? [topUp.order_no] : []])
      .toSorted(byUnits),
  )
  expect(await shop.alerts()).toEqual(others.map(() => 'transfer_unmatched'))
  await shop.audited()
})

test('case 33: an amount is digits with at most two decimals, as text or as a number, and nothing else', async () => {
  const shop = await openShop()
  const http = await shop.as(await shop.customer(null))
  const wrong = [
    '1e3',
    ' 10',
    '10.001',
    '10,5',
    '-1',
    'NaN',
    'Infinity',
    '',
    '0x10',
    '+5',
    '.5',
    '1_000',
    '१०',
    1e21,
    0.1 + 0.2,
  ]
  const types = [true, [], {}, null, ['10']]
  for (const amount of [...wrong, ...types]) {
    const answer = await http.post('/usdt/create-order', { amount })
    expect({ amount, error: answer.body.error }).toEqual({ amount, error: 'validation_error' })
    expect(answer.body.data.errors).toMatchObject([{ field: 'amount', rule: 'not_a_usdt_amount' }])
  }
  expectRefusal(await http.post('/usdt/create-order', {}), 422, 'validation_error')
  for (const amount of ['0', 0, '0.99', '50000.01', 50_001, '999999999']) {
    const answer = await http.post('/usdt/create-order', { amount })
    expectRefusal(answer, 422, 'amount_out_of_range')
    expect(answer.body.data).toEqual({ min_amount: '1.00', max_amount: '50000.00' })
  }
  for (const [amount, asked] of [
    ['1', '1.00'],
    [99.5, '99.50'],
    ['0050.10', '50.10'],
  ] as const)
    expect((await shop.open(await shop.customer(null), amount)).amount).toBe(asked)
})

test('case 34: a payment is worth what the rate was when it was asked for; a rate that is none does not start', async () => {
  const shop = await openShop({ terms: { rate: 7_200_000 } })
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  const cheaper = shop.restartedWith({ rate: 6_000_000 })
  shop.pay(topUp)
  shop.clock.advance(60_000)
  await cheaper.topUps.scanners[0]?.scan()
  const credited = Number((unitsOf(topUp.pay_amount) * 72n) / 10n) / 1e6
  expect(topUp.credit_amount).toBe(credited)
  expect(await shop.balance(user)).toBe(credited)
  await shop.audited()
  for (const rate of ['0', '-1', '7,2,1', 'NaN', '1e3', '0.0000001'])
    expect(
      () => loadConfig({ DATABASE_URL: 'file:/tmp/none.db', USDT_WALLET: WALLET, USDT_RATE: rate }),
      rate,
    ).toThrow('USDT_RATE')
})

test('the largest top-up is credited, and read again', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user, '50000')
  shop.pay(topUp)
  await shop.settle()
  const { body } = await (await shop.as(user)).get(`/usdt/check-status?order_no=${topUp.order_no}`)
  expect(body.data).toMatchObject({ status: 'paid', paid_amount: topUp.pay_amount })
  await shop.audited()
})

test('case 35: what is credited is the product, rounded down once, and never more than the money that came', () => {
  const units = fc.integer({ min: 1, max: 1_000_000_000_000_000 })
  const rate = fc.integer({ min: 1, max: 1_000_000_000 })
  fc.assert(
    fc.property(units, rate, (paid, rate) => {
      const exact = BigInt(paid) * BigInt(rate)
      fc.pre(exact / 1_000_000n <= BigInt(MAX_MICROS))
      const credit = BigInt(creditFor(paid, rate))
      expect(credit * 1_000_000n <= exact && exact < (credit + 1n) * 1_000_000n).toBe(true)
    }),
    { numRuns: 10_000 },
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000_000 }),
      fc.integer({ min: 1000, max: 1_000_000_000 }),
      (missing, rate) => {
        const needed = usdtFor(missing, rate)
        expect(creditFor(needed, rate)).toBeGreaterThanOrEqual(missing)
        expect(needed % 10_000).toBe(0)
        if (needed > 10_000) expect(creditFor(needed - 10_000, rate)).toBeLessThan(missing)
      },
    ),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
      expect(usdtFrom(usdtText(cents * 10_000))).toBe(cents * 10_000)
    }),
  )
})
