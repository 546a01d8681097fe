import { parse } from 'csv-parse/sync'
import { ServiceError } from './errors.ts'

/** Why a line of a file cannot be taken. */
export interface BadLine {
  /** Line of the file, the header being line 1. */
  readonly line: number
  readonly message: string
}

/** A line of a file, by the names of its header. */
export interface CsvRecord {
  readonly line: number
  readonly record: Readonly<Record<string, string>>
}

/**
 * The lines of a CSV file with a header.
 *
 * @param columns that the header must name; others are ignored
 * @param content what the lines are, for the refusal of an empty file
 * @throws validation_error (data: errors, each with line and message)
 */
export function readCsv(csv: string, columns: readonly string[], content: string): CsvRecord[] {
  let parsed: { record: Record<string, string>; info: { lines: number } }[]
  try {
    parsed = parse(csv, {
      bom: true,
      columns: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
    }) as unknown as typeof parsed
  } catch (error) {
    const line = error instanceof Error && 'lines' in error ? Number(error.lines) : 1
    throw badFile([
      { line, message: 'has another number of columns than the header, or an open quotation mark' },
    ])
  }
  const header = Object.keys(parsed[0]?.record ?? {})
  const missing = columns.filter((column) => !header.includes(column))
  if (parsed.length === 0) throw badFile([{ line: 1, message: `the file has no ${content}` }])
  if (missing.length > 0) throw badFile([{ line: 1, message: `the header lacks ${missing.join(', ')}` }])
  return parsed.map(({ record, info }) => ({ record, line: info.lines }))
}

/** `validation_error` that names the bad lines of a file. */
export function badFile(errors: readonly BadLine[]): ServiceError {
  return new ServiceError('validation_error', { data: { errors } })
}
