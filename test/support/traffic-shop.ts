import { SHELL } from '../../src/core/people/operator.ts'
import type { UsageBatch, UsageItem } from '../../src/core/gateway/wire.ts'
import { batch, USAGE } from './gateway-wire.ts'
import { actorFor, startProductInTime } from './notices.ts'
import { AGENT, CUSTOMER } from './product.ts'
import { GATEWAY_TOKEN } from './service.ts'

/** The day on which the clock of this shop begins. */
export const TODAY = '2026-03-01'

/**
 * The whole product with a gateway that reports over HTTP, and two dynamic products; the customer has 10 GB of DYN-1, the agent 10
 * GB of both.
 *
 * @param surroundings what the app is started with
 */
export async function startTrafficShop(
  settings: Parameters<typeof startProductInTime>[1] = {},
  surroundings: Parameters<typeof startProductInTime>[2] = {},
) {
  const shop = await startProductInTime(
    `${TODAY}T12:00:00.000Z`,
    { gatewayToken: GATEWAY_TOKEN, ...settings },
    surroundings,
  )
  const { product } = shop
  const { core } = product
  for (const at of [1, 2])
    await core.operator.addProduct(SHELL, {
      productNo: `DYN-${at}`,
      names: { en: `Dynamic ${at}`, zh: `动态代理 ${at}` },
      proxyType: 104,
      pool: 'dynamic_2',
      gateway: 'gw.proxy.example:8001',
      price: 3,
    })
  const customer = await actorFor(product, CUSTOMER)
  const agent = await actorFor(product, AGENT)
  await core.orders.createDynamic(customer, { poolId: 'DYN-1', trafficAmount: 10 })
  for (const poolId of ['DYN-1', 'DYN-2'])
    await core.orders.createDynamic(agent, { poolId, trafficAmount: 10 })
  let sequence = 0

  /** What the gateway reports next. */
  async function report(change: Partial<UsageBatch> = {}): Promise<void> {
    sequence += 1
    const response = await fetch(`${product.app.addresses['api'] ?? ''}${USAGE}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${GATEWAY_TOKEN}`,
        'gateway-id': 'gateway-of-the-tests',
        'content-type': 'application/json',
      },
      body: JSON.stringify(batch(sequence, change)),
    })
    if (!response.ok) throw new Error(await response.text())
  }

  /** The name of somebody's main account at the gateway. */
  async function accountOf(actor: typeof customer, productNo = 'DYN-1'): Promise<string> {
    const { items } = await core.traffic.extract(actor, 'any', { productNo })
    return items[0]?.username ?? ''
  }

  return {
    ...shop,
    core,
    customer,
    agent,
    report,
    accountOf,
    /** Reports the use of one account for hosts, in bytes. */
    use: (account: string, day: string, hosts: Readonly<Record<string, number>>) => {
      const targets: UsageItem['targets'] = Object.entries(hosts).map(([host, bytes]) => ({ host, bytes }))
      const bytes = targets.reduce((sum, target) => sum + target.bytes, 0)
      return report({ items: [{ account, day, bytes, targets }] })
    },
    bugs: () => product.log.filter((line) => line.includes('"level":50')),
  }
}
