import { expect } from 'vitest'
import type { Actor } from '../../../src/core/access/actor.ts'
import { SHELL } from '../../../src/core/people/operator.ts'
import { batch } from '../../support/gateway-wire.ts'
import { SECRET } from '../../support/product.ts'
import { post } from '../buyer.ts'
import { DYNAMIC } from '../several-shop.ts'
import type { Asking, Part, Shop } from './part.ts'

/** What each batch reports. */
const BYTES = 12_345

/** A gateway that reports use, each batch under its number until it is counted. */
export async function startReports({ core, db }: Shop, agent: Actor, asking: Asking): Promise<Part> {
  await core.operator.addProduct(SHELL, DYNAMIC)
  await core.orders.createDynamic(agent, { poolId: 'DYN', trafficAmount: 1 })
  const { username } = await db.read.traffic.findFirstOrThrow()
  let sequence = 0
  return {
    name: 'reports of a gateway',
    clients: 1,
    async step() {
      const askedAt = performance.now()
      sequence += 1
      const day = new Date().toISOString().slice(0, 10)
      const usage = batch(sequence, { items: [{ account: username, day, bytes: BYTES, targets: [] }] })
      const headers = { authorization: `Bearer ${SECRET}`, 'gateway-id': 'gateway-of-the-load' }
      await asking.ask((server, { patienceMs }) =>
        post(server, '/gateway/v1/usage', usage, { headers, patienceMs }),
      )
      return askedAt
    },
    async prove() {
      const { usedBytes } = await db.read.traffic.findFirstOrThrow()
      expect(Number(usedBytes)).toBe(sequence * BYTES)
    },
  }
}
