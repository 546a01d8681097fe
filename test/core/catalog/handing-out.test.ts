import { expect, test } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService } from '../../support/service.ts'

const addresses = (network: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `${network}.${from + index}`)
const networksOf = (ips: readonly string[]) => ips.map((ip) => ip.slice(0, ip.lastIndexOf('.')))

/** A product with addresses of three networks in one place, and a buyer. */
async function openShop() {
  const service = await openService()
  await service.product()
  for (const network of ['10.1.1', '10.1.2', '10.1.3'])
    await service.stock('static', 0, { ips: addresses(network, 4) })
  const buyer = await service.agent({ balance: 1000 })
  /** @returns the addresses, in the order in which they are handed out */
  const buy = async (ipCount: number, change: object = {}) => {
    const { orderNo } = await service.order(buyer, { ipCount, ...change })
    await service.runJobs()
    const { instances } = await service.core.orders.getStatic(buyer, { orderNo })
    return { orderNo, ips: instances.map(({ ip }) => ip) }
  }
  const update = (ips: readonly string[], password: string) =>
    service.core.operator.updateStock(
      SHELL,
      ['ip,port,username,password', ...ips.map((ip) => `${ip},1,u,${password}`)].join('\n'),
    )
  return { ...service, buyer, buy, update }
}

test('An order gets its proxies from all networks in turn, and orders of one from different ones', async () => {
  const { buy } = await openShop()
  expect((await buy(3)).ips).toEqual(['10.1.1.1', '10.1.2.1', '10.1.3.1'])
  const single = [...(await buy(1)).ips, ...(await buy(1)).ips, ...(await buy(1)).ips]
  expect(single).toEqual(['10.1.1.2', '10.1.2.2', '10.1.3.2'])
  const networks = networksOf((await buy(6)).ips).toSorted()
  expect(networks).toEqual(['10.1.1', '10.1.1', '10.1.2', '10.1.2', '10.1.3', '10.1.3'])
})

test('What comes back or comes new takes its turn among the others', async () => {
  const { core, buyer, buy, update, stock } = await openShop()
  const { orderNo, ips } = await buy(6)
  await core.orders.cancelStatic(buyer, { orderNo })
  // Two of each network are left. Those of the first network come back, and a network is new.
  await update(
    ips.filter((ip) => ip.startsWith('10.1.1.')),
    'other',
  )
  await stock('static', 0, { ips: addresses('10.1.9', 2) })
  expect(networksOf((await buy(4)).ips).toSorted()).toEqual(['10.1.1', '10.1.2', '10.1.3', '10.1.9'])
  expect(networksOf((await buy(4)).ips).toSorted()).toEqual(['10.1.1', '10.1.2', '10.1.3', '10.1.9'])
  expect((await buy(2)).ips).toEqual(['10.1.1.1', '10.1.1.2'])
})

test('Of several places each gives its share, and what one lacks the others give', async () => {
  const { buy, stock } = await openShop()
  await stock('static', 0, { ips: addresses('10.2.1', 1), city: 'USNYC' })
  await stock('static', 0, { ips: addresses('10.3.1', 9), country: 'GB' })
  const { ips } = await buy(9)
  expect(ips.filter((ip) => ip.startsWith('10.2.'))).toHaveLength(1)
  expect(ips.filter((ip) => ip.startsWith('10.1.')).length).toBeGreaterThanOrEqual(3)
  expect(ips.filter((ip) => ip.startsWith('10.3.')).length).toBeGreaterThanOrEqual(3)
  expect((await buy(13)).ips).toHaveLength(13)
})

test('IPv6 networks take turns as well', async () => {
  const { buy, stock } = await openShop()
  const networks = ['2001:db8:1', '2001:db8:2']
  await stock('static', 0, {
    ips: networks.flatMap((network) => [`${network}::1`, `${network}:7::2`]),
    country: 'DE',
  })
  const { ips } = await buy(2, { countryCode: 'DE' })
  expect(ips).toEqual(['2001:db8:1::1', '2001:db8:2::1'])
})
