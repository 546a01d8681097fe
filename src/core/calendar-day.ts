import { z } from 'zod'

/** A day of the calendar in UTC as `YYYY-MM-DD` (rules 1.9); 30 February is none. */
export const calendarDay = z.iso.date({ error: 'not_a_date' })

/** Whether a range of days does not end before it starts. */
export function inOrder(range: {
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
}): boolean {
  const { startDate, endDate } = range
  return startDate === undefined || endDate === undefined || startDate <= endDate
}

/** Returns a text greater than every stored time (`…T…`) of a day, and less than those of the next day; also for 9999-12-31. */
export function endOf(day: string): string {
  return `${day}U`
}

/** Returns the day of a moment in UTC, as `YYYY-MM-DD`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

const DAY_MS = 24 * 60 * 60_000

/** Returns the day in UTC that is `days` days before that of a moment. */
export function daysAgo(time: Date, days: number): string {
  return dayOf(new Date(time.getTime() - days * DAY_MS))
}
