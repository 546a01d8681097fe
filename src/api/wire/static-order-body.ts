import { z } from 'zod'
import { StaticOrderInput } from '../../core/orders/static-order-input.ts'

const { shape } = StaticOrderInput.unwrap()

/** A static order as the core takes it, with what only the wire has. */
const Order = StaticOrderInput.unwrap().extend({
  poolId: shape.poolId.meta({ description: 'Product number' }),
  userId: shape.userId.meta({
    description: 'Target user: the caller, or a direct sub-user of the calling agent',
  }),
  unitPrice: shape.unitPrice.meta({
    description: 'A ceiling, never charged: a higher price refuses the order; 0: none',
  }),
  totalAmount: shape.totalAmount.meta({
    description: 'A ceiling, never charged: a higher total refuses the order; 0: none',
  }),
  unit: shape.unit.meta({ description: '1 day, 3 month, 4 year; 30 × day counts as one month' }),
  projectId: shape.projectId.meta({ description: 'Required for shared products' }),
  appOrderNo: shape.appOrderNo.meta({
    description: 'Unique per caller; repeating it repeats the answer, not the order',
  }),
  app_order_no: shape.appOrderNo.meta({ description: 'Same as `appOrderNo`' }),
  trafficAmount: z.number().nullish().meta({ description: 'Of no meaning for static orders' }),
})

/** Body of the static create (spec: create-standard), which names as required what the core has defaults for. */
export const CreateStaticOrderBody = Order.extend({
  orderType: z.literal('static_proxy'),
  unitPrice: Order.shape.unitPrice.unwrap(),
  totalAmount: Order.shape.totalAmount.unwrap(),
  cycleTimes: shape.cycleTimes.unwrap(),
}).meta({ id: 'CreateStaticOrder' })

/** Body of a quote: that of an order, but for prices, which are what it asks for. */
export const QuoteBody = Order.extend({
  orderType: z.literal('static_proxy', {
    error: ({ input }) => (input === 'dynamic_proxy' ? 'dynamic_orders_not_quoted' : undefined),
  }),
}).meta({ id: 'QuoteRequest' })
