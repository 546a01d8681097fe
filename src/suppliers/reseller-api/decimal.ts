import { toText } from '../../core/money.ts'
import type { SupplierAmount } from '../../core/supply/driver.ts'

/** Returns millionths of the supplier's currency, the smallest amount that the API shows. */
export function micros(amount: number): number {
  return Math.round(amount * 1_000_000)
}

/** Returns the decimal text of an amount in millionths. */
export function decimal(amountInMicros: number): SupplierAmount {
  return toText(amountInMicros)
}

/** Returns a ceiling as the API takes it: a JSON number with at most 6 decimals, never above the text. */
export function ceilingNumber(ceiling: SupplierAmount): number {
  return Math.floor(Number(ceiling) * 1_000_000 + 1e-3) / 1_000_000
}
