interface Scale {
  readonly min: number
  readonly max: number
  /** Round numbers from the lowest to the highest, zero among them. */
  readonly ticks: readonly number[]
}

const STEPS = 4

/**
 * An axis that holds zero and all the values, divided by round numbers: 1, 2 or 5 times a power of ten.
 *
 * @param smallestStep power of ten; nothing finer is written beside the axis
 */
export function axisFor(values: readonly number[], smallestStep: number): Scale {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  if (low === high) return { min: 0, max: 1, ticks: [0] }
  const rough = Math.max((high - low) / STEPS, smallestStep)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step + 0)
  return { min: first * step, max: last * step, ticks }
}
