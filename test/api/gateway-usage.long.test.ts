import { expect, test } from 'vitest'
import { batch, trafficShop, used } from '../support/gateway-wire.ts'

test('a batch of 1,000 accounts is counted quickly', async () => {
  const { gateway, core, seller, buyTraffic, flow, audited } = await trafficShop()
  await buyTraffic(seller, { trafficAmount: 1_000 })
  const add = (_: unknown, index: number) =>
    core.traffic.createSubAccount(seller, { productNo: 'traffic', username: `sub_${index}`, amount: 1 })
  await Promise.all(Array.from({ length: 1_000 }, add))
  const items = Array.from({ length: 1_000 }, (_, index) =>
    used(`sub_${index}`, 1_000, { targets: [{ host: `h${index % 10}.example.com`, bytes: 900 }] }),
  )
  await gateway.count(batch(1, { items }))
  const times: number[] = []
  for (let sequence = 2; sequence <= 6; sequence += 1) {
    const begun = performance.now()
    await core.gateway.countUsage('gateway-of-the-tests', batch(sequence, { items }))
    times.push(performance.now() - begun)
  }
  expect(Math.min(...times)).toBeLessThan(300)
  expect((await flow()).subUsed).toBe(0)
  await audited()
}, 60_000)
