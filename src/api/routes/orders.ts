import { z } from 'zod'
import { QUOTE } from '../../core/orders/quote-static-order.ts'
import { record } from '../../core/record.ts'
import { endpoint } from '../endpoint.ts'
import { DynamicOrderBody } from '../wire/dynamic-order.ts'
import { StaticQuoteBody } from '../wire/static-order-body.ts'
import { PROMO_CODE_REFUSALS, STATIC_TERMS_REFUSALS, TARGET_REFUSALS } from './refusals.ts'

/** Body of a quote: that of either create call. */
const QuoteBody = z.discriminatedUnion('orderType', [StaticQuoteBody, DynamicOrderBody])

const QuoteResult = record(QUOTE)

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
  answer: QuoteResult.schema,
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
    data: QuoteResult.show({
      unitPrice: 4_500_000,
      quantity: 2,
      periods: 1,
      discount: 0,
      promoCode: null,
      totalAmount: 9_000_000,
      currency: 'USD',
      balance: 50_000_000,
      balanceAfter: 41_000_000,
      nextTier: { minQuantity: 10, price: 4_000_000 },
    }),
  },
  async handle({ core, body }, actor) {
    const quote =
      body.orderType === 'dynamic_proxy'
        ? await core.orders.quoteDynamic(actor, body)
        : await core.orders.quoteStatic(actor, body)
    return QuoteResult.show(quote)
  },
})
