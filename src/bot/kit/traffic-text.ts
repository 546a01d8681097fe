import type { Bytes } from '../../core/bytes.ts'

const BYTES_PER_MB = 1_000_000
const CELLS = 10

/** Whole thousandths of a GB, the smallest part that is sold and moved (rules 1.11). */
export function megabytesIn(bytes: Bytes): number {
  return Math.floor(bytes / BYTES_PER_MB)
}

/** `6.25 GB`, rounded down to three decimals: nobody is shown more than there is. */
export function gigabytes(bytes: Bytes): string {
  const megabytes = megabytesIn(bytes)
  return bytes > 0 && megabytes === 0 ? '< 0.001 GB' : `${megabytes / 1000} GB`
}

const UNITS = ['B', 'KB', 'MB', 'GB'] as const

/** `734 B`, `12.5 KB`, `1.23 GB`: what was used, to three digits. */
export function used(bytes: Bytes): string {
  const step = Math.min(Math.max(Math.floor((String(bytes).length - 1) / 3), 0), UNITS.length - 1)
  const amount = bytes / 1000 ** step
  return `${amount < 1000 ? Number(amount.toPrecision(3)) : Math.round(amount)} ${UNITS[step]}`
}

const BAR = 6

/** `▰▰▱▱▱▱`: one of several amounts beside the largest; empty only when it is 0. */
export function bar(bytes: Bytes, largest: Bytes): string {
  const cells = bytes > 0 ? Math.max(Math.round((bytes / largest) * BAR), 1) : 0
  return '▰'.repeat(cells) + '▱'.repeat(BAR - cells)
}

/** `▰▰▰▱▱▱▱▱▱▱ 31%`; full only when nothing is left, empty only when nothing was used. */
export function progressBar(used: Bytes, total: Bytes): string {
  const share = total > 0 ? used / total : 0
  const inside = (steps: number) =>
    share === 0 || share === 1 ? share * steps : Math.min(Math.max(Math.round(share * steps), 1), steps - 1)
  const cells = inside(CELLS)
  return `${'▰'.repeat(cells)}${'▱'.repeat(CELLS - cells)} ${inside(100)}%`
}
