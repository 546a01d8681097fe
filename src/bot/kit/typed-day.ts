import { calendarDay, inOrder } from '../../core/calendar-day.ts'
import { halfWidth } from '../../core/half-width.ts'
import type { Days } from '../../core/periods.ts'

const DAY_MS = 24 * 60 * 60_000
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Days as people call them, by their distance from today. */
const CALLED: readonly (readonly [name: RegExp, days: number])[] = [
  [/^(?:today|今天|今日)$/i, 0],
  [/^(?:yesterday|昨天|昨日)$/i, -1],
  [/^(?:tomorrow|明天|明日)$/i, 1],
]
/** `2026-11-24`, `2026/11/24`, `2026.11.24`, `2026年11月24日`, and the same without the year. */
const YEAR_FIRST = /^(?:(?<year>\d{4})[-/.年] *)?(?<month>\d{1,2})[-月] *(?<day>\d{1,2}) *[日号]?$/
const YEAR_FIRST_SLASHES = /^(?<year>\d{4})[/.](?<month>\d{1,2})[/.](?<day>\d{1,2})$/
/** `24 Nov 2026`, `24. November` */
const DAY_FIRST = /^(?<day>\d{1,2})\.? +(?<name>[a-z]{3,9})\.?,?(?: +(?<year>\d{4}))?$/i
/** `Nov 24, 2026` */
const MONTH_FIRST = /^(?<name>[a-z]{3,9})\.? +(?<day>\d{1,2}),?(?: +(?<year>\d{4}))?$/i

/**
 * A day that was typed, in everyday spellings of both languages.
 *
 * @param today `YYYY-MM-DD`: its year is meant where none is named
 * @returns `YYYY-MM-DD`; undefined for what is no day of the calendar
 */
export function dayTyped(text: string, today: string): string | undefined {
  const plain = halfWidth(text).trim()
  const called = CALLED.find(([name]) => name.test(plain))
  if (called) return new Date(Date.parse(today) + called[1] * DAY_MS).toISOString().slice(0, 10)
  const groups = [YEAR_FIRST, YEAR_FIRST_SLASHES, DAY_FIRST, MONTH_FIRST]
    .map((form) => form.exec(plain)?.groups)
    .find((found) => found !== undefined)
  if (!groups) return undefined
  const { year = today.slice(0, 4), month, name = '', day = '' } = groups
  const number = month ?? String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)
  const typed = `${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`
  return calendarDay.safeParse(typed).success ? typed : undefined
}

/** What people write between two days; a blank or a hyphen can also stand within one. */
const BETWEEN = / *(?:[–—~～至到]|\bto\b|\buntil\b|-) *| +/gi

/**
 * The first and the last day that were typed, or one day alone, in the spellings of {@link dayTyped}.
 *
 * @returns undefined also when the last comes before the first
 */
export function daysTyped(text: string, today: string): Days | undefined {
  const plain = halfWidth(text).trim()
  const one = dayTyped(plain, today)
  if (one) return { startDate: one, endDate: one }
  for (const { index, 0: between } of plain.matchAll(BETWEEN)) {
    const startDate = dayTyped(plain.slice(0, index), today)
    const endDate = dayTyped(plain.slice(index + between.length), today)
    if (startDate && endDate) return inOrder({ startDate, endDate }) ? { startDate, endDate } : undefined
  }
  return undefined
}
