import { expect, test } from 'vitest'
import { openShop } from '../support/top-ups.ts'
import { watch } from './watch.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('case 41: a row that the index lists a quarter of an hour late is found by the second look, and paid by its block time', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  await shop.scan()
  const txid = shop.pay(topUp)
  const hide = shop.tron.faults.inject({ kind: 'drop-row', txid, times: Infinity })
  await shop.pass(20 * MINUTE_MS, MINUTE_MS)
  expect((await shop.topUp(topUp)).status).toBe('pending')
  hide()
  await shop.pass(15 * MINUTE_MS, MINUTE_MS)
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'paid', late: false })
  await shop.audited()
})

test('case 45: what watching costs does not depend on how many wait', async () => {
  const idle = await watch(await openShop(), HOUR_MS)
  // A look a minute, a second look every ten, and a reconciliation an hour; at the start a check of the wallet and its token.
  expect(idle['lists']).toBeLessThanOrEqual(60 + 6 + 2)
  expect(idle['others']).toBeLessThanOrEqual(2 + 2 + 3)

  const minutes = async (waiting: number) => {
    const shop = await openShop({ terms: { expireMs: 2 * HOUR_MS } })
    for (let i = 0; i < waiting; i += 1)
      await shop.core.topUps.create(await shop.customer(null), { amount: String(10 + (i % 4)) })
    return watch(shop, 10 * MINUTE_MS)
  }
  const [one, many] = [await minutes(1), await minutes(50)]
  // Every five seconds, however many there are.
  expect(one['lists']).toBeLessThanOrEqual(120 + 1 + 4)
  expect(many).toEqual(one)
})

test('a difference between the wallet and what came and went is reported once it persists, once', async () => {
  const shop = await openShop({ operatorChats: [9] })
  await shop.pass(2 * HOUR_MS, 10 * MINUTE_MS)
  shop.people.transfer({ units: 300_000_000n })
  shop.people.transfer({ from: shop.people.wallet, to: shop.people.payer, units: 120_000_000n })
  await shop.pass(4 * HOUR_MS, 10 * MINUTE_MS)
  expect(await shop.core.operator.auditWallets()).toEqual([
    { network: 'TRC20', differences: [], warnings: [] },
  ])
  expect(await shop.alerts()).toEqual(['transfer_unmatched'])
  const hidden = shop.people.transfer({ units: 50_000_000n })
  shop.tron.faults.inject({ kind: 'drop-row', txid: hidden, times: Infinity })
  await shop.pass(6 * HOUR_MS, 10 * MINUTE_MS)
  expect(await shop.alerts()).toEqual(['transfer_unmatched', 'reconciliation_mismatch'])
})
