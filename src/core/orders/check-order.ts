import { checkDelivery, type DeliveryCheck } from '../checks/check-delivery.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { type Supplier, type SuppliedProxy, supplierOf } from '../supply/supplier.ts'
import type { OrderDeps } from './deps.ts'

/** An order that is about to be completed. */
interface CheckedOrder {
  readonly orderId: number
  readonly orderNo: string
  readonly supplier: string
  /** Whether it names addresses or ranges: a dead proxy is then not exchanged for another one. */
  readonly namesProxies: boolean
}

const NONE_DEAD: DeliveryCheck = { dead: new Set() }

/**
 * Checks the proxies of an order before they are handed over (rules 5.23), where `CHECK_PROXIES` is on. Those of the own stock that
 * are dead are exchanged for others of their place meanwhile, which are checked, too.
 */
export function checkOrder(
  deps: OrderDeps,
  { orderId, orderNo, supplier: name, namesProxies }: CheckedOrder,
  proxies: readonly SuppliedProxy[],
): Promise<DeliveryCheck> {
  if (!deps.checks?.regular) return Promise.resolve(NONE_DEAD)
  const supplier = supplierOf(deps, name)
  return checkDelivery(deps, deps.checks, {
    subject: orderNo,
    supplier: name,
    proxies,
    condemn: async (tx, dead) => {
      const [processing] = await findProcessing(tx, { orderId })
      if (!processing) return
      for (const providerInstanceNo of dead)
        await setAside(supplier, tx, { orderId, providerInstanceNo }, !namesProxies)
    },
  })
}

/** Exchanges a dead proxy, or lays it aside. Does nothing where proxies are bought: a dead one is not delivered. */
async function setAside(
  { exchange, layAside }: Supplier,
  tx: Tx,
  dead: { readonly orderId: number; readonly providerInstanceNo: string },
  mayExchange: boolean,
): Promise<void> {
  const other = mayExchange ? await exchange?.(tx, dead) : undefined
  if (!other) await layAside?.(tx, dead)
}

const findProcessing = compiled<{ orderId: number }>()((db, { orderId }) =>
  db.selectFrom('staticOrders').select('id').where('id', '=', orderId).where('status', '=', 'processing'),
)
