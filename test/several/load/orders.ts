import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { ORDER, post } from '../buyer.ts'
import type { Asking, Part, Shop } from './part.ts'

/** Marks them: others buy in the chat. */
const BY_REST = 'rest-'

/** Clients that buy over REST. Two buy as fast as they can, and one waits for its proxies, which whoever leads hands over. */
export function startOrders({ db }: Shop, asking: Asking): Part[] {
  const ordered: string[] = []
  async function order() {
    const askedAt = performance.now()
    const body = { ...ORDER, appOrderNo: `${BY_REST}${randomUUID()}` }
    const { orderNo } = await asking.ask((server, sending) =>
      post<{ orderNo: string }>(server, '/open/app/static/order/create-standard/v2', body, sending),
    )
    ordered.push(orderNo)
    return { askedAt, orderNo }
  }
  return [
    {
      name: 'orders',
      clients: 2,
      step: async () => (await order()).askedAt,
      async prove() {
        const orders = await db.read.staticOrder.findMany({ where: { appOrderNo: { startsWith: BY_REST } } })
        expect(orders.map(({ orderNo }) => orderNo).toSorted()).toEqual(ordered.toSorted())
      },
    },
    {
      name: 'orders that are waited for',
      clients: 1,
      async step() {
        const { askedAt, orderNo } = await order()
        await vi.waitUntil(
          async () =>
            (await db.read.staticOrder.findUnique({ where: { orderNo } }).catch(() => null))?.status ===
            'active',
          PATIENCE,
        )
        return askedAt
      },
    },
  ]
}
