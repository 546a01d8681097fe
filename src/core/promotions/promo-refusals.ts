import { ServiceError } from '../errors.ts'

/** Why a code that there is does not lower the price of a purchase. */
export const PROMO_REFUSALS = [
  'ended',
  'used_up',
  'used_by_user',
  'sub_users_only',
  'other_product',
  'nothing_to_discount',
  'price_too_low',
] as const
export type PromoRefusal = (typeof PROMO_REFUSALS)[number]

/** `promo_code_not_usable`, with the reason. */
export function notUsable(reason: PromoRefusal): ServiceError {
  return new ServiceError('promo_code_not_usable', { data: { reason } })
}
