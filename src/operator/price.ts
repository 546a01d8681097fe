import { z } from 'zod'
import { PriceName } from '../core/catalog/manage-prices.ts'
import { PriceInUnits } from '../core/catalog/prices.ts'
import { NewAgentPriceTerms } from '../core/earnings/agent-price-terms.ts'
import { fromNumber, toText } from '../core/money.ts'
import { Money, record } from '../core/record.ts'
import { action, typed } from './action.ts'
import { FREE_HELP, meantPrice, percent } from './arguments.ts'

const { shape } = PriceName

/** Which price is meant: of a product, for whom, from how many on. */
const WHICH = {
  productNo: typed(shape.productNo, '<product>', 'product number'),
  level: typed(shape.level, '--level <number>', 'for agents of this level and their sub-users', {
    conflicts: 'user',
  }),
  username: typed(
    shape.username,
    '--user <name>',
    'for this account only; of a sub-user, what its agent’s markup comes on top of',
  ),
  minQuantity: typed(shape.minQuantity, '--min <quantity>', 'from how many IPs or GB on'),
}

const which = { productNo: z.string(), scope: z.string(), minQuantity: z.int() }
const PriceNameRecord = record(which)
const PriceRecord = record({ ...which, price: z.number(), currency: z.string() })
const AgentPriceTermsRecord = record({ limit: z.number(), step: Money, currency: z.string() })

/** Prices of the shop (rules 10.6), and the limits of those of agents (rules 13.13). */
export const priceActions = [
  action({
    name: 'price set',
    summary: 'set a price for everybody, for a level, or for one account',
    input: {
      ...WHICH,
      price: typed(PriceInUnits, '<price>', 'per IP and billing period, or per GB'),
      free: typed(z.boolean().default(false), '--free', FREE_HELP),
    },
    answer: PriceRecord.schema,
    async run({ core, by, currency }, { free, ...input }) {
      meantPrice(input.price, free)
      const { scope } = await core.operator.setPrice(by, input)
      const costs = `${toText(fromNumber(input.price) ?? 0)} ${currency}`
      return {
        data: PriceRecord.show({ ...input, scope, currency }),
        text: `${input.productNo} costs ${costs} for ${whomOf(input)}`,
      }
    },
  }),
  action({
    name: 'price remove',
    summary: 'remove a price; the next one that fits applies instead',
    input: WHICH,
    answer: PriceNameRecord.schema,
    async run({ core, by }, input) {
      const { scope } = await core.operator.removePrice(by, input)
      return {
        data: PriceNameRecord.show({ ...input, scope }),
        text: `${input.productNo} has no price of its own any more for ${whomOf(input)}`,
      }
    },
  }),
  action({
    name: 'price agents',
    summary: 'within what agents set the prices of their sub-users; without options, shows it',
    input: {
      limit: typed(
        NewAgentPriceTerms.shape.limit,
        '--limit <times>',
        'the most, as a multiple of the price of the shop: 1-101, such as 2.5',
        { parse: percent },
      ),
      step: typed(
        NewAgentPriceTerms.shape.step,
        '--step <amount>',
        'to multiples of what a markup is rounded up: 0.000001-1, such as 0.01',
      ),
    },
    answer: AgentPriceTermsRecord.schema,
    async run({ core: { operator }, by, currency }, input) {
      const isSet = input.limit !== undefined || input.step !== undefined
      const terms = isSet ? await operator.setAgentPriceTerms(by, input) : await operator.agentPriceTerms()
      return {
        data: AgentPriceTermsRecord.show({ ...terms, currency }),
        text: `Sub-users of agents pay at most ${terms.limit} times the price of the shop; markups are rounded up to multiples of ${toText(terms.step)} ${currency}`,
      }
    },
  }),
]

function whomOf({ level, username, minQuantity }: z.output<typeof PriceName>): string {
  const whom = username ?? (level === undefined ? 'everybody' : `level ${level}`)
  return minQuantity > 1 ? `${whom}, from ${minQuantity} on` : whom
}
