const DAY_MS = 86_400_000

/** Returns the end of some periods of a product. Months and years are those of the calendar, cut to the last day of a shorter month. */
export function endOf(start: Date, unit: number, length: number): Date {
  if (unit === 1) return new Date(start.getTime() + length * DAY_MS)
  if (unit === 2) return new Date(start.getTime() + length * 7 * DAY_MS)
  if (unit === 3) return monthsLater(start, length)
  if (unit === 4) return monthsLater(start, length * 12)
  return new Date('2100-01-01T00:00:00.000Z')
}

function monthsLater(start: Date, months: number): Date {
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months)
  const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(start.getUTCDate(), days))
  return end
}
