import { MAX_MICROS, type Micros } from '../money.ts'
import { type SupplierAmount, SupplierFault } from './driver.ts'

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,18}))?$/
const MICROS_PER_UNIT = 1_000_000n

/**
 * Converts an amount of a supplier to the account currency.
 *
 * @param rate account currency for one unit of the supplier's, in 10^-6
 * @param round direction in which a fraction of 10^-6 is rounded: costs up, amounts given back down
 * @throws SupplierFault `unknown` when the text is no amount
 */
export function inAccountCurrency(amount: SupplierAmount, rate: Micros, round: 'up' | 'down' = 'up'): Micros {
  const [text, units, decimals = ''] = DECIMAL.exec(amount) ?? []
  if (text === undefined) throw new SupplierFault('unknown', 'the supplier answered an amount that is none')
  const divisor = 10n ** BigInt(decimals.length)
  const product = BigInt(`${units}${decimals}`) * BigInt(rate)
  const micros = (round === 'up' ? product + divisor - 1n : product) / divisor
  if (micros > BigInt(MAX_MICROS))
    throw new SupplierFault('unknown', 'the supplier answered an amount that is too large')
  return Number(micros)
}

/** Converts an amount of the account currency to the supplier's, with 6 decimals, rounded down. */
export function inSupplierCurrency(amount: Micros, rate: Micros): SupplierAmount {
  const micros = (BigInt(amount) * MICROS_PER_UNIT) / BigInt(rate)
  const digits = micros.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** Returns the most that may be paid to the supplier for what is sold at this price. */
export function lessMargin(price: Micros, minMarginBps: number): Micros {
  return Number((BigInt(price) * BigInt(10_000 - minMarginBps)) / 10_000n)
}
