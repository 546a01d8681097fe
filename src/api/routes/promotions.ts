import { z } from 'zod'
import { PromoCodeTerms } from '../../core/promotions/manage-promo-codes.ts'
import { PROMO_CODE, PROMO_CODE_EXAMPLE } from '../../core/promotions/promo-code.ts'
import { PromoEffectRecord } from '../../core/promotions/promo-effects.ts'
import { record } from '../../core/record.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { paging } from '../wire/query.ts'

const TAG = 'Sub-users'

const { agent: _, ...ofOwnCode } = PROMO_CODE
const names = { state: 'status' } as const
const PromoCodeRecord = record(ofOwnCode, { id: 'PromoCode', names })
const effects = PromoEffectRecord.array().meta({
  description:
    'What it takes off the products on sale for which it holds, at the present prices; sub-users with prices of their own ' +
    'get it by those',
})
const NewPromoCodeRecord = record({ ...ofOwnCode, effects }, { id: 'NewPromoCode', names })

const { shape } = PromoCodeTerms

/** POST /open/app/agent/promotions (rules 13.8). */
export const createPromoCode = endpoint({
  name: 'createPromoCode',
  method: 'POST',
  path: '/open/app/agent/promotions',
  tag: TAG,
  scope: 'sub-users',
  summary: 'Make a promotion code',
  description:
    'Sub-users of the agent name it in `promoCode` of an order or a quote. What it takes off comes out of what the agent earns by the ' +
    'purchase, then out of its balance as far as `balanceLimit` and the balance suffice (records of the type `promotion`), and is at ' +
    'most that: `effects` says what that comes to. Refunds give the agent back its part.',
  body: PromoCodeTerms.extend({
    code: shape.code.meta({
      description: '3-32 letters, digits, `_` or `-`; missing or null: one is made up',
    }),
    percent: shape.percent.meta({ description: 'Of the price; either this or `amount`' }),
    amount: shape.amount.meta({ description: 'Off each purchase; either this or `percent`' }),
    products: shape.products.meta({ description: 'Numbers of products; missing or empty: all' }),
    balanceLimit: shape.balanceLimit.meta({
      description:
        'What its uses may cost the balance of the agent in all, where what the agent earns does not suffice; missing or null: nothing',
    }),
    maxUses: shape.maxUses.meta({ description: 'Most purchases with it; missing or null: no limit' }),
    maxUsesPerUser: shape.maxUsesPerUser.meta({
      description: 'Most purchases of one user; missing or null: no limit',
    }),
    days: shape.days.meta({ description: 'After so many days it expires; missing or null: never' }),
    until: shape.until.meta({ description: 'When it expires, ISO 8601; instead of `days`' }),
  }).meta({ id: 'CreatePromoCode' }),
  answer: NewPromoCodeRecord.schema,
  idempotent: true,
  errors: ['agent_required', 'promo_code_taken', 'product_not_found', 'idempotency_conflict'],
  example: {
    body: { code: 'SPRING-10', percent: 10, balanceLimit: 50, maxUses: 100, maxUsesPerUser: 1, days: 30 },
    data: NewPromoCodeRecord.show({
      ...PROMO_CODE_EXAMPLE,
      uses: 0,
      given: 0,
      balanceUsed: 0,
      effects: [
        { productNo: 'DYN-1', price: 3_600_000, discount: 360_000, leastPercent: 10, mostPercent: 10 },
      ],
    }),
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const made = replayed(await core.promotions.create(actor, { ...body, requestKey: idempotencyKey }))
    const { products } = await core.promotions.effects(actor, made)
    return NewPromoCodeRecord.show({ ...made, effects: products })
  },
})

/** GET /open/app/agent/promotions (rules 13.8). */
export const listPromoCodes = endpoint({
  name: 'listPromoCodes',
  method: 'GET',
  path: '/open/app/agent/promotions',
  tag: TAG,
  scope: 'read',
  summary: 'Promotion codes of the agent',
  description: 'Newest first.',
  query: z.object(paging),
  answer: listSchema(PromoCodeRecord.schema),
  errors: ['agent_required'],
  example: {
    data: new List([PromoCodeRecord.show(PROMO_CODE_EXAMPLE)], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size } = query
    const codes = await core.promotions.list(actor, { page, pageSize })
    return new List(codes.items.map(PromoCodeRecord.show), codes)
  },
})

/** POST /open/app/agent/promotions/{code}/stop (rules 13.8). */
export const stopPromoCode = endpoint({
  name: 'stopPromoCode',
  method: 'POST',
  path: '/open/app/agent/promotions/:code/stop',
  params: { code: { description: 'The code', example: 'SPRING-10' } },
  tag: TAG,
  scope: 'sub-users',
  summary: 'Stop a promotion code',
  description: 'What was bought with it stays as it is. A code that was stopped before stays stopped.',
  answer: PromoCodeRecord.schema,
  errors: ['agent_required', 'promo_code_not_found'],
  example: {
    data: PromoCodeRecord.show({
      ...PROMO_CODE_EXAMPLE,
      state: 'stopped',
      stoppedAt: '2026-11-21T17:57:00.123Z',
    }),
  },
  handle: async ({ core, params }, actor) =>
    PromoCodeRecord.show(await core.promotions.stop(actor, params.code)),
})
