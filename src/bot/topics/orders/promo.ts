import { type ErrorCode, ServiceError } from '../../../core/errors.ts'
import type { Quote } from '../../../core/orders/quote-static-order.ts'
import { refusalText } from '../../kit/errors.ts'
import { amount } from '../../kit/format.ts'
import type { Button } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import type { Html } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** What a promotion code takes off; nothing without one. */
export function discountLines(
  { buy }: Texts,
  { discount = 0, promoCode = null }: Partial<Pick<Quote, 'discount' | 'promoCode'>>,
  currency: string,
): Html[] {
  return promoCode === null ? [] : [buy.promo.line(promoCode, amount(discount, currency))]
}

/** Names a promotion code, or takes it off again. */
export function promoButton(
  { buy }: Texts,
  { promoCode }: Pick<Quote, 'promoCode'>,
  data: { readonly add: string; readonly remove: string },
): Button {
  const { add, remove } = buy.promo
  return promoCode === null ? { text: add, data: data.add } : { text: remove, data: data.remove }
}

/** Why a purchase that names a promotion code cannot be made with it; undefined for any other refusal. */
export function promoProblem({ texts, core }: BotContext, error: unknown): string | undefined {
  return error instanceof ServiceError && PROMO_REFUSALS.has(error.code)
    ? refusalText(texts, error, core.currency)
    : undefined
}

/** The last one after too many wrong codes. */
const PROMO_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'promo_code_not_found',
  'promo_code_not_usable',
  'rate_limited',
])
