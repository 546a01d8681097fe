import { dayOf } from './calendar-day.ts'

/** Days of `last_30_days`, today included. */
export const LAST_DAYS = 30
const DAY_MS = 24 * 60 * 60_000

export type NamedPeriod = 'this_month' | 'last_month' | 'last_30_days'

/** Days as `YYYY-MM-DD`, both included. */
export interface Days {
  readonly startDate: string
  readonly endDate: string
}

/** Returns the first and the last day of a named period; months are calendar months in UTC, and this month ends today (rules 7.5). */
export function daysOfPeriod(now: Date, period: NamedPeriod): Days {
  const today = dayOf(now)
  const month = `${today.slice(0, 7)}-01`
  switch (period) {
    case 'this_month':
      return { startDate: month, endDate: today }
    case 'last_month': {
      const endDate = dayOf(new Date(Date.parse(month) - DAY_MS))
      return { startDate: `${endDate.slice(0, 7)}-01`, endDate }
    }
    case 'last_30_days':
      return { startDate: dayOf(new Date(now.getTime() - (LAST_DAYS - 1) * DAY_MS)), endDate: today }
  }
}
