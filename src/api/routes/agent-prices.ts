import { z } from 'zod'
import {
  AGENT_PRICE,
  AGENT_PRICE_EXAMPLE,
  PRICE_PARTS,
  NewAgentPrice,
} from '../../core/earnings/agent-prices.ts'
import { record } from '../../core/record.ts'
import { endpoint } from '../endpoint.ts'
import { idOfRecord, wholeNumber } from '../wire/query.ts'

const TAG = 'Earnings'
const PATH = '/open/app/agent/prices'
const ERRORS = ['agent_required', 'sub_user_not_found', 'not_direct_sub_user', 'product_not_found'] as const
const { shape } = NewAgentPrice

const PriceRecord = record(AGENT_PRICE, { id: 'AgentPrice' })

const Prices = z.strictObject({
  items: z.array(PriceRecord.schema).meta({ description: 'All prices of the agent' }),
})

/** GET /open/app/agent/prices (rules 13.1). */
export const listAgentPrices = endpoint({
  name: 'listAgentPrices',
  method: 'GET',
  path: PATH,
  tag: TAG,
  scope: 'read',
  summary: 'What the sub-users of the agent pay',
  description:
    'The prices that the agent has set, the widest first. Where none holds, sub-users pay what the shop asks of them.',
  answer: Prices,
  errors: ['agent_required'],
  example: { data: { items: [PriceRecord.show(AGENT_PRICE_EXAMPLE)] } },
  handle: async ({ core }, actor) => ({
    items: (await core.earnings.listPrices(actor)).map(PriceRecord.show),
  }),
})

/** PUT /open/app/agent/prices (rules 13.1). */
export const setAgentPrice = endpoint({
  name: 'setAgentPrice',
  method: 'PUT',
  path: PATH,
  tag: TAG,
  scope: 'sub-users',
  summary: 'Set what sub-users of the agent pay',
  description:
    'Replaces the price of the same sub-user, product and quantity. The narrowest price holds. It comes on the price of the shop, which is ' +
    'what the agent itself would pay, or what the operator has set for this sub-user alone: no sub-user pays less than that, and what it ' +
    'pays above is the agent’s earning. The operator limits how many times that it may be; more is refused. Either `markup_percent` or ' +
    '`price`; a `price` needs a `product_no`.',
  body: z
    .object({
      user_id: shape.userId.meta({ description: PRICE_PARTS.userId }),
      product_no: shape.productNo.meta({ description: PRICE_PARTS.productNo }),
      min_quantity: shape.minQuantity.meta({ description: `${PRICE_PARTS.minQuantity}; 1 when missing` }),
      markup_percent: shape.markupPercent.meta({ description: PRICE_PARTS.markupPercent }),
      price: shape.price.meta({ description: PRICE_PARTS.price }),
    })
    .meta({ id: 'SetAgentPrice' }),
  answer: PriceRecord.schema,
  errors: ERRORS,
  example: { body: { product_no: 'DYN-1', markup_percent: 20 }, data: PriceRecord.show(AGENT_PRICE_EXAMPLE) },
  async handle({ core, body }, actor) {
    const { user_id: userId, product_no: productNo, min_quantity: minQuantity } = body
    const { markup_percent: markupPercent, price } = body
    const set = { userId, productNo, minQuantity, markupPercent, price }
    return PriceRecord.show(await core.earnings.setPrice(actor, set))
  },
})

/** DELETE /open/app/agent/prices (rules 13.1). */
export const removeAgentPrice = endpoint({
  name: 'removeAgentPrice',
  method: 'DELETE',
  path: PATH,
  tag: TAG,
  scope: 'sub-users',
  summary: 'Remove a price of the agent',
  description:
    'Named by sub-user, product and quantity, as it was set. The next wider one holds then. Answers the prices that are left.',
  query: z.object({
    user_id: idOfRecord.optional().meta({ description: `${PRICE_PARTS.userId}, when missing` }),
    product_no: z
      .string()
      .max(64)
      .optional()
      .meta({ description: `${PRICE_PARTS.productNo}, when missing` }),
    min_quantity: wholeNumber(1, 1_000_000)
      .optional()
      .meta({ description: `${PRICE_PARTS.minQuantity}; 1 when missing` }),
  }),
  answer: Prices,
  errors: ERRORS,
  example: { query: { product_no: 'DYN-1' }, data: { items: [] } },
  async handle({ core, query }, actor) {
    const { user_id: userId, product_no: productNo, min_quantity: minQuantity } = query
    await core.earnings.removePrice(actor, { userId, productNo, minQuantity })
    return { items: (await core.earnings.listPrices(actor)).map(PriceRecord.show) }
  },
})
