import type { Micros } from '../money.ts'
import type { SupplierAmount } from './driver.ts'
import { SupplierFault } from './driver.ts'

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,18}))?$/

/**
 * An amount of a supplier in the account currency, rounded up to 10^-6.
 *
 * @param rate 10^-6 of the account currency for one unit of the supplier's
 * @throws SupplierFault `unknown` for what is no decimal number
 */
export function inAccountCurrency(amount: SupplierAmount, rate: Micros): Micros {
  const [, sign, whole, decimals = ''] = DECIMAL.exec(amount.trim()) ?? []
  if (whole === undefined)
    throw new SupplierFault('unknown', 'the supplier answered an amount that is no number')
  const scale = 10n ** BigInt(decimals.length)
  const product = BigInt(whole + decimals) * BigInt(rate)
  const negative = sign === '-'
  // Towards the larger amount: up for what is charged, towards 0 for a negative one.
  const rounded = negative ? product / scale : (product + scale - 1n) / scale
  return Number(negative ? -rounded : rounded)
}

/** An amount in the supplier's currency, as decimal text rounded down to 6 decimals. */
export function inSupplierCurrency(micros: Micros, rate: Micros): SupplierAmount {
  const units = (BigInt(Math.max(micros, 0)) * 1_000_000n) / BigInt(rate)
  const digits = units.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
