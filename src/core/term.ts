/** How long a static proxy is rented; 30 days count as one month, longer units are calendar (rules 5.1). */
export type Term = { readonly months: number } | { readonly days: number }

/** Units of `duration` in the API (rules 5.1). */
export const UNIT = { day: 1, month: 3, year: 4 } as const
export type Unit = (typeof UNIT)[keyof typeof UNIT]

const MAX_MONTHS = 120

/** Returns `duration × unit × cycleTimes` in its simplest form. */
export function termOf(duration: number, unit: Unit, cycleTimes = 1): Term {
  const total = duration * cycleTimes
  if (unit === UNIT.day) return total % 30 === 0 ? { months: total / 30 } : { days: total }
  return { months: unit === UNIT.year ? total * 12 : total }
}

/**
 * Returns the number of billing periods of a product in a term.
 *
 * @returns undefined unless it is a whole number of them, and no more than ten years
 */
export function periodsIn(term: Term, period: Term): number | undefined {
  if (!('months' in period)) return allowedPeriods(daysIn(term) / period.days, term)
  return 'months' in term ? allowedPeriods(term.months / period.months, term) : undefined
}

/** Returns the moment at which a term that starts at `from` ends; 31 January + 1 month is the last day of February. */
export function endOfTerm(from: Date, term: Term): Date {
  const end = new Date(from)
  if ('days' in term) {
    end.setUTCDate(end.getUTCDate() + term.days)
    return end
  }
  const day = end.getUTCDate()
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + term.months)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(day, lastDay))
  return end
}

/** Returns the least number of hours that a term lasts; a month counts with its shortest length in the year. */
export function shortestHours(term: Term): number {
  const starts = 'days' in term ? [0] : Array.from({ length: 12 }, (_, month) => month)
  return Math.min(
    ...starts.map((month) => {
      const start = new Date(Date.UTC(2027, month, 1))
      return (endOfTerm(start, term).getTime() - start.getTime()) / 3_600_000
    }),
  )
}

/** Returns the length of a term in days; a month counts as 30. */
export function daysIn(term: Term): number {
  return 'days' in term ? term.days : term.months * 30
}

/** Returns the number of periods, if it is whole and positive and the term is not too long. */
function allowedPeriods(periods: number, term: Term): number | undefined {
  return Number.isInteger(periods) && periods > 0 && daysIn(term) <= MAX_MONTHS * 30 ? periods : undefined
}
