import { z } from 'zod'
import { CancellationInput } from '../../core/orders/cancel-static-order.ts'
import { MAX_INSTANCES, RenewalInput } from '../../core/orders/renewal-input.ts'
import { TogetherInput } from '../../core/orders/renew-together.ts'
import { AutoRenewTogetherInput } from '../../core/orders/set-auto-renew-together.ts'
import { StaticOrderInput } from '../../core/orders/static-order-input.ts'
import { required } from './fields.ts'
import { AppOrderNo, InstanceNumber, OrderNo } from './numbers.ts'
import { InstanceNo } from '../../core/identifiers.ts'

const { shape } = StaticOrderInput.unwrap()

/** A static order as the core takes it, with the fields that only the wire has. */
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
  promoCode: shape.promoCode.meta({ description: 'Lowers the price; upper and lower case do not count' }),
  projectId: shape.projectId.meta({ description: 'Required for shared products' }),
  autoRenew: shape.autoRenew.meta({ description: 'Whether the proxies renew themselves' }),
  appOrderNo: AppOrderNo,
  app_order_no: AppOrderNo,
  trafficAmount: z.number().nullish().meta({ description: 'Of no meaning for static orders' }),
})

/** Body of the static create (rules 5.2), which names as required what the core has defaults for. */
export const CreateStaticOrderBody = Order.extend({
  orderType: z.literal('static_proxy'),
  unitPrice: required(Order.shape.unitPrice),
  totalAmount: required(Order.shape.totalAmount),
  cycleTimes: required(shape.cycleTimes),
}).meta({ id: 'CreateStaticOrder' })

/** Body of a quote for static proxies: that of an order, but price ceilings and cycles may be missing. */
export const StaticQuoteBody = Order.extend({ orderType: z.literal('static_proxy') }).meta({
  id: 'StaticQuoteRequest',
})

const renewal = RenewalInput.unwrap().shape
const term = {
  duration: renewal.duration.unwrap().nullish(),
  unit: renewal.unit.unwrap().nullish(),
  cycleTimes: renewal.cycleTimes.unwrap().nullish(),
}

/** A proxy by its number, in either spelling. */
const Numbered = z.object({ instanceNo: InstanceNumber, instance_no: InstanceNumber })
const hasNumber = ({ instanceNo, instance_no }: z.output<typeof Numbered>) =>
  typeof (instanceNo ?? instance_no) === 'string'
const NUMBER_MISSING = { path: ['instance_no'], error: 'required' }

const Instances = z
  .array(z.union([InstanceNo, Numbered.refine(hasNumber, NUMBER_MISSING)]))
  .min(1)
  .max(MAX_INSTANCES)
  .nullish()
const RenewedInstances = z
  .array(z.union([InstanceNo, Numbered.extend(term).refine(hasNumber, NUMBER_MISSING)]))
  .min(1)
  .max(MAX_INSTANCES)
  .nullish()

/** Body of a renewal (rules 5.7). */
export const RenewBody = z
  .object({
    order_no: OrderNo,
    orderNo: OrderNo,
    order_id: z.int().positive().nullish().meta({ description: 'Its `id`, instead of a number' }),
    instances: RenewedInstances.meta({
      description:
        'Numbers of proxies, or objects with a term of their own; missing: all that can be renewed',
    }),
    duration: term.duration.meta({ description: '30 when missing; 30 × day counts as one month' }),
    unit: term.unit.meta({ description: '1 day, 3 month, 4 year; 1 when missing' }),
    cycleTimes: term.cycleTimes.meta({ description: '1 when missing' }),
    unitPrice: renewal.unitPrice.unwrap().nullish().meta({
      description: 'A ceiling, never charged: a higher price refuses the renewal; 0: none',
    }),
    totalAmount: renewal.totalAmount.unwrap().nullish().meta({
      description: 'A ceiling, never charged: a higher total refuses the renewal; 0: none',
    }),
    appOrderNo: AppOrderNo,
    app_order_no: AppOrderNo,
  })
  .refine(({ order_no, orderNo, order_id }) => (order_no ?? orderNo ?? order_id ?? null) !== null, {
    path: ['order_no'],
    error: 'required',
  })
  .meta({ id: 'RenewStaticOrder' })

const NUMBERS = { description: 'Numbers of proxies' }

/** Body of a renewal of proxies of several orders (rules 5.30). */
export const RenewTogetherBody = z
  .object({
    instances: TogetherInput.shape.instances.meta(NUMBERS),
    duration: term.duration.meta({ description: 'Missing: the term for which each order was bought' }),
    unit: term.unit.meta({ description: '1 day, 3 month, 4 year; 1 when missing' }),
    cycleTimes: term.cycleTimes.meta({ description: '1 when missing' }),
    totalAmount: renewal.totalAmount.unwrap().nullish().meta({
      description: 'A ceiling, never charged: a higher total refuses the renewal; 0: none',
    }),
  })
  .meta({ id: 'RenewProxies' })

/** Body of a cancellation (rules 5.9); may be missing. */
export const CancelBody = z
  .object({
    instances: Instances.meta({ description: 'Numbers of proxies; missing: all active ones' }),
    reason: CancellationInput.shape.reason,
  })
  .meta({ id: 'CancelStaticOrder' })
  .prefault({})

export const AutoRenewBody = z
  .object({
    auto_renew: z.boolean(),
    instances: Instances.meta({ description: 'Numbers of proxies; missing: all of the order' }),
  })
  .meta({ id: 'AutoRenew' })

export const AutoRenewTogetherBody = z
  .object({
    auto_renew: z.boolean(),
    instances: AutoRenewTogetherInput.shape.instances.meta(NUMBERS),
  })
  .meta({ id: 'AutoRenewOfProxies' })
