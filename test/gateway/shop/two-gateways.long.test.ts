import { expect, test, vi } from 'vitest'
import { meteredShop } from '../../support/metered-shop.ts'
import { PATIENCE } from '../../support/patience.ts'
import { temporaryDirectory } from '../../support/service.ts'
import { runningMs } from '../../support/times.ts'

const MB = 1_000_000

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
