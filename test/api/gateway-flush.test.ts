import { expect, test } from 'vitest'
import { expectRefusal } from '../support/api.ts'
import { beside } from '../support/beside.ts'
import { batch, trafficShop, used } from '../support/gateway-wire.ts'
import { PATIENCE } from '../support/patience.ts'

const GB = 1e9
const SUB_ACCOUNTS = '/open/app/dynamic/sub-accounts'

/** A shop with a gateway that answers each flush with what the sub-account used meanwhile. */
async function flushingShop(usedMeanwhile = 0.5 * GB) {
  const shop = await trafficShop()
  const { gateway, as, seller } = shop
  const client = await as(seller)
  const { cursor } = await gateway.page()
  /** Waits until a flush is asked for, and completes it. */
  const flush = async (sequence = 1) => {
    const page = await gateway.page({ cursor, wait: 20 })
    const [account] = page.accounts
    const flushed = account?.flush ?? 0
    await gateway.count(batch(sequence, { items: [used('crawler', usedMeanwhile)], flushed: [flushed] }))
    return { account, cursor: page.cursor }
  }
  return { ...shop, client, flush, path: `${SUB_ACCOUNTS}/${shop.sub.id}` }
}

/** How often a gateway was asked to flush something. */
async function flushesRequested(shop: Awaited<ReturnType<typeof flushingShop>>): Promise<number> {
  return (await beside(shop)).inserted('gateway_flushes')
}

const B = { base: '/b/api' } as const

test('before traffic is taken back, the gateway reports what was used', async () => {
  const { client, flush, path, gateway, flow, audited } = await flushingShop()
  const [answer, { account, cursor }] = await Promise.all([
    client.post(`${path}/traffic`, { amount: -2 }, B),
    flush(),
  ])
  // 1.5 GB are left.
  expectRefusal(answer, 409, 'traffic_not_available')
  expect(answer.body.data).toEqual({ requested: 2, available: 1.5 })
  // The account goes on: a newer revision without a flush.
  const after = await gateway.page({ cursor })
  expect(after.accounts).toMatchObject([{ username: 'crawler', flush: null, remaining_bytes: 1.5 * GB }])
  expect(after.accounts[0]?.revision).toBeGreaterThan(account?.revision ?? 0)

  const [taken] = await Promise.all([client.post(`${path}/traffic`, { amount: -1 }, B), flush(2)])
  expect(taken.body.data).toMatchObject({ limit_traffic: 1, used_traffic: 1 })
  expect(await flow()).toEqual({ used: 0, remaining: 9 * GB, subUsed: GB, subRemaining: 0 })
  await audited()
})

test('a sub-account is deleted and disabled after what it used was counted', async () => {
  const first = await flushingShop()
  const [deleted] = await Promise.all([first.client.delete(first.path, B), first.flush()])
  expect(deleted.body.data).toMatchObject({ returned_traffic: 1.5 })
  expect(await first.flow()).toMatchObject({ remaining: 9.5 * GB })
  await first.audited()

  const second = await flushingShop()
  const disable = second.client.patch(`${second.path}/status`, { status: 'disabled' }, B)
  const [disabled] = await Promise.all([disable, second.flush()])
  expect(disabled.body.data).toMatchObject({ status: 'disabled', used_traffic: 0.5 })
})

test('a gateway that does not answer delays it by 3 seconds only; without one nobody waits', async () => {
  const shop = await flushingShop()
  const { client, path, clock, flow, gateway, audited } = shop
  const begun = performance.now()
  expect((await client.post(`${path}/traffic`, { amount: -2 }, B)).status).toBe(200)
  expect(performance.now() - begun).toBeGreaterThan(2_900)
  // Its late report finds nothing left.
  await gateway.count(batch(1, { items: [used('crawler', GB)] }))
  expect(await flow()).toEqual({ used: 0, remaining: 10 * GB, subUsed: 0, subRemaining: 0 })
  await audited()

  clock.advance(15_000)
  const before = await flushesRequested(shop)
  await client.post(`${path}/traffic`, { amount: 1 }, B)
  await client.post(`${path}/traffic`, { amount: -1 }, B)
  await client.delete(path, B)
  expect(await flushesRequested(shop)).toBe(before)
})

test('before a main account gives traffic away, the gateway reports what was used', async () => {
  const { client, gateway, main, path, flow, audited } = await flushingShop()
  const { cursor } = await gateway.page()
  let known = cursor
  const report = async (sequence: number) => {
    let flushed: number | null = null
    while (flushed === null) {
      const page = await gateway.page({ cursor: known, wait: 20 })
      known = page.cursor
      flushed = page.accounts.find(({ username }) => username === main)?.flush ?? null
    }
    await gateway.count(batch(sequence, { items: [used(main, 3 * GB)], flushed: [flushed] }))
  }
  const [answer] = await Promise.all([client.post(`${path}/traffic`, { amount: 8 }, B), report(1)])
  expectRefusal(answer, 409, 'traffic_not_available')
  expect(answer.body.data).toEqual({ requested: 8, available: 5 })
  const [created] = await Promise.all([
    client.post(SUB_ACCOUNTS, { product_no: 'traffic', amount: 5 }, B),
    report(2),
  ])
  expectRefusal(created, 409, 'traffic_not_available')
  expect(await flow()).toMatchObject({ used: 6 * GB, remaining: 2 * GB })
  await audited()
})

test('who may not see a sub-account flushes nothing', async () => {
  const shop = await flushingShop()
  const { path, as, agent } = shop
  const stranger = await as(await agent())
  expectRefusal(await stranger.delete(path, B), 404, 'sub_account_not_found')
  expectRefusal(await stranger.post(`${path}/traffic`, { amount: -1 }, B), 404, 'sub_account_not_found')
  expect(await flushesRequested(shop)).toBe(0)
})

test('two operations on one sub-account wait for one report, and both are right', async () => {
  const { client, path, gateway, flow, audited, db } = await flushingShop()
  const { cursor } = await gateway.page()
  const both = Promise.all([
    client.post(`${path}/traffic`, { amount: -1 }, B),
    client.post(`${path}/traffic`, { amount: -1 }, B),
  ])
  await expect.poll(() => db.read.gatewayFlush.count(), PATIENCE).toBe(2)
  const page = await gateway.page({ cursor, wait: 20 })
  const flushed = page.accounts[0]?.flush ?? 0
  await gateway.count(batch(1, { items: [used('crawler', 0.5 * GB)], flushed: [flushed] }))
  expect((await both).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await flow()).toMatchObject({ subUsed: 0.5 * GB, subRemaining: 0.5 * GB })
  expect(await db.read.gatewayFlush.count()).toBe(0)
  await audited()
})

test('a flush that a killed process left behind is void after 10 seconds', async () => {
  const { gateway, db, clock, core, seller, sub } = await flushingShop()
  await db.write((tx) => tx.gatewayFlush.create({ data: { username: 'crawler', createdAt: clock.now() } }))
  const flushOf = async () =>
    (await gateway.page()).accounts.find(({ username }) => username === 'crawler')?.flush
  expect(await flushOf()).toEqual(expect.any(Number))
  clock.advance(10_000)
  expect(await flushOf()).toBeNull()
  clock.advance(15_000)
  await gateway.page()
  await core.traffic.setSubAccountStatus(seller, sub.id, { status: 'disabled' })
  expect(await db.read.gatewayFlush.count()).toBe(0)
})
