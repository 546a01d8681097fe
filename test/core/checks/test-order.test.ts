import { expect, it } from 'vitest'
import { probedInCrowds, scriptedProber } from '../../support/scripted-prober.ts'
import { openService, refused } from '../../support/service.ts'

const MINUTE = 60_000

/** An agent with an order of so many proxies. */
async function withOrder(ipCount: number, { regular = false } = {}) {
  const prober = scriptedProber()
  const service = await openService({ checks: { prober: () => prober, regular } })
  const owner = await service.agent({ name: 'owner', balance: 1000 })
  await service.product()
  await service.stock('static', ipCount)
  await service.order(owner, { ipCount })
  await service.runJobs()
  prober.probed.length = 0
  const { core, db } = service
  return {
    ...service,
    prober,
    owner,
    test: () => core.checks.testOrder(owner, { id: 1 }),
    state: () => core.checks.orderTest(owner, { id: 1 }),
    proxies: () => db.read.instance.findMany({ orderBy: { id: 'asc' } }),
  }
}

it('a test of an order checks each active proxy once, and tells what was seen', async () => {
  const { test, state, core, prober, proxies, owner } = await withOrder(3)
  const [dead, released] = await proxies()
  prober.dead.add(dead?.ip ?? '')
  const { orderNo } = await core.orders.getStatic(owner, { id: 1 })
  await core.orders.cancelStatic(owner, { orderNo, instances: [released?.instanceNo ?? ''] })
  expect(await state()).toMatchObject([
    { left: false, check: null },
    { left: false, check: null },
  ])
  expect(await test()).toMatchObject([{ left: true }, { left: true }])
  await core.checks.asked.run()
  expect(await state()).toMatchObject([
    { ip: dead?.ip, left: false, check: { verdict: 'unknown', stage: 'connect', reason: 'timeout' } },
    { left: false, check: { verdict: 'alive', exitAddress: '198.51.100.1' } },
  ])
  expect(prober.probed).toHaveLength(2)
})

it('it is one a minute, however often it is asked for, and counts for each of its proxies', async () => {
  const { test, core, prober, clock, proxies, owner } = await withOrder(2)
  await Promise.all(Array.from({ length: 10 }, () => test()))
  await core.checks.asked.run()
  expect(prober.probed).toHaveLength(2)
  clock.advance(MINUTE - 20_000)
  await expect(test()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 20 })
  const [proxy] = await proxies()
  const instanceNo = proxy?.instanceNo ?? ''
  await refused(core.checks.check(owner, { instanceNo }), 'rate_limited')
  clock.advance(20_000)
  await core.checks.check(owner, { instanceNo })
  // What was checked just now is not checked again.
  await test()
  await core.checks.asked.run()
  expect(prober.probed).toHaveLength(4)
})

it('it is 20 proxies at once, and the regular checks neither delay nor drop it', async () => {
  const { test, core, prober, clock, db } = await withOrder(60)
  await test()
  // Regular checks are off: the times of earlier ones are dropped.
  await core.checks.due.run()
  expect(prober.probed).toEqual([])
  const seen = probedInCrowds(prober, 20, db)
  await core.checks.asked.run()
  expect([prober.probed.length, seen.most]).toEqual([60, 20])
  clock.advance(24 * 60 * MINUTE)
  await core.checks.due.run()
  expect(prober.probed).toHaveLength(60)
})

it('it is for the user of the order and the user’s agent, and for orders that have active proxies', async () => {
  const { core, owner, agent, customer, clock, runJobs } = await withOrder(1)
  for (const stranger of [await agent(), await customer(owner)]) {
    await refused(core.checks.testOrder(stranger, { id: 1 }), 'order_not_found')
    await refused(core.checks.orderTest(stranger, { id: 1 }), 'order_not_found')
  }
  clock.advance(40 * 24 * 60 * MINUTE)
  await runJobs()
  await refused(core.checks.testOrder(owner, { id: 1 }), 'invalid_state', { status: 'expired' })
})

it('it is not to be had where nobody could reach the echo', async () => {
  const { core, agent, product, stock, order } = await openService()
  const owner = await agent({ balance: 10 })
  await product()
  await stock('static', 1)
  await order(owner)
  await refused(core.checks.testOrder(owner, { id: 1 }), 'unavailable')
})

it('tests all proxies of a user, for itself and its agent only', async () => {
  const { core, owner, order, runJobs, customer, agent, stock } = await withOrder(2)
  await stock('static', 2)
  const buyer = await customer(owner, { name: 'buyer', balance: 100 })
  await order(buyer, { ipCount: 1 })
  await order(buyer, { ipCount: 1 })
  await runJobs()
  const user = { userId: buyer.id }
  for (const tester of [buyer, owner])
    expect(await core.checks.testProxies(tester, user)).toMatchObject([
      { position: 0, left: true },
      { position: 0, left: true },
    ])
  await core.checks.asked.run()
  expect((await core.checks.proxiesTest(buyer, user)).map(({ left }) => left)).toEqual([false, false])
  // The agent's own are another test.
  expect(await core.checks.proxiesTest(owner, { userId: owner.id })).toMatchObject([
    { check: null },
    { check: null },
  ])
  await refused(core.checks.testProxies(buyer, { userId: owner.id }), 'agent_required')
  await refused(core.checks.testProxies(await agent({ name: 'stranger' }), user), 'not_direct_sub_user')
})
