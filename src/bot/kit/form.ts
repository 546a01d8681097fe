import { halfWidth } from '../../core/half-width.ts'
import { fromText, toNumber } from '../../core/money.ts'

/** What a value of a form may be, and how it is read; undefined for what it cannot be. */
const READERS = {
  text: (value: string) => value,
  wholeNumber: (value: string) => (/^\d{1,9}$/.test(halfWidth(value)) ? Number(halfWidth(value)) : undefined),
  /** An amount, or a percentage, as a JSON number. */
  number: (value: string) => {
    const micros = fromText(value)
    return micros === undefined ? undefined : toNumber(micros)
  },
  flag: (value: string) => FLAGS[value.toLowerCase()],
  /** Codes or numbers with commas between them; a hyphen is the empty list. */
  list: (value: string) => (value === '-' ? [] : value.split(/[,，;\s]+/).filter((part) => part !== '')),
} as const

const FLAGS: Readonly<Record<string, boolean | undefined>> = {
  yes: true,
  on: true,
  是: true,
  开: true,
  no: false,
  off: false,
  否: false,
  关: false,
}

export type Reader = keyof typeof READERS | ((value: string) => unknown)

/** The fields of a form by their names in the core, each with how its value is read. */
export type Fields = Readonly<Record<string, Reader>>

export type FilledForm =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly unknown: string }
  | { readonly wrong: string }

/**
 * Reads lines such as `name: Residential ISP`; the names of the fields are those of the labels, in whichever language.
 *
 * @param labels of each language, by the names of the fields
 * @returns the values; or the line that names no field, or the field whose value cannot be right
 */
export function readForm(
  text: string,
  fields: Fields,
  labels: readonly Readonly<Record<string, string>>[],
): FilledForm {
  const values: Record<string, unknown> = {}
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue
    const [, label = '', value = ''] = /^([^:：]+)[:：](.*)$/.exec(line) ?? []
    const name = Object.keys(fields).find((field) =>
      labels.some((words) => words[field]?.toLowerCase() === label.trim().toLowerCase()),
    )
    const reader = name === undefined ? undefined : fields[name]
    if (name === undefined || reader === undefined) return { unknown: line.trim().slice(0, 40) }
    const read = typeof reader === 'function' ? reader : READERS[reader]
    const found = read(value.trim())
    if (found === undefined) return { wrong: name }
    values[name] = found
  }
  return { values }
}
