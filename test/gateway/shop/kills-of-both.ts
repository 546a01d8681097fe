import { expect, vi } from 'vitest'
import type { Flow } from '../../support/flow.ts'
import { meteredShop } from '../../support/metered-shop.ts'
import { PATIENCE } from '../../support/patience.ts'
import { runningMs } from '../../support/times.ts'

const MB = 1_000_000
/** What a kill may lose: a second of counting, and the second in which that is written. */
export const LOST_MS = 2_000

export const runs = (flow: Flow, bytes: number) => vi.waitUntil(() => flow.passed() > bytes, PATIENCE)

/** Kills shop and gateway at the same time, in so many rounds: a second of counting is lost at most, and nothing counted twice. */
export async function proveKillsOfBoth(rounds: number): Promise<void> {
  const shop = await meteredShop()
  const credential = await shop.buy(1_000 * MB)
  let least = 0
  for (let round = 0; round < rounds; round += 1) {
    const flow = await shop.flow(credential, 200 * MB)
    await runs(flow, 10 * MB)
    const killedAt = runningMs()
    await shop.product.kill()
    await flow.ended
    least += flow.passedAt(killedAt - LOST_MS)
    await shop.start()
  }
  const last = await shop.flow(credential, MB)
  expect(await last.ended).toBe(last.whole)
  await vi.waitUntil(async () => (await shop.reported(credential)).bytes >= least + last.whole, PATIENCE)
  await shop.product.terminate()
  expect((await shop.reported(credential)).bytes).toBeLessThanOrEqual(shop.source.passed(credential))
  await shop.audit()
}
