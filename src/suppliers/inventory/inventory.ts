import { batched } from '../../core/batched.ts'
import { releaseUndelivered, reserveStock, reservedStock, returnToStock } from '../../core/catalog/stock.ts'
import type { ReadClient } from '../../core/database/database.ts'
import type { Supplier } from '../../core/orders/supplier.ts'

/** The own stock as a supplier: reserved at acceptance, so that completion only hands it over. */
export function createInventory(read: ReadClient): Supplier {
  const stockOf = batched(async (orderIds: readonly number[]) => {
    const stock = await reservedStock(read, orderIds)
    return (orderId) => stock.get(orderId) ?? []
  })
  return {
    reserve: (tx, order, selection) => reserveStock(tx, order.orderId, selection),
    deliver: async (order) => {
      const stock = await stockOf(order.orderId)
      const proxies = stock.map(({ stockId, ...proxy }) => ({
        ...proxy,
        providerInstanceNo: String(stockId),
      }))
      const missing = order.ipCount - proxies.length
      return {
        status: 'delivered',
        proxies,
        ...(missing > 0 ? { reason: `${missing} proxies were withdrawn from the stock` } : {}),
      }
    },
    settle: (tx, order) => releaseUndelivered(tx, order.orderId),
    giveBack: (tx, proxies) => returnToStock(tx, proxies),
  }
}
