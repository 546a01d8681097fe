import type { ErrorCode } from '../../core/errors.ts'
import type { Placed, RefusalReason } from '../../core/supply/driver.ts'
import type { Refusal } from './answer.ts'

const REASONS: Readonly<Partial<Record<ErrorCode, RefusalReason>>> = {
  out_of_stock: 'out_of_stock',
  assigned_ip_unavailable: 'out_of_stock',
  price_changed: 'price_changed',
  insufficient_balance: 'insufficient_balance',
  product_not_found: 'unknown_offer',
  location_not_supported_for_product: 'unknown_offer',
  duration_not_supported: 'unknown_offer',
  route_not_found: 'not_supported',
  method_not_allowed: 'not_supported',
}

/** Translates a refusal of the service's table into the words of the port. */
export function refusedWith({ code, message }: Refusal): Placed {
  return { status: 'refused', reason: REASONS[code] ?? 'other', message }
}
