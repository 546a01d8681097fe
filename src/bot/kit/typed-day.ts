import { calendarDay, inOrder } from '../../core/calendar-day.ts'
import { halfWidth } from '../../core/half-width.ts'
import type { Days } from '../../core/periods.ts'
import { TYPED_WORDS, typedWords } from './typed-words.ts'

const DAY_MS = 24 * 60 * 60_000
/** Days as people call them, by their distance from today. */
const CALLED: readonly (readonly [name: RegExp, days: number])[] = [
  [new RegExp(`^(?:${typedWords('today')})$`, 'i'), 0],
  [new RegExp(`^(?:${typedWords('yesterday')})$`, 'i'), -1],
  [new RegExp(`^(?:${typedWords('tomorrow')})$`, 'i'), 1],
]
/** `2026-11-24`, `2026/11/24`, `2026.11.24`, `2026年11月24日`, and the same without the year. */
const YEAR_FIRST = /^(?:(?<year>\d{4})[-/.年] *)?(?<month>\d{1,2})[-月] *(?<day>\d{1,2}) *[日号]?$/
const YEAR_FIRST_SLASHES = /^(?<year>\d{4})[/.](?<month>\d{1,2})[/.](?<day>\d{1,2})$/
/** `24.11.2026`, `24.11.` */
const DAY_FIRST_POINTS = /^(?<day>\d{1,2})\.(?<month>\d{1,2})(?:\.(?<year>\d{4})?)?$/
/** `24 Nov 2026`, `24. November`, `24 ноября 2026 г.` */
const DAY_FIRST = /^(?<day>\d{1,2})\.? +(?<name>\p{L}{3,9})\.?,?(?: +(?<year>\d{4})(?: *г\.?)?)?$/u
/** `Nov 24, 2026` */
const MONTH_FIRST = /^(?<name>\p{L}{3,9})\.? +(?<day>\d{1,2}),?(?: +(?<year>\d{4}))?$/u

/**
 * A day that was typed, in everyday spellings of every language.
 *
 * @param today `YYYY-MM-DD`: its year is meant where none is named
 * @returns `YYYY-MM-DD`; undefined for what is no day of the calendar
 */
export function dayTyped(text: string, today: string): string | undefined {
  const plain = halfWidth(text).trim()
  const called = CALLED.find(([name]) => name.test(plain))
  if (called) return new Date(Date.parse(today) + called[1] * DAY_MS).toISOString().slice(0, 10)
  const groups = [YEAR_FIRST, YEAR_FIRST_SLASHES, DAY_FIRST_POINTS, DAY_FIRST, MONTH_FIRST]
    .map((form) => form.exec(plain)?.groups)
    .find((found) => found !== undefined)
  if (!groups) return undefined
  const { year = today.slice(0, 4), month, name = '', day = '' } = groups
  const number = month ?? String(monthCalled(name))
  const typed = `${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`
  return calendarDay.safeParse(typed).success ? typed : undefined
}

/** From 1; 0 for what is no name of a month. */
function monthCalled(name: string): number {
  const called = (start: string) => new RegExp(`^${start}`, 'i').test(name)
  return Math.max(...TYPED_WORDS.map(({ months }) => months.findIndex(called) + 1))
}

/** What people write between two days; a blank or a hyphen can also stand within one. */
const BETWEEN = new RegExp(` *(?:[–—~～]|${typedWords('until')}|-) *| +`, 'giu')
const SINCE = new RegExp(`^(?:${typedWords('since')}) *(?=\\d)`, 'iu')

/**
 * The first and the last day that were typed, or one day alone, in the spellings of {@link dayTyped}.
 *
 * @returns undefined also when the last comes before the first
 */
export function daysTyped(text: string, today: string): Days | undefined {
  const plain = halfWidth(text).trim().replace(SINCE, '')
  const one = dayTyped(plain, today)
  if (one) return { startDate: one, endDate: one }
  for (const { index, 0: between } of plain.matchAll(BETWEEN)) {
    const startDate = dayTyped(plain.slice(0, index), today)
    const endDate = dayTyped(plain.slice(index + between.length), today)
    if (startDate && endDate) return inOrder({ startDate, endDate }) ? { startDate, endDate } : undefined
  }
  return undefined
}
