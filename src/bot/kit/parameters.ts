import { z } from 'zod'
import { calendarDay } from '../../core/calendar-day.ts'
import type { Micros } from '../../core/money.ts'
import { MAX_PAGE } from '../../core/page.ts'
import type { Parameter } from './action.ts'

/** What buttons carry. What makes no sense, because it was forged, is read as if it were missing. */

const digits = z.string().regex(/^\d{1,12}$/)
const number = digits.transform(Number).optional().catch(undefined)
const page = digits.transform((text) => Math.min(Number(text) || 1, MAX_PAGE)).catch(1)

/** A whole number of 0 or more, such as an id. */
export const wholeNumber: Parameter<number | undefined, number> = { schema: number, write: String }

/** The number of a page; the first, if there is none. */
export const pageNumber: Parameter<number, number | undefined> = { schema: page.default(1), write: String }

/** The number of a page; undefined for a list as it was left. */
export const pageAsLeft: Parameter<number | undefined> = { schema: page.optional(), write: String }

/** An amount of money, to the base of 36, so that it is short. */
export const money: Parameter<Micros | undefined, Micros> = {
  schema: z
    .string()
    .regex(/^[\da-z]{1,11}$/)
    .transform((text) => Number.parseInt(text, 36))
    .refine(Number.isSafeInteger)
    .optional()
    .catch(undefined),
  write: (micros) => micros.toString(36),
}

/** A code, or the id of something that the chat's draft holds. */
export const text: Parameter<string | undefined, string> = { schema: z.string().optional(), write: String }

/** What may hold colons, such as an IPv6 range: it stands last. */
export const restOfText: Parameter<string, string> = {
  schema: z.string().default(''),
  write: String,
  rest: true,
}

/** A day in UTC as `YYYY-MM-DD`. */
export const day: Parameter<string | undefined, string> = {
  schema: calendarDay.optional().catch(undefined),
  write: String,
}

/** Whether something is switched on. */
export const flag: Parameter<boolean, boolean> = {
  schema: z
    .string()
    .optional()
    .transform((digit) => digit === '1'),
  write: (on) => (on ? '1' : '0'),
}

/** One of several words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Parameter<Word | undefined, Word> {
  return { schema: z.enum(words).optional().catch(undefined), write: String }
}

/** A parameter that the button may be made without. */
export function optional<Read, Given>({
  schema,
  write,
}: Parameter<Read, Given>): Parameter<Read, Given | undefined> {
  return { schema, write }
}
