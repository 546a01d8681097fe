import type { Language } from './language.ts'

/**
 * How the two variants of the interface differ (rules 1.1, 6.5, 6.9), beside the endpoints that only one of them
 * has, which say so themselves.
 */
export interface Variant {
  readonly name: 'A' | 'B'
  /** Language of texts, when the caller does not ask for one. */
  readonly language: Language
  /** Whether balances show `dyn3_balance`, the traffic left in pool `dynamic_3`. */
  readonly dyn3Balance: boolean
}

export const VARIANTS: Readonly<Record<Variant['name'], Variant>> = {
  A: { name: 'A', language: 'en', dyn3Balance: false },
  B: { name: 'B', language: 'zh', dyn3Balance: true },
}

export interface BaseAddress {
  readonly path: string
  readonly variant: Variant
  /** Whether it is the interface of those who run the shop (rules 14.11). */
  readonly isOfOperator?: boolean
}

/** Where those who run the shop ask. */
export const OPERATOR_BASE: BaseAddress = { path: '/operator/api', variant: VARIANTS.A, isOfOperator: true }

/** Returns the base addresses: each variant has its own, and the configured one has `/api` too (rules 1.1); those who run the shop have theirs. */
export function baseAddresses(configured: Variant['name']): readonly [BaseAddress, ...BaseAddress[]] {
  return [
    { path: '/api', variant: VARIANTS[configured] },
    { path: '/a/api', variant: VARIANTS.A },
    { path: '/b/api', variant: VARIANTS.B },
    OPERATOR_BASE,
  ]
}

/** Returns the base address that a URL belongs to, known route or not; outside all of them the first, the configured one. */
export function baseAt(url: string, bases: readonly [BaseAddress, ...BaseAddress[]]): BaseAddress {
  const [first] = bases
  return bases.find(({ path }) => url.startsWith(`${path}/`)) ?? first
}
