import type { Endpoint } from '../endpoint.ts'
import { logIn } from './auth.ts'
import { quoteOrder } from './orders.ts'
import { listIpRanges, queryProducts } from './products.ts'
import { createStaticOrder, listStaticOrders } from './static-orders.ts'
import { currentBalance } from './users.ts'

/** Every endpoint of the interface, in the order of the API docs. */
export const ENDPOINTS: readonly Endpoint[] = [
  logIn,
  currentBalance,
  queryProducts,
  listIpRanges,
  quoteOrder,
  createStaticOrder,
  listStaticOrders,
]
