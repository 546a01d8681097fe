import { z } from 'zod'
import { UNIT } from '../term.ts'
import { ORDER_LIMITS, StaticOrderInput } from './static-order-input.ts'
import { InstanceNo } from '../identifiers.ts'

const { shape } = StaticOrderInput.unwrap()

export const MAX_INSTANCES = ORDER_LIMITS.ips

/** A proxy to be renewed, with a term of its own where it differs from that of the others. */
const RenewedInstance = z.object({
  instanceNo: InstanceNo,
  duration: shape.duration.nullish(),
  unit: shape.unit.nullish(),
  cycleTimes: shape.cycleTimes.unwrap().nullish(),
})

/** A renewal as the bot and the REST API send it (rules 5.7). */
export const RenewalInput = z
  .object({
    /** The order number, the application order number, or the id of the order. */
    order: z.union([z.object({ orderNo: z.string().min(1).max(64) }), z.object({ id: z.int().positive() })]),
    /** Proxies to renew; without them, all of the order that can still be renewed. */
    instances: z
      .array(RenewedInstance)
      .min(1)
      .max(MAX_INSTANCES)
      .refine((named) => new Set(named.map(({ instanceNo }) => instanceNo)).size === named.length, {
        error: 'named_twice',
      })
      .nullish(),
    duration: shape.duration.default(30),
    unit: shape.unit.default(UNIT.day),
    cycleTimes: shape.cycleTimes,
    /** Ceilings: a higher server price refuses the renewal with `price_changed`; 0 means none. */
    unitPrice: shape.unitPrice,
    totalAmount: shape.totalAmount,
    /** Unique per caller; the same number with the same content is a repetition (rules 4.3). */
    appOrderNo: shape.appOrderNo,
  })
  .readonly()

export type RenewalInput = z.input<typeof RenewalInput>
export type RenewalRequest = z.output<typeof RenewalInput>
