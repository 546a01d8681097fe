import { batched } from '../../core/batched.ts'
import {
  checkStock,
  releaseUndelivered,
  reserveStock,
  reservedStock,
  returnToStock,
  type StockProxy,
} from '../../core/catalog/stock.ts'
import { equalStock, exchangeStock, layStockAside, withdrawStock } from '../../core/catalog/exchange-stock.ts'
import type { ReadClient } from '../../core/database/database.ts'
import { ORDER_LIMITS } from '../../core/orders/static-order-input.ts'
import type { SuppliedProxy, Supplier, SupplyOrder } from '../../core/supply/supplier.ts'

/** Makes a supplier of the own stock: proxies are reserved when an order is accepted, so that delivery only reads them. */
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
      const proxies = stock.map(handedOver)
      const missing = order.ipCount - proxies.length
      return {
        status: 'delivered',
        proxies,
        ...(missing > 0 ? { reason: `${missing} proxies were withdrawn from the stock` } : {}),
      }
    },
    freeUndelivered: (tx, order) => releaseUndelivered(tx, order.orderId),
    takeBack: (tx, proxies) => returnToStock(tx, proxies),
    exchange: async (tx, old, equal) => {
      const found = await exchangeStock(tx, old, equal)
      return found && handedOver(found)
    },
    equalTo: async (db, old) => {
      const found = await equalStock(db, old)
      return found && handedOver(found)
    },
    layAside: layStockAside,
    withdraw: withdrawStock,
  }
}

function handedOver({ stockId, ...proxy }: StockProxy): SuppliedProxy {
  return { ...proxy, providerInstanceNo: String(stockId) }
}
