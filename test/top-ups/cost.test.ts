import { expect, test } from 'vitest'
import { openShop, type Shop } from '../support/top-ups.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Lets time pass as the watcher does: a scan, then the pause that it asks for; counts the calls. */
async function watch(shop: Shop, ms: number): Promise<Record<string, number>> {
  shop.tron.clearRequests()
  const end = shop.clock.now().getTime() + ms
  while (shop.clock.now().getTime() < end) {
    await shop.scan()
    shop.clock.advance(await shop.scanner().pause())
  }
  const lists = shop.tron.requests('trc20').length
  return { lists, others: shop.tron.requests().length - lists }
}

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

test('case 45: what a day of watching costs does not depend on how many wait', async () => {
  const idle = await watch(await openShop(), 24 * HOUR_MS)
  // A look a minute, a second look every ten, and a reconciliation an hour.
  expect(idle['lists']).toBeLessThanOrEqual(1440 + 144 + 48)
  expect(idle['others']).toBeLessThanOrEqual(24 * 2 + 2)

  const hour = async (waiting: number) => {
    const shop = await openShop({ terms: { expireMs: 2 * HOUR_MS } })
    for (let i = 0; i < waiting; i += 1)
      await shop.core.topUps.create(await shop.customer(null), { amount: String(10 + (i % 4)) })
    return watch(shop, HOUR_MS)
  }
  const [one, many] = [await hour(1), await hour(200)]
  // Every five seconds, however many there are.
  expect(one['lists']).toBeLessThanOrEqual(720 + 6 + 4)
  expect(many).toEqual(one)
}, 120_000)

test('a difference between the wallet and what came and went is reported once it persists, once', async () => {
  const shop = await openShop({ operatorChats: [9] })
  await shop.pass(2 * HOUR_MS, 10 * MINUTE_MS)
  shop.people.transfer({ units: 300_000_000n })
  shop.people.transfer({ from: shop.people.wallet, to: shop.people.payer, units: 120_000_000n })
  await shop.pass(4 * HOUR_MS, 10 * MINUTE_MS)
  expect(await shop.core.operator.auditWallet()).toEqual([])
  expect(await shop.alerts()).toEqual(['transfer_unmatched'])
  const hidden = shop.people.transfer({ units: 50_000_000n })
  shop.tron.faults.inject({ kind: 'drop-row', txid: hidden, times: Infinity })
  await shop.pass(6 * HOUR_MS, 10 * MINUTE_MS)
  expect(await shop.alerts()).toEqual(['transfer_unmatched', 'reconciliation_mismatch'])
})
