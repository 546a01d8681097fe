import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Money, money } from '../wire/fields.ts'
import { DynamicOrderBody } from '../wire/dynamic-order.ts'
import { StaticQuoteBody } from '../wire/static-order-body.ts'
import { PROMO_CODE_REFUSALS, STATIC_TERMS_REFUSALS, TARGET_REFUSALS } from './refusals.ts'

/** Body of a quote: that of either create call. */
const QuoteBody = z.discriminatedUnion('orderType', [StaticQuoteBody, DynamicOrderBody])

const QuoteResult = z.strictObject({
  unit_price: Money.meta({ description: 'Per IP and billing period, or per GB' }),
  quantity: z.number().meta({ description: 'Number of IPs, or GB' }),
  periods: z.int().meta({ description: 'Number of billing periods; 1 for traffic' }),
  discount: Money.meta({ description: 'What the promotion code takes off; 0 without one' }),
  promo_code: z.string().nullable(),
  total_amount: Money.meta({ description: 'What is to be paid, after the discount' }),
  currency: z.string(),
  balance: Money.meta({ description: 'Balance of the target user' }),
  balance_after: Money.meta({ description: 'Negative when the balance does not suffice' }),
  next_tier: z
    .strictObject({ min_quantity: z.int(), price: Money })
    .nullable()
    .meta({ description: 'The next lower price, and the quantity (IPs or GB) from which it holds' }),
})

/** POST /open/app/order/quote (rules 3.6). */
export const quoteOrder = endpoint({
  name: 'quoteOrder',
  method: 'POST',
  path: '/open/app/order/quote',
  tag: 'Orders',
  scope: 'read',
  summary: 'What an order would cost',
  description:
    'Takes the body of an order and refuses what the order would refuse, but for the balance, which it shows; it changes nothing.',
  body: QuoteBody,
  changesNothing: true,
  answer: QuoteResult,
  errors: [
    ...TARGET_REFUSALS,
    ...PROMO_CODE_REFUSALS,
    'out_of_stock',
    'price_changed',
    ...STATIC_TERMS_REFUSALS,
  ],
  example: {
    body: {
      orderType: 'static_proxy',
      poolId: 'ISP-RES',
      userId: 2,
      ipCount: 2,
      duration: 1,
      unit: 3,
      cycleTimes: 1,
    },
    data: {
      unit_price: 4.5,
      quantity: 2,
      periods: 1,
      discount: 0,
      promo_code: null,
      total_amount: 9,
      currency: 'USD',
      balance: 50,
      balance_after: 41,
      next_tier: { min_quantity: 10, price: 4 },
    },
  },
  async handle({ core, body }, actor) {
    const quote =
      body.orderType === 'dynamic_proxy'
        ? await core.orders.quoteDynamic(actor, body)
        : await core.orders.quoteStatic(actor, body)
    const { nextTier } = quote
    return {
      unit_price: money(quote.unitPrice),
      quantity: quote.quantity,
      periods: quote.periods,
      discount: money(quote.discount),
      promo_code: quote.promoCode,
      total_amount: money(quote.totalAmount),
      currency: quote.currency,
      balance: money(quote.balance),
      balance_after: money(quote.balanceAfter),
      next_tier: nextTier && { min_quantity: nextTier.minQuantity, price: money(nextTier.price) },
    }
  },
})
