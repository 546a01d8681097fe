import type { Micros } from '../money.ts'

/** The setting that holds the terms. */
export const AGENT_PRICE_TERMS = 'agent_price_terms'

/** Within what agents set prices (rules 13.13). */
export interface AgentPriceTerms {
  /** How many times what the shop gets a sub-user pays at most; 2 decimals. */
  readonly limit: number
  /** To multiples of what a price by a markup is rounded up. */
  readonly step: Micros
}

const BY_DEFAULT: AgentPriceTerms = { limit: 10, step: 10_000 }

/** @param setting its value, where the operator has set it */
export function termsOf(setting: string | null | undefined): AgentPriceTerms {
  return setting ? (JSON.parse(setting) as AgentPriceTerms) : BY_DEFAULT
}

/** The most that a sub-user pays. */
export function mostOver(shopPrice: Micros, { limit }: AgentPriceTerms): Micros {
  return Number((BigInt(shopPrice) * BigInt(Math.round(limit * 100))) / 100n)
}
