import type { SupplierAmount } from '../core/supply/driver.ts'

/** An amount as suppliers write it: digits, and a fraction of any length. */
export const DECIMAL = /^-?\d{1,12}(\.\d{1,12})?$/

/** Returns the exact sum of two amounts. */
export function sum(first: SupplierAmount, second: SupplierAmount): SupplierAmount {
  const places = Math.max(fraction(first).length, fraction(second).length)
  const total = scaled(first, places) + scaled(second, places)
  const digits = (total < 0n ? -total : total).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return `${total < 0n ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`
}

/** Returns an amount without its sign. */
export function magnitude(amount: SupplierAmount): SupplierAmount {
  return amount.replace(/^-/, '')
}

function fraction(amount: string): string {
  return amount.split('.')[1] ?? ''
}

function scaled(amount: string, places: number): bigint {
  return BigInt(`${amount.split('.')[0]}${fraction(amount).padEnd(places, '0')}`)
}
