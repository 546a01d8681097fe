import { TrafficPool } from '../../generated/prisma/enums.ts'
import { shortestHours, type Term, termOf, UNIT, type Unit } from '../term.ts'

/** Values of the field `proxy_type` (rules 3.1). */
export const PROXY_TYPES = [101, 102, 103, 104, 105] as const
export type ProxyType = (typeof PROXY_TYPES)[number]

/** Proxy types that are sold by traffic; the others are sold per IP. */
export const DYNAMIC_TYPES: readonly number[] = [104, 105] satisfies ProxyType[]

export function isDynamic(proxyType: number): boolean {
  return DYNAMIC_TYPES.includes(proxyType)
}

export const POOLS = Object.values(TrafficPool)

/** Supplier of the products that are sold from the own stock; others name a connection (rules 3.10). */
export const OWN_STOCK = 'inventory'

/** Values of `product_type`: a proxy is exclusive to one customer, or shared and then bound to a project. */
export const PRODUCT_TYPE = { exclusive: 1, shared: 2 } as const

export interface Project {
  readonly code: string
  readonly name: string
}

/** Whether a product is shared; one whose project list is not empty counts as shared, too (rules 3.2). */
export function isShared(product: {
  readonly productType: number
  readonly projects: readonly Project[]
}): boolean {
  return product.productType === PRODUCT_TYPE.shared || product.projects.length > 0
}

/** Returns the billing period of a static product. */
export function billingPeriod(product: { readonly periodUnit: number; readonly periodLength: number }): Term {
  return termOf(product.periodLength, product.periodUnit as Unit)
}

/** Returns the refund window in hours where the operator has set none (rules 3.7). */
export function defaultRefundHours({ periodUnit }: { readonly periodUnit: number }): number {
  return periodUnit === UNIT.month ? 24 : 0
}

/** Whether the refund window ends before the shortest term does, so that proxies used to their end are never refunded (rules 3.7). */
export function fitsShortestTerm(
  refundHours: number,
  product: { readonly periodUnit: number; readonly periodLength: number },
): boolean {
  return refundHours < shortestHours(billingPeriod(product))
}
