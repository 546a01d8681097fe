import { expect, test, vi } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { meteredShop } from '../../support/metered-shop.ts'
import { PATIENCE } from '../../support/patience.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { runningMs } from '../../support/times.ts'
import { LOST_MS, proveKillsOfBoth, runs } from './kills-of-both.ts'

const MB = 1_000_000

test.for([1, 2])(
  'A killed gateway of %i processes is back within seconds, has lost a second of counting at most, and counts nothing twice',
  async (workers) => {
    const shop = await meteredShop({ GATEWAY_WORKERS: String(workers) })
    const credential = await shop.buy(1_000 * MB)
    let least = 0
    for (let round = 0; round < 3; round += 1) {
      const flow = await shop.flow(credential, 200 * MB)
      await runs(flow, 10 * MB)
      const killedAt = runningMs()
      await shop.killGateway()
      await flow.ended
      least += flow.passedAt(killedAt - LOST_MS)
    }
    const last = await shop.flow(credential, MB)
    expect(await last.ended).toBe(last.whole)
    await vi.waitUntil(async () => (await shop.reported(credential)).bytes >= least + last.whole, PATIENCE)
    await shop.product.terminate()
    const { bytes, counted } = await shop.reported(credential)
    expect(counted).toBe(bytes)
    expect(bytes).toBeLessThanOrEqual(shop.source.passed(credential))
    await shop.audit()
  },
)

test('A killed shop leaves no gateway behind: the next start serves clients on the same port at once, and nothing is lost', async () => {
  const shop = await meteredShop({ GATEWAY_PORT: String(await freePort()) })
  const credential = await shop.buy(1_000 * MB)
  const flow = await shop.flow(credential, 200 * MB)
  await runs(flow, 10 * MB)
  await shop.killShop()
  const killedAt = runningMs()
  await shop.start()
  const next = await shop.flow(credential, MB)
  expect(runningMs() - killedAt).toBeLessThan(20_000)
  // For the folder and the port it waits some seconds at most, and for no lease: to the shop it is the same gateway.
  expect((shop.product.output().match(/the gateway has ended/g) ?? []).length).toBeLessThan(5)
  expect(await shop.beside.rows('SELECT 1 FROM gateways')).toHaveLength(1)
  expect(await next.ended).toBe(next.whole)
  const passed = await flow.ended
  await vi.waitUntil(async () => (await shop.reported(credential)).bytes >= passed + next.whole, PATIENCE)
  await shop.product.terminate()
  expect((await shop.reported(credential)).bytes).toBeLessThanOrEqual(shop.source.passed(credential))
  await shop.audit()
})

test('Shop and gateway killed at the same time lose a second of counting at most, and count nothing twice', () =>
  proveKillsOfBoth(2))

test('A gateway of its own goes on while the shop is killed and started again: all is counted, once', async () => {
  const shop = await meteredShop({ GATEWAY_PORT: 'off', PORT: String(await freePort()) })
  const credential = await shop.buy(50 * MB)
  const { port } = await shop.gateway(await temporaryDirectory())
  const flow = await shop.flow(credential, 40 * MB, port)
  await runs(flow, 8 * MB)
  await shop.killShop()
  const passed = flow.passed()
  await runs(flow, passed + 8 * MB)
  await shop.start()
  expect(await flow.ended).toBe(flow.whole)
  const rest = await shop.flow(credential, 40 * MB, port)
  expect(await rest.ended).toBe(50 * MB - flow.whole)
  await vi.waitUntil(async () => (await shop.reported(credential)).bytes >= 50 * MB, PATIENCE)
  expect(await shop.reported(credential)).toEqual({ bytes: 50 * MB, counted: 50 * MB })
  await shop.audit()
})
