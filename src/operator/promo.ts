import { z } from 'zod'
import { paging } from '../core/page.ts'
import { toText } from '../core/money.ts'
import { PromoCodeTerms } from '../core/promotions/manage-promo-codes.ts'
import { PROMO_CODE, type PromoCode } from '../core/promotions/promo-code.ts'
import { type PromoEffect, PromoEffectRecord } from '../core/promotions/promo-effects.ts'
import { record } from '../core/record.ts'
import { action, typed } from './action.ts'
import { table } from './table.ts'

const { code, state, agent, percent, amount, ...rest } = PROMO_CODE
const fields = { code, state, agent, percent, amount, currency: z.string(), ...rest }
const PromoCodeRecord = record(fields)
const NewPromoCodeRecord = record({ ...fields, effects: PromoEffectRecord.array() })

const { shape } = PromoCodeTerms

/** Codes that lower prices, paid by the shop, or by the agent that made them (rules 13.8). */
export const promoActions = [
  action({
    name: 'promo add',
    summary: 'make a code that takes a percentage or an amount off purchases, paid by the shop',
    input: {
      code: typed(shape.code, '[code]', '3-32 letters, digits, _ or -; without it, one is made up'),
      percent: typed(shape.percent, '--percent <number>', '1-100, of the price', { conflicts: 'amount' }),
      amount: typed(shape.amount, '--amount <amount>', 'off each purchase'),
      products: typed(
        shape.products,
        '--products <numbers>',
        'numbers of products, such as ISP-US,DYN-US; without it, all',
      ),
      maxUses: typed(shape.maxUses, '--uses <number>', 'most purchases with it'),
      maxUsesPerUser: typed(shape.maxUsesPerUser, '--per-user <number>', 'most purchases of one user'),
      days: typed(shape.days, '--days <number>', 'how long it holds; without it, until it is stopped'),
      until: typed(shape.until, '--until <time>', 'or its end, such as 2026-12-31T23:59:00Z', {
        conflicts: 'days',
      }),
    },
    answer: NewPromoCodeRecord.schema,
    async run({ core, by, currency }, terms) {
      const made = await core.operator.promotions.add(by, terms)
      const { products: effects } = await core.operator.promotions.effects(made)
      return {
        data: NewPromoCodeRecord.show({ ...made, currency, effects }),
        text: `${made.code} takes ${discountOf(made, currency)} off\n${textOfEffects(effects)}`,
      }
    },
  }),
  action({
    name: 'promo list',
    summary: 'list codes, those of agents included, the newest first',
    input: { page: typed(paging.page, '--page <number>', 'which 100 of them') },
    answer: z.object({ items: PromoCodeRecord.array().schema, total: z.int() }),
    reads: true,
    async run({ core, currency }, { page }) {
      const { items, total } = await core.operator.promotions.list({ page, pageSize: 100 })
      const header = ['CODE', 'STATE', 'OFF', 'OF', 'USES', 'GIVEN', 'UNTIL', 'PRODUCTS']
      return {
        data: { items: items.map((each) => PromoCodeRecord.show({ ...each, currency })), total },
        text:
          total === 0
            ? 'There are no promotion codes'
            : table([header, ...items.map((each) => rowOfPromoCode(each, currency))]),
      }
    },
  }),
  action({
    name: 'promo stop',
    summary: 'end a code, also one of an agent; what was bought with it stays',
    input: { code: typed(z.string(), '<code>', 'in upper or lower case') },
    answer: PromoCodeRecord.schema,
    async run({ core, by, currency }, { code }) {
      const stopped = await core.operator.promotions.stop(by, code)
      return { data: PromoCodeRecord.show({ ...stopped, currency }), text: `${stopped.code} is stopped` }
    },
  }),
]

/** What a code takes off everybody's prices now. */
function textOfEffects(effects: readonly PromoEffect[]): string {
  if (effects.length === 0) return 'None of its products is on sale now'
  const rows = effects.map(({ productNo, price, discount, leastPercent, mostPercent }) => [
    productNo,
    toText(price),
    toText(price - discount),
    leastPercent === mostPercent ? `${mostPercent}%` : `${leastPercent}-${mostPercent}%`,
  ])
  return table([['PRODUCT', 'PRICE', 'WITH IT', 'OFF'], ...rows])
}

function discountOf({ percent, amount }: PromoCode, currency: string): string {
  return percent === null ? `${toText(amount ?? 0)} ${currency}` : `${percent}%`
}

function rowOfPromoCode(promo: PromoCode, currency: string): string[] {
  const { uses, maxUses, products } = promo
  return [
    promo.code,
    promo.state,
    discountOf(promo, currency),
    promo.agent ?? 'the shop',
    maxUses === null ? String(uses) : `${uses}/${maxUses}`,
    toText(promo.given),
    promo.validUntil ?? '-',
    products.length === 0 ? 'all' : products.join(','),
  ]
}
