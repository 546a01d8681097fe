/** Most purchase cycles, and longest duration of one, that the API takes. */
const MOST_CYCLES = 36
const LONGEST_DURATION = 3650

interface Periods {
  readonly periods: number
  readonly periodUnit: 1 | 3
  readonly periodLength: number
}

/** Returns a number of periods as the API takes a term; undefined when it is too long. */
export function durationOf({ periods, periodUnit, periodLength }: Periods) {
  if (periods <= MOST_CYCLES) return { duration: periodLength, unit: periodUnit, cycleTimes: periods }
  const duration = periods * periodLength
  return duration <= LONGEST_DURATION ? { duration, unit: periodUnit, cycleTimes: 1 } : undefined
}
