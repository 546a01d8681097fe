import type { NetworkTraits, RawAmount, UsdtUnits } from './payment-network.ts'
import { usdtText } from '../usdt.ts'

const USDT_DECIMALS = 6

/** Converts what the token contract counts to units of 10^-6 USDT; what is less is dropped: never more is credited than has come. */
export function toUnits({ decimals }: Pick<NetworkTraits, 'decimals'>, raw: RawAmount): UsdtUnits {
  return raw / 10n ** BigInt(decimals - USDT_DECIMALS)
}

/** Formats what the token contract counts, to its last decimal: `100.0037`, at least two decimals and no more than needed. */
export function rawText(network: Pick<NetworkTraits, 'decimals'>, raw: RawAmount): string {
  const { decimals } = network
  const finer = (raw % 10n ** BigInt(decimals - USDT_DECIMALS))
    .toString()
    .padStart(decimals - USDT_DECIMALS, '0')
    .replace(/0+$/, '')
  if (decimals === USDT_DECIMALS || finer === '') return usdtText(toUnits(network, raw))
  const [whole, tail = ''] = usdtText(toUnits(network, raw)).split('.')
  return `${whole}.${tail.padEnd(USDT_DECIMALS, '0')}${finer}`
}
