import { z } from 'zod'
import { calendarDay, inOrder } from '../../core/calendar-day.ts'
import { ENTRY_TYPES, type EntryType } from '../../core/ledger/book-entry.ts'
import { CONSUMPTION_TYPES, FUNDING_TYPES } from '../../core/records/list-transactions.ts'
import type { Days, NamedPeriod } from '../../core/periods.ts'
import type { Parameter } from '../kit/action.ts'
import { optional, wholeNumber } from '../kit/parameters.ts'

/** Kinds of entries by the letter in the button. */
export const KINDS = { a: 'all', s: 'spending', f: 'funding' } as const
export type KindLetter = keyof typeof KINDS
/** Which types of entries a kind means. */
export const TYPES_OF_KIND: Readonly<Record<KindLetter, readonly EntryType[]>> = {
  a: ENTRY_TYPES,
  s: CONSUMPTION_TYPES,
  f: FUNDING_TYPES,
}

/** Periods by the letter in the button; `all` has no days. */
export const PERIODS = {
  m: 'this_month',
  l: 'last_month',
  d: 'last_30_days',
} as const satisfies Record<string, NamedPeriod>
export type PeriodLetter = keyof typeof PERIODS | 'a'

/** Filter of the records. */
export interface RecordsFilter {
  /** Account whose records are shown; undefined for all that the person may see. */
  readonly userId: number | undefined
  readonly kind: KindLetter
  readonly period: PeriodLetter | Days
}

/** Everything of this month. */
export const USUAL: RecordsFilter = { userId: undefined, kind: 'a', period: 'm' }

/** A filter in a button; what is missing or malformed is read as in {@link USUAL}. */
export const FILTER = {
  userId: optional(wholeNumber),
  kind: { schema: z.enum(['a', 's', 'f']).default('a').catch('a'), write: String } as Parameter<KindLetter>,
  period: {
    schema: z.string().default('').transform(periodOf),
    write: (period) =>
      typeof period === 'string' ? period : `${compact(period.startDate)}-${compact(period.endDate)}`,
  } as Parameter<RecordsFilter['period']>,
}

function periodOf(text: string): RecordsFilter['period'] {
  if (text === 'a' || isNamed(text)) return text
  const [, first, last] = /^(\d{8})-(\d{8})$/.exec(text) ?? []
  return checked(spread(first), spread(last)) ?? USUAL.period
}

function checked(startDate: string | undefined, endDate: string | undefined): Days | undefined {
  const areDays = [startDate, endDate].every((day) => calendarDay.safeParse(day).success)
  if (!areDays || !startDate || !endDate || !inOrder({ startDate, endDate })) return undefined
  return { startDate, endDate }
}

function isNamed(text: string): text is keyof typeof PERIODS {
  return Object.hasOwn(PERIODS, text)
}

function compact(day: string): string {
  return day.replaceAll('-', '')
}

function spread(day: string | undefined): string | undefined {
  return day?.replace(/^(....)(..)(..)$/, '$1-$2-$3')
}
