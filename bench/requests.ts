import type { Request } from './load.ts'
import type { Seeded } from './seed.ts'

/** A page of the orders of a customer. */
export function readRequest({ reader }: Pick<Seeded, 'reader'>): Request {
  return {
    path: '/api/open/app/static/order/list/v2?page=1&pageSize=20',
    method: 'GET',
    headers: { authorization: `Bearer ${reader}` },
  }
}

/** An order of one proxy; of the own stock unless a product is named. */
export function acceptRequest(
  { buyer, order }: Pick<Seeded, 'buyer' | 'order'>,
  poolId = order.poolId,
): Request {
  return {
    path: '/api/open/app/static/order/create-standard/v2',
    method: 'POST',
    headers: { authorization: `Bearer ${buyer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...order, poolId }),
  }
}
