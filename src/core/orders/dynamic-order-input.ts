import { z } from 'zod'
import { GivenPromoCode } from '../promotions/promo-code.ts'
import { TrafficAmount } from '../bytes.ts'

/** A dynamic order as the bot and the REST API send it; the names are those of the REST API (rules 6.1). */
export const DynamicOrderInput = z
  .object({
    /** Product number. */
    poolId: z.string().min(1).max(64),
    /** In GB: more than 0, at most 10,000, at most 3 decimals. */
    trafficAmount: TrafficAmount,
    /** The account that pays and owns the traffic; by default the caller. */
    userId: z.int().positive().nullish(),
    remark: z.string().max(255).nullish(),
    /** A promotion code that lowers the price (rules 13.9). */
    promoCode: GivenPromoCode,
    /** Unique per caller; the same number with the same content is a repetition (rules 4.3). */
    appOrderNo: z.string().min(1).max(64).nullish(),
  })
  .readonly()

export type DynamicOrderInput = z.input<typeof DynamicOrderInput>
export type DynamicOrderRequest = z.output<typeof DynamicOrderInput>
