import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { sealing } from '../../src/core/sealed.ts'
import { resellerApi } from '../../src/suppliers/reseller-api/driver.ts'
import { openApi } from '../support/api.ts'
import { JWT_SECRET, PASSWORD } from '../support/service.ts'
import { suppliedProduct } from '../support/supplied-product.ts'

/** A service that can be reached, and at which another one has an account with 100. */
async function shop() {
  const service = await openApi({ api: {}, drivers: { 'reseller-api': resellerApi } })
  const { agent, core, server } = service
  const account = await agent({ name: 'reseller', balance: 100 })
  await core.instance.id()
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return { ...service, account, url: `http://127.0.0.1:${port}/api` }
}
type Shop = Awaited<ReturnType<typeof shop>>

/** Lets a service sell what another one sells. */
async function sellsOf(service: Shop, other: Shop): Promise<void> {
  const credentials = sealing(JWT_SECRET, 'credentials of suppliers').seal(
    { key: 'reseller', secret: PASSWORD },
    'upstream',
  )
  await suppliedProduct(service, {
    connection: { url: other.url, credentials },
    offers: [{ offerNo: 'US', data: { productNo: 'supplied', countryCode: 'US' } }],
    product: { price: 10, minMarginPercent: 0 },
  })
}

/** Carries out the calls of a service that are due; answers what came of them. */
async function step({ core }: Shop): Promise<string[]> {
  const due = await core.supply.due({ connectionId: 1, limit: 10 })
  const steps = await Promise.all(due.map((call) => core.supply.advance(call)))
  return steps.map(({ outcome }) => outcome)
}

test('An order that comes back to its first seller through another service is refused, and costs nobody anything', async () => {
  const [first, second] = [await shop(), await shop()]
  await sellsOf(first, second)
  await sellsOf(second, first)
  const buyer = await first.customer(null, { balance: 10 })
  const { orderNo } = await first.order(buyer, { poolId: 'supplied' })
  expect(await step(first)).toEqual(['accepted'])
  expect(await second.balance(second.account)).toBe(90)
  expect(await step(second)).toEqual(['refused'])
  const call = await second.db.read.supplierCall.findFirstOrThrow()
  expect(call.reason).toContain('resale_loop')
  expect(JSON.parse(call.request)).toMatchObject({ via: [await first.core.instance.id()] })
  await second.runJobs()
  first.clock.advance(60_000)
  expect(await step(first)).toEqual(['refused'])
  await first.runJobs()
  expect(await first.core.orders.getStatic(buyer, { orderNo })).toMatchObject({ status: 'failed' })
  expect([
    await first.balance(buyer),
    await first.balance(first.account),
    await second.balance(second.account),
  ]).toEqual([10, 100, 100])
  expect(await first.db.read.staticOrder.count()).toBe(1)
  for (const service of [first, second]) await service.audited()
})
