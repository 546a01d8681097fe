import { z } from 'zod'
import type { Readable } from '../database/database.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { fromNumber, toNumber } from '../money.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { AGENT_PRICE_TERMS, type AgentPriceTerms, termsOf } from '../catalog/price-limits.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Most that a limit can be: that of the highest markup. */
const MAX_LIMIT = 101

/** The terms that hold. */
export function agentPriceTerms({ db }: Pick<Essentials, 'db'>): Promise<AgentPriceTerms> {
  return termsIn(db.read)
}

/** The same in an open transaction. */
export async function termsIn(read: Readable): Promise<AgentPriceTerms> {
  return termsOf(await readSetting({ db: { read } }, AGENT_PRICE_TERMS))
}

const NewTerms = z.object({
  limit: z.number().min(1).max(MAX_LIMIT).multipleOf(0.01).optional(),
  /** In units of the currency. */
  step: z
    .number()
    .max(1)
    .refine((value) => value > 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
    .optional(),
})

/**
 * The operator sets the limit of what agents' sub-users pay, or how prices by a markup are rounded (rules 13.13). Prices that are set
 * stay, and are at most the limit where they hold.
 *
 * @returns what holds now
 * @throws validation_error
 */
export async function setAgentPriceTerms(
  deps: Essentials,
  input: z.input<typeof NewTerms>,
): Promise<AgentPriceTerms> {
  const { limit, step } = parseInput(NewTerms, input)
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

/** `validation_error` of a price above the limit, which it names: in percent, or in units of the currency. */
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

/** The highest markup, in percent. */
export function mostMarkup({ limit }: AgentPriceTerms): number {
  return Math.round(limit * 100) - 100
}

/** For wires: the step in units of the currency. */
export function termsForWire({ limit, step }: AgentPriceTerms) {
  return { limit, step: toNumber(step) }
}
