import { halfWidth } from '../../../core/half-width.ts'
import { readTiers, type TypedTier } from '../../kit/tiers.ts'

/** Whose prices were typed: everybody's, unless a level or a user stands before them. */
export interface WhosePrices {
  readonly level?: number
  readonly username?: string
}

export type TypedPrices = { readonly whose: WhosePrices; readonly tiers: TypedTier[] }

const LEVEL = /^(?:level|等级|级别|уровень)\s*(\d{1,4})$/i
/** What stands before the prices, and the prices: from the first tier on, or `-` for none. */
const WHOSE =
  /^([^]*?)(?:^|[\s=:])((?:(?:(?:from|от)\s*)?\d{1,7}\s*(?:个?起?|шт\.?)\s*:[^]*)|[$¥€₽]?\d[\d.,]{0,14}(?:元|块|刀|u|\s*₽|\s*руб\.?)?|-)$/i

/** `1: 4.50, 10: 4.00`, `level 2 1: 4.20` or `somebody 1: 4.00`; `-` in place of the prices removes them. */
export function readPrices(text: string, currency: string): TypedPrices | undefined {
  const plain = halfWidth(text).trim()
  const [, before = '', prices] = WHOSE.exec(plain) ?? []
  if (prices === undefined) return undefined
  const tiers = prices === '-' ? [] : readTiers(prices, currency)
  if (!tiers) return undefined
  const name = before.replace(/[\s=:]+$/, '').trim()
  const level = LEVEL.exec(name)?.[1]
  if (name === '') return { whose: {}, tiers }
  return { whose: level === undefined ? { username: name } : { level: Number(level) }, tiers }
}
