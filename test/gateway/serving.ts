import { gatewayShop } from '../support/gateway-shop.ts'
import { startOrigin, testGateway } from '../support/gateway.ts'

export const MB = 1_000_000

/** A shop and an origin that is reached directly, and whose account `alice` has so many bytes. */
export async function shopAndOrigin(bytes = 1_000 * MB) {
  const [shop, origin] = await Promise.all([gatewayShop({ aliveMs: 1_000 }), startOrigin()])
  shop.set('alice', { remaining_bytes: bytes })
  shop.setExits([{ kind: 'direct' }])
  return { shop, origin }
}

export async function serving(bytes?: number, times?: Parameters<typeof testGateway>[0]['times']) {
  const around = await shopAndOrigin(bytes)
  const gateway = await testGateway({ ...around, ...(times && { times }) })
  await gateway.isReady()
  return { ...around, gateway }
}

type Shop = Awaited<ReturnType<typeof gatewayShop>>

/** Numbers of the batches, of each gateway in their order. */
export function sequences({ counted }: Shop): number[][] {
  const ids = [...new Set(counted.map(({ gateway }) => gateway))]
  return ids.map((id) => counted.flatMap(({ gateway, batch }) => (gateway === id ? batch.sequence : [])))
}

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** What the batches of a journal say that was used. */
export function bytesIn(journal: string): number {
  return [...journal.matchAll(/"bytes":(\d+),"targets"/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}
