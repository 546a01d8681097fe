import { expect, test } from 'vitest'
import { openShop } from '../support/top-ups.ts'

test('a payment is seen, confirmed and credited once', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const http = await shop.as(user)
  const topUp = await shop.open(user)
  expect(topUp).toMatchObject({ amount: '100.00', status: 'pending', expires_in: 1800 })
  expect(topUp.pay_amount).toMatch(/^100\.00(0[1-9]|[1-9]\d?)$/)
  const check = async () =>
    (await http.get(`/usdt/check-status?order_no=${topUp.order_no}`)).body.data as unknown as Record<
      string,
      unknown
    >

  const txid = shop.pay(topUp)
  shop.clock.advance(5000)
  expect(await check()).toMatchObject({ status: 'confirming', tx_hash: txid, chain_stale: false, balance: 0 })
  shop.clock.advance(60_000)
  expect(await check()).toMatchObject({
    status: 'paid',
    late: false,
    paid_amount: topUp.pay_amount,
    from_address: shop.people.payer,
    confirmations: 19,
    balance: topUp.credit_amount,
  })
  await shop.pass(120_000)
  expect(await shop.entries(user)).toHaveLength(1)
  expect(await shop.balance(user)).toBe(topUp.credit_amount)
  await shop.audited()
})
