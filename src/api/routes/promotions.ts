import { z } from 'zod'
import { PromoCodeTerms } from '../../core/promotions/manage-promo-codes.ts'
import { PROMO_CODE_STATES, type PromoCode } from '../../core/promotions/promo-code.ts'
import { effectForWire } from '../../core/promotions/promo-effects.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { Money, money, Time } from '../wire/fields.ts'
import { paging } from '../wire/query.ts'

const TAG = 'Sub-users'

const PromoCodeRecord = z
  .strictObject({
    code: z.string().meta({ description: 'Upper and lower case do not count where it is typed' }),
    status: z.enum(PROMO_CODE_STATES).meta({ description: 'It lowers prices while it is `open`' }),
    percent: z.int().nullable().meta({ description: 'Of the price; null for a code with an amount' }),
    amount: Money.nullable().meta({ description: 'Off each purchase; null for a code with a percentage' }),
    products: z.array(z.string()).meta({ description: 'Numbers of products; empty: all' }),
    uses: z.int().meta({ description: 'Purchases with it; those that failed do not count' }),
    given: Money.meta({ description: 'What its uses have cost whoever made it' }),
    balance_limit: Money.nullable().meta({
      description: 'What its uses may cost the balance of the agent in all; null: nothing',
    }),
    balance_used: Money.meta({
      description: 'What they have cost the balance of the agent, less what refunds gave back to it',
    }),
    max_uses: z.int().nullable().meta({ description: 'Most purchases with it; null: no limit' }),
    max_uses_per_user: z.int().nullable().meta({ description: 'Most of one user; null: no limit' }),
    valid_until: Time.nullable().meta({ description: 'When it expires; null: never' }),
    stopped_at: Time.nullable().meta({ description: 'When it was stopped; null: it was not' }),
    created_at: Time,
  })
  .meta({ id: 'PromoCode' })

function toPromoCode(code: PromoCode): z.infer<typeof PromoCodeRecord> {
  return {
    code: code.code,
    status: code.state,
    percent: code.percent,
    amount: code.amount === null ? null : money(code.amount),
    products: [...code.products],
    uses: code.uses,
    given: money(code.given),
    balance_limit: code.balanceLimit === null ? null : money(code.balanceLimit),
    balance_used: money(code.balanceUsed),
    max_uses: code.maxUses,
    max_uses_per_user: code.maxUsesPerUser,
    valid_until: code.validUntil,
    stopped_at: code.stoppedAt,
    created_at: code.createdAt,
  }
}

const NewPromoCodeRecord = PromoCodeRecord.extend({
  effects: z
    .array(
      z.strictObject({
        product_no: z.string(),
        price: Money.meta({ description: 'What sub-users pay for one unit without the code' }),
        discount: Money.meta({ description: 'What the code takes off that' }),
        least_percent: z.number().meta({
          description: 'The smallest part of a price that it takes off, by number and place, in percent',
        }),
        most_percent: z.number().meta({ description: 'The largest one' }),
      }),
    )
    .meta({
      description:
        'What it takes off the products on sale for which it holds, at the present prices; sub-users with prices of their own ' +
        'get it by those',
    }),
}).meta({ id: 'NewPromoCode' })

const example: PromoCode = {
  id: 1,
  code: 'SPRING-10',
  state: 'open',
  agentId: 1,
  agent: 'agent',
  percent: 10,
  amount: null,
  products: [],
  uses: 12,
  given: 5_400_000,
  balanceLimit: 50_000_000,
  balanceUsed: 1_200_000,
  maxUses: 100,
  maxUsesPerUser: 1,
  validUntil: '2026-12-20T17:57:00.123Z',
  stoppedAt: null,
  createdAt: '2026-11-20T17:57:00.123Z',
}

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
  answer: NewPromoCodeRecord,
  text: { en: 'Promotion code created', zh: '优惠码已创建' },
  idempotent: true,
  errors: ['agent_required', 'promo_code_taken', 'product_not_found', 'idempotency_conflict'],
  example: {
    body: { code: 'SPRING-10', percent: 10, balanceLimit: 50, maxUses: 100, maxUsesPerUser: 1, days: 30 },
    data: {
      ...toPromoCode({ ...example, uses: 0, given: 0, balanceUsed: 0 }),
      effects: [{ product_no: 'DYN-1', price: 3.6, discount: 0.36, least_percent: 10, most_percent: 10 }],
    },
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const made = replayed(await core.promotions.create(actor, { ...body, requestKey: idempotencyKey }))
    const { products } = await core.promotions.effects(actor, made)
    return { ...toPromoCode(made), effects: products.map(effectForWire) }
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
  answer: listSchema(PromoCodeRecord),
  errors: ['agent_required'],
  example: { data: new List([toPromoCode(example)], { total: 1, page: 1, pageSize: 20 }) },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size } = query
    const codes = await core.promotions.list(actor, { page, pageSize })
    return new List(codes.items.map(toPromoCode), codes)
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
  answer: PromoCodeRecord,
  text: { en: 'Promotion code stopped', zh: '优惠码已停用' },
  errors: ['agent_required', 'promo_code_not_found'],
  example: {
    data: toPromoCode({ ...example, state: 'stopped', stoppedAt: '2026-11-21T17:57:00.123Z' }),
  },
  handle: async ({ core, params }, actor) => toPromoCode(await core.promotions.stop(actor, params.code)),
})
