import { describe, expect, it, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { startSource } from '../support/flow.ts'
import { startGatewayProcess } from '../support/gateway-process.ts'
import { leadingTo, patientFlow } from '../support/metered-shop.ts'
import { PATIENCE } from '../support/patience.ts'
import { operator } from '../support/processes.ts'
import { AGENT, SECRET } from '../support/product.ts'
import { temporaryDirectory } from '../support/service.ts'
import { openBalancer } from '../support/balancer.ts'
import { post } from './buyer.ts'
import { DYNAMIC, leads, openSeveralShop, withoutPostgres } from './several-shop.ts'

const LIMIT = { timeout: 240_000 }
const MB = 1_000_000

describe.skipIf(withoutPostgres)('a gateway of two servers behind a balancer', () => {
  it(
    'counts to the byte though the leader is killed, and hears of what any of them sells',
    LIMIT,
    async () => {
      const balancer = await openBalancer()
      const source = await startSource()
      const shop = await openSeveralShop(0, leadingTo(source))
      await shop.core.operator.addProduct(SHELL, DYNAMIC)
      const added = await operator(['exit', 'add', '--pool', 'dynamic_1', '--direct'], {
        database: shop.url,
        env: shop.environment,
      })
      expect(added.stderr).toBe('')
      const first = await shop.start()
      await vi.waitUntil(() => leads(first), PATIENCE)
      const second = await shop.start()
      balancer.servers.push(first, second)
      const { token } = await post<{ token: string }>(second, '/auth/login', AGENT)
      const buy = (bytes: number) =>
        post(
          second,
          '/open/app/order/create/v2',
          { orderType: 'dynamic_proxy', poolId: 'DYN', trafficAmount: bytes / 1e9 },
          { token },
        )
      const traffic = () => shop.db.read.traffic.findFirstOrThrow()
      const used = async () => Number((await traffic()).usedBytes)

      await buy(100 * MB)
      const credential = await traffic()
      const gateway = await startGatewayProcess(await temporaryDirectory(), {
        ...leadingTo(source),
        GATEWAY_TOKEN: SECRET,
        GATEWAY_SHOP_URL: balancer.address,
      })
      const flow = await patientFlow(() => gateway.port, credential, 60 * MB)
      await vi.waitUntil(async () => (await used()) > 5 * MB, PATIENCE)
      await first.kill()
      expect(await flow.ended).toBe(flow.whole)
      await vi.waitUntil(async () => (await used()) === flow.whole, PATIENCE)
      await vi.waitUntil(() => leads(second), PATIENCE)

      // Both servers were asked by it before, and the one that is left serves it alone.
      const rest = await patientFlow(() => gateway.port, credential, 60 * MB)
      expect(await rest.ended).toBe(100 * MB - flow.whole)
      await buy(5 * MB)
      const more = await patientFlow(() => gateway.port, credential, MB, ['traffic_exhausted'])
      expect(await more.ended).toBe(more.whole)
      expect(await gateway.terminate()).toBe(0)
      expect(await used()).toBe(100 * MB + more.whole)
      expect(await shop.core.operator.audit()).toEqual([])
    },
  )
})
