import { batched } from '../../core/batched.ts'
import {
  checkStock,
  releaseUndelivered,
  reserveStock,
  reservedStock,
  returnToStock,
} from '../../core/catalog/stock.ts'
import { exchangeStock, hasEqualStock, layStockAside } from '../../core/catalog/exchange-stock.ts'
import type { ReadClient } from '../../core/database/database.ts'
import { ORDER_LIMITS } from '../../core/orders/static-order-input.ts'
import type { Supplier, SupplyOrder } from '../../core/orders/supplier.ts'

/** Our own stock as a supplier: proxies are reserved when an order is accepted, so that delivery only reads them. */
export function createInventory(read: ReadClient): Supplier {
  const stockOf = batched(
    async (orders: readonly SupplyOrder[]) => {
      const stock = await reservedStock(
        read,
        orders.map(({ orderId }) => orderId),
      )
      return ({ orderId }) => stock.get(orderId) ?? []
    },
    { most: ORDER_LIMITS.ips, weightOf: ({ ipCount }) => ipCount },
  )
  return {
    check: checkStock,
    reserve: (tx, order, selection) => reserveStock(tx, order.orderId, selection),
    deliver: async (order) => {
      const stock = await stockOf(order)
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
    freeUndelivered: (tx, order) => releaseUndelivered(tx, order.orderId),
    takeBack: (tx, proxies) => returnToStock(tx, proxies),
    exchange: async (tx, old) => {
      const found = await exchangeStock(tx, old)
      if (!found) return undefined
      const { stockId, ...proxy } = found
      return { ...proxy, providerInstanceNo: String(stockId) }
    },
    hasEqual: hasEqualStock,
    layAside: layStockAside,
  }
}
