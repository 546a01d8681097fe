import type { Micros } from '../money.ts'

/** Name of the setting that holds {@link AgentPriceTerms}. */
export const AGENT_PRICE_TERMS = 'agent_price_terms'

/** Limits within which agents set prices (rules 13.13). */
export interface AgentPriceTerms {
  /** Highest price of a sub-user, as a multiple of what the shop gets; at most 2 decimals. */
  readonly limit: number
  /** Amount to a multiple of which a price by a markup is rounded up. */
  readonly step: Micros
}

const BY_DEFAULT: AgentPriceTerms = { limit: 10, step: 10_000 }

/** @param setting the value of {@link AGENT_PRICE_TERMS}, where the operator has set it */
export function termsOf(setting: string | null | undefined): AgentPriceTerms {
  return setting ? (JSON.parse(setting) as AgentPriceTerms) : BY_DEFAULT
}

/** Returns the highest price that a sub-user may pay where the shop gets `shopPrice`. */
export function mostOver(shopPrice: Micros, { limit }: AgentPriceTerms): Micros {
  return Number((BigInt(shopPrice) * BigInt(Math.round(limit * 100))) / 100n)
}
