import { z } from 'zod'
import type { Readable } from '../database/database.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { fromNumber, toNumber } from '../money.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { AGENT_PRICE_TERMS, type AgentPriceTerms, termsOf } from '../catalog/price-limits.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Highest limit, in times the shop's price: that of the highest markup. */
const MAX_LIMIT = 101

/** Reads the terms that hold. */
export function agentPriceTerms({ db }: Pick<Essentials, 'db'>): Promise<AgentPriceTerms> {
  return termsIn(db.read)
}

/** Reads the terms that hold, as the connection or open transaction sees them. */
export async function termsIn(read: Readable): Promise<AgentPriceTerms> {
  return termsOf(await readSetting({ db: { read } }, AGENT_PRICE_TERMS))
}

export const NewAgentPriceTerms = z.object({
  limit: z.number().min(1).max(MAX_LIMIT).multipleOf(0.01).optional(),
  /** Multiple to which prices by a markup are rounded up, in units of the currency. */
  step: z
    .number()
    .max(1)
    .refine((value) => value > 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
    .optional(),
})

/**
 * Sets the limit of what agents' sub-users pay, or how prices by a markup are rounded, for the operator (rules 13.13). Prices that are
 * set stay; what is paid is at most the limit.
 *
 * @returns the terms that hold now
 * @throws validation_error
 */
export async function setAgentPriceTerms(
  deps: Essentials,
  input: z.input<typeof NewAgentPriceTerms>,
): Promise<AgentPriceTerms> {
  const { limit, step } = parseInput(NewAgentPriceTerms, input)
  if (limit === undefined && step === undefined) throw InvalidInput.of('limit', 'nothing_to_change')
  return deps.db.write(async (tx) => {
    const before = await termsIn(tx)
    const terms = {
      limit: limit ?? before.limit,
      step: step === undefined ? before.step : (fromNumber(step) ?? before.step),
    }
    await writeSetting(tx, AGENT_PRICE_TERMS, JSON.stringify(terms))
    return terms
  })
}

/** Returns the `validation_error` of a price above the limit; it names the limit, in percent or in units of the currency. */
export function aboveLimit(field: 'markup_percent' | 'price', maximum: number): InvalidInput {
  return new InvalidInput([
    {
      code: 'too_big',
      origin: 'number',
      maximum,
      inclusive: true,
      path: [field],
      message: 'above_price_limit',
      input: undefined,
    },
  ])
}

/** Returns the highest markup, in percent. */
export function mostMarkup({ limit }: AgentPriceTerms): number {
  return Math.round(limit * 100) - 100
}

/** Converts the terms for output, with the step in units of the currency. */
export function termsForWire({ limit, step }: AgentPriceTerms) {
  return { limit, step: toNumber(step) }
}
