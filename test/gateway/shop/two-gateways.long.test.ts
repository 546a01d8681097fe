import { expect, test, vi } from 'vitest'
import { Refused, startFlow } from '../../support/flow.ts'
import { meteredShop } from '../../support/metered-shop.ts'
import { PATIENCE } from '../../support/patience.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { runningMs } from '../../support/times.ts'

const MB = 1_000_000

test('A second gateway waits while the first one works, and follows it at once when that ends', async () => {
  const shop = await meteredShop({ GATEWAY_PORT: 'off' })
  const credential = await shop.buy(10 * MB)
  const first = await shop.gateway(await temporaryDirectory())
  const flow = await shop.flow(credential, 5 * MB, first.port)
  const second = await shop.gateway(await temporaryDirectory())
  await vi.waitUntil(() => second.output().includes('does not answer as it should'), PATIENCE)
  const refused = () => startFlow(second.port, credential, 1)
  await expect(refused()).rejects.toEqual(new Refused(503, 'shop_unreachable'))
  expect(await flow.ended).toBe(flow.whole)
  await expect(refused()).rejects.toEqual(new Refused(503, 'shop_unreachable'))

  expect(await first.terminate()).toBe(0)
  // All that the first one counted is known when the second one begins.
  expect((await shop.reported(credential)).bytes).toBe(flow.whole)
  const endedAt = runningMs()
  const rest = await shop.flow(credential, 10 * MB, second.port)
  // It asks every 5 seconds; after an end without a word it would have to wait for 15.
  expect(runningMs() - endedAt).toBeLessThan(12_000)
  expect(await rest.ended).toBe(10 * MB - flow.whole)
  await vi.waitUntil(async () => (await shop.reported(credential)).bytes === 10 * MB, PATIENCE)
  expect((await shop.reported(credential)).counted).toBe(10 * MB)
  await shop.audit()
})

test('A gateway that was killed is followed by another one after 15 seconds; what it had written is counted when it is back', async () => {
  const shop = await meteredShop({ GATEWAY_PORT: 'off' })
  const credential = await shop.buy(500 * MB)
  const data = await temporaryDirectory()
  const first = await shop.gateway(data)
  const flow = await shop.flow(credential, 100 * MB, first.port)
  await vi.waitUntil(() => flow.passed() > 10 * MB, PATIENCE)
  const killedAt = runningMs()
  await first.kill()
  const passed = await flow.ended
  const second = await shop.gateway(await temporaryDirectory())
  const other = await shop.flow(credential, MB, second.port)
  expect(await other.ended).toBe(other.whole)

  // The journal of the first one is read by its successor, which waits for its turn.
  const third = await shop.gateway(data)
  await vi.waitUntil(() => third.output().includes('does not answer as it should'), PATIENCE)
  await second.terminate()
  const last = await shop.flow(credential, MB, third.port)
  expect(await last.ended).toBe(last.whole)
  await third.terminate()
  const { bytes, counted } = await shop.reported(credential)
  expect(counted).toBe(bytes)
  const rest = bytes - other.whole - last.whole
  expect(rest).toBeGreaterThanOrEqual(flow.passedAt(killedAt - 2_000))
  expect(rest).toBeLessThanOrEqual(passed + MB)
  await shop.audit()
})
