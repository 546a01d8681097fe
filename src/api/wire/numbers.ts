import { z } from 'zod'
import { StaticOrderInput } from '../../core/orders/static-order-input.ts'
import { InstanceNo } from '../../core/identifiers.ts'

/**
 * Numbers that bodies take in two spellings. Each is one component of the API documents: of two fields that may be null,
 * orval would make two types of the same name.
 */

/** Number of an order that the caller chooses (rules 4.3). */
export const AppOrderNo = StaticOrderInput.unwrap().shape.appOrderNo.meta({
  id: 'AppOrderNo',
  description: 'Unique per caller; repeating it repeats the answer, not the order',
})

/** Number of an order, which the service or the caller gave it. */
export const OrderNo = z.string().min(1).max(64).nullish().meta({
  id: 'OrderNo',
  description: 'Number of the order, ours or the application’s',
})

/** Number of a proxy. */
export const InstanceNumber = InstanceNo.nullish().meta({
  id: 'InstanceNo',
  description: 'Number of the proxy',
})

/** Number of a product. */
export const ProductNo = z.string().min(1).max(64).nullish().meta({
  id: 'ProductNo',
  description: 'Number of the product',
})
