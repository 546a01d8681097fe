import { z } from 'zod'
import { ipAddress } from '../ip-address.ts'
import { fromNumber, MAX_AMOUNT } from '../money.ts'
import { noneIfEmpty } from '../none-if-empty.ts'
import { GivenPromoCode } from '../promotions/promo-code.ts'
import { UNIT } from '../term.ts'

/** Most proxies of one order, and most characters of its project code (rules 5.2). */
export const ORDER_LIMITS = { ips: 500, project: 64 } as const

/** The product list has an empty code where a place has no city; in an order it means any city (rules 3.4). */
const Code = z.string().max(32)
/** Ceiling of a price, in units of the currency; 0 or absent: none. */
const Ceiling = z
  .number()
  .min(0)
  .max(MAX_AMOUNT)
  .refine((value) => fromNumber(value) !== undefined, { error: 'not_an_amount' })
  .default(0)

/** A static order as the bot and the REST API send it; the names are those of the REST API (rules 5.2). */
export const StaticOrderInput = z
  .object({
    /** Product number. */
    poolId: z.string().min(1).max(64),
    userId: z.int().positive(),
    ipCount: z.int().min(1).max(ORDER_LIMITS.ips),
    duration: z.int().min(1).max(3650),
    unit: z.literal([UNIT.day, UNIT.month, UNIT.year]),
    cycleTimes: z.int().min(1).max(36).default(1),
    /** Ceilings: a higher server price refuses the order with `price_changed`; 0 means none. */
    unitPrice: Ceiling,
    totalAmount: Ceiling,
    regionCode: Code.nullish().transform(noneIfEmpty),
    /** ISO 3166-1 alpha-2, in upper or lower case. */
    countryCode: Code.overwrite((code) => code.toUpperCase())
      .nullish()
      .transform(noneIfEmpty),
    cityCode: Code.nullish().transform(noneIfEmpty),
    staticType: z.string().max(64).nullish(),
    cidrBlocks: z
      .array(z.object({ cidr: z.string().min(1).max(64), count: z.int().min(1).max(ORDER_LIMITS.ips) }))
      .max(100)
      .nullish(),
    assignedIp: ipAddress().nullish(),
    assignedIpList: z.array(ipAddress()).max(ORDER_LIMITS.ips).nullish(),
    projectId: z.string().max(ORDER_LIMITS.project).nullish(),
    /** Whether the proxies renew themselves. */
    autoRenew: z.boolean().default(false),
    remark: z.string().max(255).nullish(),
    /** A promotion code that lowers the price (rules 13.9). */
    promoCode: GivenPromoCode,
    /** Unique per caller; the same number with the same content is a repetition (rules 4.3). */
    appOrderNo: z.string().min(1).max(64).nullish(),
  })
  .readonly()

export type StaticOrderInput = z.input<typeof StaticOrderInput>
export type StaticOrderRequest = z.output<typeof StaticOrderInput>
