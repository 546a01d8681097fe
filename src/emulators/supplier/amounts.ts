import type { Amount } from './types.ts'

/** Decimals of money inside the platform: amounts are whole numbers of 10^-6. */
const DECIMALS = 6

export function unitsOf(amount: Amount): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  if (whole === undefined) throw new Error(`not an amount: ${amount}`)
  return BigInt(`${sign}${whole}${fraction.padEnd(DECIMALS, '0')}`)
}

/** Writes an amount with at least two decimals. */
export function amountOf(units: bigint): Amount {
  const digits = (units < 0n ? -units : units).toString().padStart(DECIMALS + 1, '0')
  const decimals = digits.slice(-DECIMALS).replace(/0{1,4}$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${decimals}`
}
