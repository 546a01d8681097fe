import { type Micros, toText } from '../../../core/money.ts'
import { grouped } from '../format.ts'

const MICROS = 1_000_000
const MAGNITUDES = [
  ['T', 1e12],
  ['B', 1e9],
  ['M', 1e6],
  ['k', 1e3],
  ['', 1],
] as const

/** An amount as short as a picture has room for, at most eight characters but for a minus: `9,876.50`, `12.3k`, `4.56M`. */
export function shortAmount(micros: Micros): string {
  const value = micros / MICROS
  const size = Math.abs(value)
  if (size >= 9_999.995) return scaled(value)
  return size >= 0.01 || size === 0 ? grouped(value.toFixed(2)) : toText(micros)
}

/** The numbers beside an axis: all in the magnitude of the largest, with as many decimals as their distance needs. */
export function tickLabels(ticks: readonly Micros[]): string[] {
  const values = ticks.map((tick) => tick / MICROS)
  const largest = Math.max(...values.map(Math.abs))
  const [suffix, magnitude] = MAGNITUDES.find(([, size]) => largest >= size) ?? ['', 1]
  const step = ((values[1] ?? 0) - (values[0] ?? 0)) / magnitude
  const decimals = step > 0 ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : 0
  return values.map((value) => (value === 0 ? '0' : (value / magnitude).toFixed(decimals) + suffix))
}

/** Three significant digits; what rounds up to a thousand gets the next suffix. */
function scaled(value: number): string {
  const rounded = Number(value.toPrecision(3))
  const [suffix, magnitude] = MAGNITUDES.find(([, size]) => Math.abs(rounded) >= size) ?? ['', 1]
  return Number((rounded / magnitude).toPrecision(3)) + suffix
}
