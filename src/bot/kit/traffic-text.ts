import type { Bytes } from '../../core/bytes.ts'
import type { Texts } from '../texts/index.ts'
import { drawnBar, stepsOf } from './bar.ts'

const BYTES_PER_MB = 1_000_000
const CELLS = 10

/** Whole thousandths of a GB, the smallest part that is sold and moved (rules 1.11). */
export function megabytesIn(bytes: Bytes): number {
  return Math.floor(bytes / BYTES_PER_MB)
}

/** `6.25 GB`, rounded down to three decimals: nobody is shown more than there is. */
export function gigabytes(bytes: Bytes, { units }: Texts): string {
  const megabytes = megabytesIn(bytes)
  const amount = bytes > 0 && megabytes === 0 ? '< 0.001' : megabytes / 1000
  return `${amount} ${units.gigabytes}`
}

const UNITS = ['bytes', 'kilobytes', 'megabytes', 'gigabytes'] as const

/** `734 B`, `12.5 KB`, `1.23 GB`: what was used, to three digits. */
export function used(bytes: Bytes, { units }: Texts): string {
  const step = Math.min(Math.max(Math.floor((String(bytes).length - 1) / 3), 0), UNITS.length - 1)
  const amount = bytes / 1000 ** step
  return `${amount < 1000 ? Number(amount.toPrecision(3)) : Math.round(amount)} ${units[UNITS[step] ?? 'gigabytes']}`
}

const BAR = 6

/** `▰▰▱▱▱▱`: one of several amounts beside the largest. */
export function bar(bytes: Bytes, largest: Bytes): string {
  return drawnBar(bytes > 0 ? bytes / largest : 0, BAR)
}

/** `▰▰▰▱▱▱▱▱▱▱ 31%`: what was used of all. */
export function usageBar(used: Bytes, total: Bytes): string {
  const share = total > 0 ? used / total : 0
  return `${drawnBar(share, CELLS)} ${stepsOf(share, 100)}%`
}
