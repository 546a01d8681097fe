import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { type DynamicOrder, getDynamicOrder } from '../orders/list-dynamic-orders.ts'
import { quoteRefund } from '../orders/refund-order.ts'
import { listReplacements } from '../orders/list-replacements.ts'
import type { Replacement } from '../orders/replacement.ts'
import { givesCredentials } from '../orders/reset-credentials.ts'
import { getStaticOrder, type Instance, type StaticOrder } from '../orders/static-order.ts'
import { ownerOf } from '../accounts/owner.ts'
import type { OrderDeps } from '../orders/deps.ts'

/** An order as the operator sees it. */
export type ShownOrder = {
  /** Amount that may still be given back (rules 4.10); 0 before the order is delivered. */
  readonly refundable: Micros
} & (
  | { readonly type: 'static'; readonly order: StaticOrder }
  | { readonly type: 'dynamic'; readonly order: DynamicOrder }
)

/** A proxy that a customer has or had, as the operator sees it. */
export interface ShownProxy {
  readonly order: StaticOrder
  readonly instance: Instance
  readonly refundable: Micros
  /** Who can give it other credentials: its supplier, or the operator for the own stock; undefined: nobody. */
  readonly credentials: 'supplier' | 'stock' | undefined
  /** Replacements, newest first. */
  readonly replacements: readonly Replacement[]
}

/**
 * Reads an order of traffic, or one of proxies with all of them, for the operator.
 *
 * @throws order_not_found
 */
export async function showOrder(deps: OrderDeps, orderNo: string): Promise<ShownOrder> {
  const owner = await ownerOf(deps.db.read, { orderNo })
  const refundable = await refundableOf(deps, { orderNo })
  try {
    return { type: 'static', order: await getStaticOrder(deps, owner, { orderNo }), refundable }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'order_not_found') throw error
    return { type: 'dynamic', order: await getDynamicOrder(deps, owner, { orderNo }), refundable }
  }
}

/**
 * Reads a proxy with its order, for the operator.
 *
 * @throws instance_not_found
 */
export async function showProxy(deps: OrderDeps, instanceNo: string): Promise<ShownProxy> {
  const owner = await ownerOf(deps.db.read, { instanceNo })
  const found = await deps.db.read.instance.findUnique({ where: { instanceNo }, select: { orderId: true } })
  const order = await getStaticOrder(deps, owner, { id: found?.orderId ?? 0 })
  const instance = order.instances.find((one) => one.instanceNo === instanceNo)
  if (!instance) throw new ServiceError('instance_not_found', { data: { instance_no: instanceNo } })
  const given = order.connectionId === null ? 'stock' : (await givesCredentials(deps, order)) && 'supplier'
  return {
    order,
    instance,
    refundable: await refundableOf(deps, { orderNo: order.orderNo, instances: [instanceNo] }),
    credentials: instance.status === 'active' && given ? given : undefined,
    replacements: await listReplacements(deps, owner, { instanceNo }),
  }
}

/** Returns the amount that may still be given back; 0 while the order is being delivered or changed. */
async function refundableOf(deps: OrderDeps, scope: Parameters<typeof quoteRefund>[1]): Promise<Micros> {
  try {
    return (await quoteRefund(deps, scope)).most
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'order_processing') return 0
    throw error
  }
}
