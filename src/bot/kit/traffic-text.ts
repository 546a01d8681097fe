import type { Bytes } from '../../core/traffic/bytes.ts'

const BYTES_PER_MB = 1_000_000
const CELLS = 10

/** Whole thousandths of a GB, the smallest part that is sold and moved (rules 1.11). */
export function megabytesIn(bytes: Bytes): number {
  return Math.floor(bytes / BYTES_PER_MB)
}

/** `6.25 GB`, down to three decimals: nobody is shown more than there is. */
export function gigabytes(bytes: Bytes): string {
  const megabytes = megabytesIn(bytes)
  return bytes > 0 && megabytes === 0 ? '< 0.001 GB' : `${megabytes / 1000} GB`
}

/** `▰▰▰▱▱▱▱▱▱▱ 31%`; full only when nothing is left, empty only when nothing was used. */
export function progressBar(used: Bytes, total: Bytes): string {
  const share = total > 0 ? used / total : 0
  const inside = (steps: number) =>
    share === 0 || share === 1 ? share * steps : Math.min(Math.max(Math.round(share * steps), 1), steps - 1)
  const cells = inside(CELLS)
  return `${'▰'.repeat(cells)}${'▱'.repeat(CELLS - cells)} ${inside(100)}%`
}
