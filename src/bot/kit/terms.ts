import { billingPeriod } from '../../core/catalog/product.ts'
import { periodsIn, type Term, UNIT } from '../../core/term.ts'
import type { Texts } from '../texts/index.ts'
import { termName } from './format.ts'

const USUAL_TERMS: readonly Term[] = [
  { days: 1 },
  { days: 3 },
  { days: 7 },
  { days: 14 },
  { months: 1 },
  { months: 3 },
  { months: 6 },
  { months: 12 },
]

/** The terms that a product is offered for: its billing period, and the usual ones that are whole periods. */
export function termsOf(product: { readonly periodUnit: number; readonly periodLength: number }): Term[] {
  const period = billingPeriod(product)
  const usual = USUAL_TERMS.filter((term) => periodsIn(term, period) !== undefined)
  const own = usual.some((term) => packTerm(term) === packTerm(period)) ? [] : [period]
  return [...own, ...usual]
}

/** A term as the wire has it. */
export function durationOf(term: Term): { duration: number; unit: 1 | 3 } {
  return 'days' in term
    ? { duration: term.days, unit: UNIT.day }
    : { duration: term.months, unit: UNIT.month }
}

/** A term as it stands in a button: `m3`, `d7`. */
export function packTerm(term: Term): string {
  return 'days' in term ? `d${term.days}` : `m${term.months}`
}

/** The term that {@link packTerm} wrote; undefined for anything else. */
export function unpackTerm(code: string): Term | undefined {
  const [, unit, number] = /^([dm])([1-9]\d{0,3})$/.exec(code) ?? []
  if (unit === undefined) return undefined
  return unit === 'd' ? { days: Number(number) } : { months: Number(number) }
}

/** The term of a code as people say it. */
export function termLabel(code: string, texts: Texts): string {
  const term = unpackTerm(code)
  return term === undefined ? code : termName(term, texts)
}
