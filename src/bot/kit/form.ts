import { fromText, type Micros, toNumber } from '../../core/money.ts'
import type { Texts } from '../texts/index.ts'
import { readTiers } from './tiers.ts'
import { typedList } from './typed-list.ts'
import { amountIn, countIn, percentIn } from './typed-number.ts'
import { isTyped } from './typed-words.ts'

/** What the value of a field is read with: the shop's currency, and this day as `YYYY-MM-DD`. */
export interface Given {
  readonly currency: string
  readonly today: string
}

/** Readers of the values of a form, by type; each returns undefined for a value that it cannot read. */
const READERS = {
  text: (value: string) => value,
  wholeNumber: (value: string) => countIn(value, 'things', 'uses', 'days', 'hours'),
  /** Returns a JSON number, as the following two do. */
  number: (value: string) => inUnits(fromText(value)),
  amount: (value: string, { currency }: Given) => inUnits(amountIn(value, currency)),
  percent: percentIn,
  prices: (value: string, { currency }: Given) => readTiers(value, currency),
  flag: (value: string) => (isTyped('yes', value) ? true : isTyped('no', value) ? false : undefined),
  /** A hyphen is the empty list. */
  list: (value: string) => (value === '-' ? [] : typedList(value)),
} as const

function inUnits(micros: Micros | undefined): number | undefined {
  return micros === undefined ? undefined : toNumber(micros)
}

export type Reader = keyof typeof READERS | ((value: string, given: Given) => unknown)

/** The fields of a form by their names in the core, each with how its value is read. */
export type Fields = Readonly<Record<string, Reader>>

export type FilledForm =
  | { readonly values: Readonly<Record<string, unknown>>; readonly typed: Typed }
  | { readonly unknown: string; readonly typed: Typed }
  | ({ readonly typed: Typed } & WrongValue)

/** The first field whose value cannot be right. */
export interface WrongValue {
  readonly wrong: string
  readonly reader: Reader
}

/** What was typed for the fields that were understood, by their names. */
export type Typed = Readonly<Record<string, string>>

/** What is wrong with a field, by the label of its line where it has one. */
export function fieldProblem(
  { field }: Texts,
  labels: Readonly<Record<string, string>>,
  name: string,
  why: string,
): string {
  return field(labels[name] ?? name, why)
}

/** Says what a field takes whose value could not be read. */
export function wrongValue(
  texts: Texts,
  labels: Readonly<Record<string, string>>,
  { wrong, reader }: WrongValue,
): string {
  const { values } = texts.input
  const kind = typeof reader === 'string' && reader in values ? (reader as keyof typeof values) : 'other'
  return fieldProblem(texts, labels, wrong, values[kind])
}

/**
 * Reads lines such as `name: Residential ISP`; the names of the fields are those of the labels, in whichever language.
 *
 * @param labels of each language, by the names of the fields
 * @returns the values; or the first line that names no field, or the first field whose value cannot be right; and what was understood
 */
export function readForm(
  text: string,
  fields: Fields,
  labels: readonly Readonly<Record<string, string>>[],
  given: Given,
): FilledForm {
  const values: Record<string, unknown> = {}
  const typed: Record<string, string> = {}
  const bad: ({ unknown: string } | WrongValue)[] = []
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue
    const [, label = '', value = ''] = /^([^:：]+)[:：](.*)$/.exec(line) ?? []
    const name = Object.keys(fields).find((field) =>
      labels.some((words) => words[field]?.toLowerCase() === label.trim().toLowerCase()),
    )
    const reader = name === undefined ? undefined : fields[name]
    const found = reader && readValue(value.trim(), reader, given)
    if (name === undefined || !reader) bad.push({ unknown: line.trim().slice(0, 40) })
    else if (found === undefined) bad.push({ wrong: name, reader })
    else {
      values[name] = found
      typed[name] = value.trim()
    }
  }
  const [first] = bad
  return first ? { ...first, typed } : { values, typed }
}

/** @returns undefined for a value that the reader cannot read */
export function readValue(value: string, reader: Reader, given: Given): unknown {
  const read = typeof reader === 'function' ? reader : READERS[reader]
  return read(value, given)
}
