import { expect, test } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { batch, trafficShop } from '../../support/gateway-wire.ts'

const MINUTE = 60_000

async function watchedShop() {
  const shop = await trafficShop({ operatorChats: [77] })
  const { core, clock, db, gateway } = shop
  let sequence = 0
  const report = (healthy: readonly boolean[], ended = false) =>
    gateway.count(
      batch((sequence += 1), {
        ended,
        exits: healthy.map((works, index) => ({
          id: index + 1,
          healthy: works,
          reason: works ? null : 'refused',
          connect_ms: null,
          connections: 0,
          bytes: 0,
          errors: 0,
        })),
      }),
    )
  /** Kinds of the notices a minute later, after a look of the loop; the gateway may report just before it. */
  const told = async (before?: () => Promise<unknown>) => {
    clock.advance(MINUTE)
    await before?.()
    for (const sweep of core.jobs.noticeSweeps) await sweep()
    const notices = await db.read.notice.findMany({ orderBy: { id: 'asc' } })
    return notices.map(({ kind, data }) => [kind, JSON.parse(data) as object])
  }
  return { ...shop, report, told }
}

test('a gateway that had worked and is silent is told once, and that it is back', async () => {
  const { told, report } = await watchedShop()
  expect(await told()).toEqual([])
  // At 12:02.
  expect(await told(() => report([]))).toEqual([])
  expect(await told()).toEqual([])
  const facts = { pool: null, since: '2026-03-01T12:02:00.000Z' }
  const silent = ['gateway_silent', facts]
  const back = ['gateway_back', facts]
  expect(await told()).toEqual([silent])
  expect(await told()).toEqual([silent])
  expect(await told(() => report([]))).toEqual([silent, back])
  expect(await told(() => report([]))).toEqual([silent, back])
  await told()
  expect(await told()).toEqual([
    silent,
    back,
    ['gateway_silent', { pool: null, since: '2026-03-01T12:07:00.000Z' }],
  ])
})

test('a gateway that stopped in order is not missed', async () => {
  const { told, report } = await watchedShop()
  await report([], true)
  for (let minute = 0; minute < 4; minute += 1) expect(await told()).toEqual([])
})

test('a pool without a working exit is told once, and that it has one again', async () => {
  const { told, report, core } = await watchedShop()
  await core.operator.exits.add(SHELL, { pool: 'dynamic_1' })
  await core.operator.exits.add(SHELL, { pool: 'dynamic_1', url: 'http://10.0.0.1:80' })
  const after = async (...healthy: readonly boolean[]) =>
    (await told(() => report(healthy))).map(([kind]) => kind)
  expect(await after(true, false)).toEqual([])
  expect(await after(false, false)).toEqual(['pool_without_exit'])
  expect(await after(false, false)).toEqual(['pool_without_exit'])
  expect(await after(false, true)).toEqual(['pool_without_exit', 'pool_with_exit'])
  expect(await after(false, false)).toEqual(['pool_without_exit', 'pool_with_exit', 'pool_without_exit'])
  await core.operator.exits.pause(SHELL, 1)
  await core.operator.exits.pause(SHELL, 2)
  expect(await after(false, false)).toHaveLength(3)
  await core.operator.exits.resume(SHELL, 2)
  expect((await after(false, true)).slice(3)).toEqual(['pool_with_exit'])
  // A pool whose last exit is paused is closed, too.
  await core.operator.exits.pause(SHELL, 2)
  expect((await after(false, true)).slice(4)).toEqual(['pool_without_exit'])
})
