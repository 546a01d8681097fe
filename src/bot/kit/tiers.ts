import { halfWidth } from '../../core/half-width.ts'
import { fromText, type Micros, toNumber, toText } from '../../core/money.ts'

/** A price from a quantity on, in units of the currency. */
export interface TypedTier {
  readonly minQuantity: number
  readonly price: number
}

const TIER = /^(\d{1,7})\s*:\s*(\S+)$/

/** Tiers as they are typed: `1: 4.50, 10: 4.00`, or a single price. */
export function readTiers(text: string): TypedTier[] | undefined {
  const plain = halfWidth(text).trim()
  const single = fromText(plain)
  if (single !== undefined) return [{ minQuantity: 1, price: toNumber(single) }]
  const tiers = plain.split(/[,;、\n]+/).flatMap((each) => {
    const [, quantity, price = ''] = TIER.exec(each.trim()) ?? []
    const micros = fromText(price)
    return quantity === undefined || micros === undefined
      ? [undefined]
      : [{ minQuantity: Number(quantity), price: toNumber(micros) }]
  })
  return tiers.every((tier) => tier !== undefined) ? tiers : undefined
}

/** As they are typed. */
export function tiersText(
  tiers: readonly { readonly minQuantity: number; readonly price: Micros }[],
): string {
  return tiers.map(({ minQuantity, price }) => `${minQuantity}: ${toText(price)}`).join(', ')
}
