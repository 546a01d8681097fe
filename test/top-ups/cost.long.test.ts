import { expect, test } from 'vitest'
import type { Actor } from '../../src/core/access/actor.ts'
import { openShop } from '../support/top-ups.ts'
import { watch } from './watch.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('case 45: what hours of watching cost does not depend on how many wait', async () => {
  const idle = await watch(await openShop(), 6 * HOUR_MS)
  // A look a minute, a second look every ten, and a reconciliation an hour; at the start a check of the wallet and its token.
  expect(idle['lists']).toBeLessThanOrEqual(6 * (60 + 6 + 2))
  expect(idle['others']).toBeLessThanOrEqual(6 * 2 + 2 + 3)

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
})

test('five hundred payments within a minute stay below the limit of the key, and all are credited in good time', async () => {
  const shop = await openShop({ settings: { rateLimits: true } })
  const { create, check } = shop.core.topUps
  const { people, clock } = shop
  const topUps: { user: Actor; orderNo: string; payAmount: number }[] = []
  while (topUps.length < 500) {
    const user = await shop.customer(null)
    for (const amount of [10, 11, 12]) {
      const { topUp } = await create(user, { amount: String(amount + Math.floor(topUps.length / 90) * 3) })
      topUps.push({ user, orderNo: topUp.orderNo, payAmount: topUp.payAmount })
    }
  }
  await shop.scan()

  const unpaid = [...topUps]
  const begun = clock.now().getTime()
  const passed = () => clock.now().getTime() - begun
  const stale = new Set<boolean>()
  const look = async () => {
    await shop.scan()
    // The last to pay asks all the time.
    const last = topUps.at(-1)
    if (last) stale.add((await check(last.user, last.orderNo)).chainStale)
  }
  // Irreversible after 57 seconds; the rest of the time is for reading.
  while (passed() < 3 * MINUTE_MS) {
    const due = Math.min(Math.floor((passed() / MINUTE_MS) * topUps.length), topUps.length)
    for (const { payAmount } of unpaid.splice(0, due - (topUps.length - unpaid.length)))
      people.transfer({ units: BigInt(payAmount) })
    await look()
    clock.advance(Math.max(await shop.scanner().pause(), 1))
  }
  expect(shop.refused).toEqual([])
  expect(stale).toEqual(new Set([false]))
  expect(await shop.db.read.topUp.count({ where: { status: 'paid' } })).toBe(topUps.length)
  expect(await shop.db.read.ledgerEntry.count({ where: { type: 'recharge' } })).toBe(topUps.length)
  // A receipt for each payment; lists and second looks are few.
  expect(shop.tron.requests().length).toBeLessThan(topUps.length * 1.3)
  await shop.audited()
})
