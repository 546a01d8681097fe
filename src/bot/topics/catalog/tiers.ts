import { halfWidth } from '../../../core/half-width.ts'
import { fromText, type Micros, toNumber, toText } from '../../../core/money.ts'

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

/** Whose prices were typed: everybody's, unless a level or a user stands before them. */
export interface WhosePrices {
  readonly level?: number
  readonly username?: string
}

export type TypedPrices = { readonly whose: WhosePrices; readonly tiers: TypedTier[] }

const LEVEL = /^(?:level|等级|级别)\s*(\d{1,4})$/i
/** The first tier, or `-` for none at the end, with what stands before it. */
const WHOSE = /^([^]*?)(?:^|[\s=:：])((?:\d{1,7}\s*[:：][^]*)|\d{1,10}(?:\.\d+)?|-)$/

/** `1: 4.50, 10: 4.00`, `level 2 1: 4.20` or `somebody 1: 4.00`; `-` in place of the prices removes them. */
export function readPrices(text: string): TypedPrices | undefined {
  const plain = halfWidth(text).trim()
  const [, before = '', prices] = WHOSE.exec(plain) ?? []
  if (prices === undefined) return undefined
  const tiers = prices === '-' ? [] : readTiers(prices)
  if (!tiers) return undefined
  const name = before.replace(/[\s=:]+$/, '').trim()
  const level = LEVEL.exec(name)?.[1]
  if (name === '') return { whose: {}, tiers }
  return { whose: level === undefined ? { username: name } : { level: Number(level) }, tiers }
}

/** As they are typed. */
export function tiersText(
  tiers: readonly { readonly minQuantity: number; readonly price: Micros }[],
): string {
  return tiers.map(({ minQuantity, price }) => `${minQuantity}: ${toText(price)}`).join(', ')
}
