import { describe, expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { expectRefusal } from '../support/api.ts'
import { PASSWORD } from '../support/service.ts'
import { batch, gatewayOf, trafficShop, used } from '../support/gateway-wire.ts'

const GB = 1e9

test('a batch is counted once, on accounts, orders and days', async () => {
  const { gateway, main, flow, db, audited, sub } = await trafficShop()
  const first = batch(1, { items: [used(main, 3 * GB), used('crawler', GB)] })
  const answer = await gateway.count(first)
  expect(answer).toEqual({
    sequence: 1,
    replayed: false,
    accounts: expect.arrayContaining([
      { username: main, remaining_bytes: 5 * GB, revision: expect.any(Number) as number },
      { username: 'crawler', remaining_bytes: GB, revision: expect.any(Number) as number },
    ]) as object,
  })
  expect(await gateway.count(first)).toEqual({ ...answer, replayed: true, same: true })
  expect(await flow()).toEqual({ used: 3 * GB, remaining: 5 * GB, subUsed: GB, subRemaining: GB })
  await gateway.count(batch(2, { items: [used(main, 1), used(main, 2, { day: '2026-03-02' })] }))
  expect(await flow()).toMatchObject({ used: 3 * GB + 3, remaining: 5 * GB - 3 })
  // One report for each credential and day.
  const reports = await db.read.usageReport.findMany({ orderBy: { id: 'asc' } })
  expect(
    reports.map(({ reportId, bytes, subAccountId, day }) => [reportId, Number(bytes), subAccountId, day]),
  ).toEqual([
    [`gateway:2026-03-01:${main}`, 3 * GB + 1, null, '2026-03-01'],
    ['gateway:2026-03-01:crawler', GB, sub.id, '2026-03-01'],
    [`gateway:2026-03-02:${main}`, 2, null, '2026-03-02'],
  ])
  await audited()
})

test('batches have no gaps, for each journal of its own', async () => {
  const api = await trafficShop()
  const { gateway, main, clock, flow } = api
  const gap = await gateway.report(batch(2, { items: [used(main, GB)] }))
  expectRefusal(gap, 409, 'usage_out_of_order')
  expect(gap.body.data).toEqual({ expected: 1 })
  await gateway.count(batch(1, { items: [used(main, GB)] }))
  await gateway.count(batch(2))
  expectRefusal(await gateway.report(batch(4)), 409, 'usage_out_of_order')
  // An old batch is answered with the last one that was counted.
  expect(await gateway.count(batch(1, { items: [used(main, GB)] }))).toMatchObject({
    sequence: 2,
    replayed: true,
    same: false,
    accounts: [{ username: main, remaining_bytes: 7 * GB }],
  })
  // By the last one a gateway knows whether another one has a copy of its journal.
  expect(await gateway.count(batch(2))).toMatchObject({ replayed: true, same: true })
  const different = batch(2, { items: [used(main, GB)] })
  expect(await gateway.count(different)).toMatchObject({ replayed: true, same: false })
  clock.advance(15_000)
  const other = gatewayOf(api, 'another-gateway-of-the-tests')
  expectRefusal(await other.report(batch(3)), 409, 'usage_out_of_order')
  await other.count(batch(1, { items: [used(main, GB)] }))
  clock.advance(15_000)
  // The first one goes on where it was.
  await gateway.count(batch(3, { items: [used(main, GB)] }))
  expect(await flow()).toMatchObject({ used: 3 * GB })
})

test('a refused batch changes nothing', async () => {
  const api = await trafficShop()
  const { gateway, main, flow, db } = api
  await gateway.count(batch(1))
  const second = gatewayOf(api, 'another-gateway-of-the-tests')
  expectRefusal(await second.report(batch(1, { items: [used(main, GB)] })), 409, 'gateway_taken')
  expectRefusal(await gateway.report(batch(3, { items: [used(main, GB)] })), 409, 'usage_out_of_order')
  const bad = { ...batch(2), items: [used(main, -1)] }
  expectRefusal(await gateway.report(bad), 422, 'validation_error')
  expect(await flow()).toMatchObject({ used: 0 })
  expect(await db.read.gateway.count()).toBe(1)
})

test('what exceeds the traffic that is left is recorded, and not counted', async () => {
  const { gateway, main, flow, db, buyTraffic, seller, audited } = await trafficShop()
  expect(await gateway.count(batch(1, { items: [used(main, 9 * GB)] }))).toMatchObject({
    accounts: [{ remaining_bytes: 0 }],
  })
  expect(await flow()).toMatchObject({ used: 8 * GB, remaining: 0 })
  expect(await db.read.usageReport.findFirstOrThrow()).toMatchObject({
    bytes: BigInt(9 * GB),
    countedBytes: BigInt(8 * GB),
  })
  await buyTraffic(seller)
  await gateway.count(batch(2, { items: [used(main, 1)] }))
  expect(await flow()).toMatchObject({ used: 8 * GB + 1, remaining: GB - 1 })
  await audited()
})

test('late use of a deleted sub-account counts on the main account, which the gateway hears of', async () => {
  const { gateway, main, core, seller, sub, flow, clock, audited } = await trafficShop()
  await gateway.count(batch(1, { items: [used('crawler', 0.5 * GB)] }))
  clock.advance(15_000)
  await core.traffic.deleteSubAccount(seller, sub.id)
  const { cursor } = await gateway.page()
  expect(await gateway.count(batch(2, { items: [used('crawler', GB)] }))).toMatchObject({
    accounts: [{ username: 'crawler', remaining_bytes: 0 }],
  })
  expect(await flow()).toMatchObject({ used: GB, remaining: 8.5 * GB, subUsed: 0.5 * GB })
  expect(await gateway.page({ cursor })).toMatchObject({
    sequence: 2,
    accounts: [{ username: main, remaining_bytes: 8.5 * GB }],
  })
  await audited()
})

test('accounts that never existed are ignored', async () => {
  const { gateway, main, flow, audited } = await trafficShop()
  const items = [used('nobody', GB), used(main, GB)]
  expect(await gateway.count(batch(1, { items }))).toMatchObject({ accounts: [{ username: main }] })
  expect(await flow()).toMatchObject({ used: GB })
  await audited()
})

test('users are told when their traffic is nearly used up, and when it is', async () => {
  const { gateway, main, db, seller, core } = await trafficShop()
  await core.chats.session(9, 'en')
  await core.chats.logIn(9, { username: seller.username, password: PASSWORD })
  const told = async () => (await db.read.notice.findMany({ orderBy: { id: 'asc' } })).map(({ kind }) => kind)
  await gateway.count(batch(1, { items: [used(main, 7 * GB), used('crawler', GB)] }))
  await gateway.count(batch(2, { items: [used(main, GB)] }))
  expect(await told()).toEqual(['traffic_80'])
  await gateway.count(batch(3, { items: [used('crawler', GB)] }))
  expect(await told()).toEqual(['traffic_80', 'traffic_100'])
})

test('what the gateway says of itself and of its exits is kept', async () => {
  const { gateway, core, clock, db } = await trafficShop()
  const { id } = await core.operator.exits.add(SHELL, { pool: 'dynamic_1', url: 'http://10.0.0.1:8080' })
  expect(await core.operator.gateway()).toMatchObject({ atWork: false, last: null, refused: {} })
  const exit = { id, healthy: true, reason: null, connect_ms: 12, connections: 2, bytes: 100, errors: 0 }
  const about = { started_at: '2026-03-01T09:00:00.000Z', workers: 2 }
  await gateway.count(
    batch(1, {
      exits: [exit, { ...exit, id: 99 }],
      gateway: { ...about, connections: 3, accepted: 4, refused: { no_exit: 1, constructor: 2 } },
    }),
  )
  await gateway.count(
    batch(2, {
      exits: [{ ...exit, healthy: false, reason: 'refused', connect_ms: null, errors: 3 }],
      gateway: { ...about, connections: 1, accepted: 5, refused: { no_exit: 1 } },
    }),
  )
  expect(await core.operator.gateway()).toMatchObject({
    atWork: true,
    last: { gatewayId: 'gateway-of-the-tests', workers: 2, connections: 1, ended: false },
    accepted: 9,
    refused: { no_exit: 2, constructor: 2 },
    exits: [{ id, healthy: false, reason: 'refused', connectMs: 12, connections: 4, bytes: 200, errors: 3 }],
  })
  // A gateway with several reports of an exit in one batch means all of them.
  await gateway.count(batch(3, { exits: [exit, { ...exit, connect_ms: null, bytes: 50 }] }))
  const [joined] = (await core.operator.gateway()).exits
  expect(joined).toMatchObject({ healthy: true, connectMs: 12, connections: 8, bytes: 350, errors: 3 })
  expect(await db.read.exitDay.findMany()).toMatchObject([{ exitId: id, bytes: 350n, errors: 3n }])
  clock.advance(15_000)
  expect((await core.operator.gateway()).atWork).toBe(false)
})

describe('hosts', () => {
  const targets = (...names: readonly string[]) => names.map((host) => ({ host, bytes: 10 }))

  test('are counted by day, 200 of them by name', async () => {
    const { gateway, main, core, seller, audited, trafficId, db } = await trafficShop()
    const names = Array.from({ length: 210 }, (_, index) => `h${index}.example.com`)
    for (const [index, part] of [names.slice(0, 50), names.slice(50, 100), names.slice(100, 150)].entries())
      await gateway.count(batch(index + 1, { items: [used(main, 500, { targets: targets(...part) })] }))
    await gateway.count(
      batch(4, {
        items: [
          used(main, 500, { targets: targets(...names.slice(150, 200)) }),
          used('crawler', 150, { targets: targets(...names.slice(200)) }),
        ],
      }),
    )
    // Known ones are still counted, however they are spelled.
    await gateway.count(batch(5, { items: [used(main, 30, { targets: targets('H7.Example.com') })] }))
    expect(await db.read.usageTarget.count({ where: { trafficId } })).toBe(201)
    const figures = await core.traffic.usage(seller, { productNo: 'traffic' })
    expect(figures.targets).toHaveLength(20)
    expect(figures.targets[0]).toEqual({ host: 'h7.example.com', bytes: 20 })
    expect(figures.bytes).toBe(2_180)
    expect(figures.otherTargets).toBe(2_180 - 19 * 10 - 20)
    await audited()
  })

  test('never sum to more than was used, and are not counted where they are switched off', async () => {
    const { gateway, main, core, seller, audited, db } = await trafficShop()
    await gateway.count(batch(1, { items: [used(main, 15, { targets: targets('a', 'b', 'c') })] }))
    const rows = () => db.read.usageTarget.findMany({ orderBy: { host: 'asc' } })
    expect((await rows()).map(({ host, bytes }) => `${host} ${bytes}`)).toEqual(['a 10', 'b 5'])
    await audited()
    await core.traffic.setKeepsHosts(seller, { productNo: 'traffic' }, false)
    expect(await rows()).toEqual([])
    await gateway.count(batch(2, { items: [used(main, 15, { targets: targets('a') })] }))
    expect(await rows()).toEqual([])
    await core.traffic.setKeepsHosts(seller, { productNo: 'traffic' }, true)
    await gateway.count(batch(3, { items: [used(main, 15, { targets: targets('a') })] }))
    expect((await rows()).map(({ host, bytes }) => `${host} ${bytes}`)).toEqual([' 5', 'a 10'])
    await audited()
  })

  test('are forgotten after 30 days', async () => {
    const { gateway, main, core, clock, db, seller } = await trafficShop()
    const day = (text: string) => used(main, 10, { day: text, targets: targets('a') })
    await gateway.count(batch(1, { items: [day('2026-03-01'), day('2026-03-02')] }))
    clock.advance(30 * 86_400_000)
    await core.jobs.sweepUsageTargets()
    expect((await db.read.usageTarget.findMany()).map((row) => row.day)).toEqual(['2026-03-02'])
    expect(await core.traffic.usage(seller, { productNo: 'traffic', days: 30 })).toMatchObject({
      from: '2026-03-02',
      to: '2026-03-31',
      bytes: 10,
      targets: [{ host: 'a', bytes: 10 }],
    })
  })
})
