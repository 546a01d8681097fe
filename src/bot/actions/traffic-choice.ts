import { z } from 'zod'
import { MAX_GIGABYTES } from '../../core/bytes.ts'
import type { Parameter, Read } from '../kit/action.ts'
import { optional, text, wholeNumber } from '../kit/parameters.ts'

/** What is bought, and for whom. */
export interface WantedTraffic {
  readonly productId: number
  /** A direct sub-user; undefined for the person itself. */
  readonly userId: number | undefined
  /** Name under which the chat's draft keeps the promotion code of this purchase. */
  readonly promo?: string | undefined
}

/** All that a purchase of traffic needs. */
export interface TrafficChoice extends WantedTraffic {
  readonly gigabytes: number
}

/** Stands for a malformed id: the button was forged. */
const FORGED = -1

/** A product for somebody, in a button. */
export const WANTED = {
  productId: wholeNumber,
  userId: {
    schema: z
      .string()
      .transform((digits) => (digits === '' ? undefined : (wholeNumber.schema.parse(digits) ?? FORGED)))
      .optional(),
    write: String,
  } as Parameter<number | undefined>,
}

/** A whole purchase, in a button. Traffic is counted in thousandths of a GB, which are whole numbers. */
export const CHOICE = {
  ...WANTED,
  gigabytes: {
    schema: wholeNumber.schema.transform((thousandths) =>
      thousandths && thousandths <= MAX_GIGABYTES * 1000 ? thousandths / 1000 : undefined,
    ),
    write: (gigabytes) => String(Math.round(gigabytes * 1000)),
  } as Parameter<number | undefined, number>,
}

/** The promotion code of a purchase, by the name that the draft gives it: the code itself may be too long for a button. */
export const PROMO = optional(text)

/** What a pressed button wants; undefined when it was forged. */
export function wantedOf({
  productId,
  userId,
  promo,
}: Read<typeof WANTED & { promo: typeof PROMO }>): WantedTraffic | undefined {
  return productId === undefined || userId === FORGED ? undefined : { productId, userId, promo }
}

/** The choice of a pressed button; undefined when it was forged. */
export function choiceOf({
  gigabytes,
  ...parameters
}: Read<typeof CHOICE & { promo: typeof PROMO }>): TrafficChoice | undefined {
  const wanted = wantedOf(parameters)
  return wanted && gigabytes !== undefined ? { ...wanted, gigabytes } : undefined
}
