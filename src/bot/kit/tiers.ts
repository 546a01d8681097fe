import { halfWidth } from '../../core/half-width.ts'
import { type Micros, toNumber, toText } from '../../core/money.ts'
import type { Texts } from '../texts/index.ts'
import { amountIn, countIn } from './typed-number.ts'

/** A price from a quantity on, in units of the currency. */
export interface TypedTier {
  readonly minQuantity: number
  readonly price: number
}

const TIER = /^(?:(?:from|от)\s*)?(\d{1,7}[^:]{0,8}?)(?:\s*起)?\s*:\s*(.+)$/i
/** Between two tiers; a comma within a price is followed by no quantity. */
const BETWEEN = /[,;、\n]+(?=\s*(?:(?:from|от)\s*)?\d{1,7}[^:,;、\n]{0,12}:)/i

/** Tiers as they are typed: `1: 4.50, 10: 4.00`, `10个起：4元`, `от 10 шт.: 4`, or a single price. */
export function readTiers(text: string, currency: string): TypedTier[] | undefined {
  const plain = halfWidth(text).trim()
  const single = amountIn(plain, currency)
  if (single !== undefined) return [{ minQuantity: 1, price: toNumber(single) }]
  const tiers = plain.split(BETWEEN).flatMap((each) => {
    const [, quantity = '', price = ''] = TIER.exec(each.trim()) ?? []
    const [minQuantity, micros] = [countIn(quantity), amountIn(price, currency)]
    return minQuantity === undefined || micros === undefined
      ? [undefined]
      : [{ minQuantity, price: toNumber(micros) }]
  })
  return tiers.every((tier) => tier !== undefined) ? tiers : undefined
}

/** Formats tiers as they are typed. */
export function tiersText(
  { list }: Texts,
  tiers: readonly { readonly minQuantity: number; readonly price: Micros }[],
): string {
  return list(tiers.map(({ minQuantity, price }) => `${minQuantity}: ${toText(price)}`))
}
