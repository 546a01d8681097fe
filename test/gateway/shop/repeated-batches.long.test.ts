import { expect, test } from 'vitest'
import { openBalancer } from '../../support/balancer.ts'
import { meteredShop } from '../../support/metered-shop.ts'
import { temporaryDirectory } from '../../support/service.ts'

const MB = 1_000_000

test('Batches that are handed over twice on the way are counted once, and end no tunnel', async () => {
  const shop = await meteredShop({ GATEWAY_PORT: 'off' })
  const balancer = await openBalancer({ twice: true })
  balancer.servers.push(shop.product)
  const credential = await shop.buy(50 * MB)
  const gateway = await shop.gateway(await temporaryDirectory(), balancer.address)
  const flow = await shop.flow(credential, 10 * MB, gateway.port)
  expect(await flow.ended).toBe(flow.whole)
  expect(await gateway.terminate()).toBe(0)
  expect(await shop.reported(credential)).toEqual({ bytes: flow.whole, counted: flow.whole })
  await shop.audit()
})
