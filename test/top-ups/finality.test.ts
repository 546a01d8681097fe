import { expect, test } from 'vitest'
import { openShop, unitsOf, type WireTopUp } from '../support/top-ups.ts'

const MINUTE_MS = 60_000
const at = (time: string, ms: number) => new Date(Date.parse(time) + ms)

test('case 14: a payment is confirming until it is irreversible, and then paid exactly once', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  shop.pay(topUp)
  for (let second = 3; second < 57; second += 6) {
    shop.clock.advance(6000)
    await shop.scan()
    expect(await shop.topUp(topUp)).toMatchObject({ status: 'confirming', paidAt: null })
  }
  await shop.pass(60_000)
  expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(await shop.entries(user)).toHaveLength(1)
  await shop.audited()
})

test('case 15: a payment that a fork leaves out is awaited again, and credited once when it comes back later', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  const txid = shop.pay(topUp)
  shop.clock.advance(3000)
  await shop.scan()
  expect((await shop.topUp(topUp)).status).toBe('confirming')
  shop.people.drop(txid)
  await shop.pass(11 * MINUTE_MS, 30_000)
  expect(await shop.topUp(topUp)).toMatchObject({ status: 'pending', seenTxid: null })
  shop.people.include(txid)
  await shop.settle()
  expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(await shop.entries(user)).toHaveLength(1)

  // The other way: it never comes back, and meanwhile the time is over.
  const lost = await shop.open(user, '33')
  const gone = shop.pay(lost, { at: at(lost.expires_at, -MINUTE_MS) })
  await shop.pass(29.5 * MINUTE_MS, 30_000)
  expect((await shop.topUp(lost)).status).toBe('confirming')
  shop.people.drop(gone)
  await shop.pass(12 * MINUTE_MS, 30_000)
  expect((await shop.topUp(lost)).status).toBe('expired')
  await shop.audited()
})

test('case 16: the time of the block decides what is late and what is too late', async () => {
  const shop = await openShop()
  const graceMs = 24 * 60 * MINUTE_MS
  const offsets = { before: -3000, exactly: 0, after: 3000, last: graceMs, 'too late': graceMs + 3000 }
  const topUps: Record<string, WireTopUp> = {}
  for (const [name, ms] of Object.entries(offsets)) {
    const topUp = await shop.open(await shop.customer(null), '40')
    topUps[name] = topUp
    shop.pay(topUp, { at: at(topUp.expires_at, ms) })
  }
  await shop.pass(30 * MINUTE_MS + graceMs + 3 * MINUTE_MS, 30 * MINUTE_MS)
  const found: Record<string, unknown> = {}
  for (const [name, topUp] of Object.entries(topUps)) {
    const { status, late } = await shop.topUp(topUp)
    found[name] = `${status}${late ? ' late' : ''}`
  }
  expect(found).toEqual({
    before: 'paid',
    exactly: 'paid',
    after: 'paid late',
    last: 'paid late',
    'too late': 'expired',
  })
  expect((await shop.transfers()).filter((state) => state !== 'matched')).toEqual(['no_order'])
  await shop.audited()
})

test('case 17: what was paid before the top-up was opened is not taken for it, but for a clock that differs a little', async () => {
  const shop = await openShop()
  const [early, nearly] = [
    await shop.open(await shop.customer(null)),
    await shop.open(await shop.customer(null)),
  ]
  const now = shop.clock.now().toISOString()
  await shop.scan()
  shop.pay(early, { at: at(now, -63_000) })
  shop.pay(nearly, { at: at(now, -3000) })
  await shop.settle()
  expect((await shop.topUp(early)).status).toBe('pending')
  expect((await shop.topUp(nearly)).status).toBe('paid')
  expect((await shop.transfers()).toSorted()).toEqual(['matched', 'no_order'])
})

test.each([5, -5])(
  'case 18: a clock that is %d minutes off is reported and decides nothing',
  async (minutes) => {
    const shop = await openShop({ operatorChats: [9] })
    const topUp = await shop.open(await shop.customer(null))
    await shop.scan()
    const restore = shop.tron.faults.inject({
      kind: 'edit',
      method: 'trc20',
      times: Infinity,
      edit: (page: { meta: { at: number } }) => ({
        ...page,
        meta: { ...page.meta, at: page.meta.at + minutes * MINUTE_MS },
      }),
    })
    for (let i = 0; i < 12; i += 1) {
      shop.clock.advance(30_000)
      await shop.scan().catch(() => {})
    }
    expect(await shop.alerts()).toEqual(['chain_stale'])
    expect((await shop.topUp(topUp)).status).toBe('pending')
    restore()
    shop.pay(topUp)
    for (let i = 0; i < 30; i += 1) {
      shop.clock.advance(6000)
      await shop.scan().catch(() => {})
    }
    expect((await shop.topUp(topUp)).status).toBe('paid')
    expect(await shop.alerts()).toEqual(['chain_stale', 'chain_back'])
  },
)

test('case 19: a provider that falls behind takes nothing back', async () => {
  const shop = await openShop({ fallback: true })
  const [first, second] = [
    await shop.open(await shop.customer(null)),
    await shop.open(await shop.customer(null), '60'),
  ]
  shop.pay(first)
  await shop.settle()
  expect((await shop.topUp(first)).status).toBe('paid')
  for (const server of [shop.tron, shop.second])
    server?.faults.inject({ kind: 'solid-lag', blocks: 200, times: Infinity })
  shop.people.transfer({ units: unitsOf(second.pay_amount) })
  for (let i = 0; i < 20; i += 1) {
    shop.clock.advance(6000)
    await shop.scan().catch(() => {})
  }
  expect((await shop.topUp(first)).status).toBe('paid')
  expect((await shop.topUp(second)).status).toBe('confirming')
  shop.tron.faults.clear()
  shop.second?.faults.clear()
  for (let i = 0; i < 30; i += 1) {
    shop.clock.advance(6000)
    await shop.scan().catch(() => {})
  }
  expect((await shop.topUp(second)).status).toBe('paid')
  await shop.audited()
})

test('a clock that is set back silences nobody: whoever asks makes the chain be read at once', async () => {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  const check = () => shop.core.topUps.check(user, topUp.order_no)
  await check()
  shop.clock.advance(-40_000)
  shop.pay(topUp)
  shop.clock.advance(10_000)
  expect(await check()).toMatchObject({ status: 'confirming', chainStale: false })
})
