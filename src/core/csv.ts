import { CsvError, parse } from 'csv-parse/sync'
import { ServiceError } from './errors.ts'
import { inPieces, nextTurn } from './turns.ts'

/** Most ledger entries or earnings in one export: a file of about 2 MB. */
export const EXPORT_LIMIT = 20_000

/** Why a line of a file cannot be taken. */
export interface BadLine {
  /** Line of the file, the header being line 1. */
  readonly line: number
  readonly message: string
  /** The message as a code, for interfaces that word it themselves. */
  readonly reason?: string
}

/** A line of a file, by the names of its header. */
interface CsvRecord {
  readonly line: number
  readonly record: Readonly<Record<string, string>>
}

/**
 * Reads the lines of a CSV file with a header, as {@link readTable} does.
 *
 * @param columns that the header must name; others are ignored
 * @param content what the lines are, for the refusal of an empty file
 * @throws validation_error (data: errors, each with line and message)
 */
export function readCsv(csv: string, columns: readonly string[], content: string): CsvRecord[] {
  const { header, lines } = readTable(csv)
  const missing = columns.filter((column) => !header.includes(column))
  if (lines.length === 0) throw badFile([{ line: 1, message: `the file has no ${content}` }])
  if (missing.length > 0) throw badFile([{ line: 1, message: `the header lacks ${missing.join(', ')}` }])
  return lines.map(({ line, record, cells }) => {
    if (cells < header.length) throw badFile([{ line, message: UNEVEN }])
    return { line, record }
  })
}

const UNEVEN = 'has another number of columns than the header, or an open quotation mark'

/** A line of {@link readTable}; `cells` is how many it has. */
interface TableLine extends CsvRecord {
  readonly cells: number
}

/**
 * Reads the lines of a table with a header, as people and spreadsheets write it: names in any case, cells with the divider of the header
 * (or that of a first line such as `sep=;`), with or without a byte order mark; empty rows are skipped.
 *
 * @param most lines, the header among them; what comes after them is not read
 * @throws validation_error (data: errors, each with line and message)
 */
export function readTable(text: string, most?: number): { header: string[]; lines: TableLine[] } {
  const { divider, table } = namedDivider(text)
  const first = table.split(LINE_END).find((line) => line.trim() !== '') ?? ''
  const [head, ...rows] = cellsOf(table, divider ?? dividerIn(first) ?? [','], most, UNEVEN)
  const header = head?.cells.map((name) => name.toLowerCase()) ?? []
  const lines = rows.map(({ line, cells }) => {
    // A password with a divider in it must not lose its end.
    if (cells.slice(header.length).some((cell) => cell !== '')) throw badFile([{ line, message: UNEVEN }])
    const record = Object.fromEntries(header.map((name, at) => [name, cells[at] ?? '']))
    return { line, record, cells: cells.length }
  })
  return { header, lines }
}

/** A line of a file without a header. */
export interface CsvLine {
  readonly line: number
  readonly cells: readonly string[]
}

const LINE_END = /\r\n|\n|\r/
/** Dividers of cells, each with its form on a Chinese keyboard; the first that occurs in a text is used. */
const DIVIDERS = [['\t'], [',', '\uFF0C'], [';', '\uFF1B']]
/** Telegram makes blanks of tabs. A tab is a divider of its own, so that an empty cell is not lost. */
const BLANKS = [' ', '\u00A0', '\u3000']

/**
 * Reads the lines of a table that people wrote or pasted, without the empty ones. Cells are divided by tabs, as a spreadsheet puts them on
 * the clipboard, by commas, semicolons, or, when the text has none of these, by blanks.
 *
 * @param most lines; what comes after them is not read
 * @returns `byBlanks`: an empty cell may be an empty column, or two blanks between two columns
 * @throws validation_error (data: errors, with the line and `misplaced_quotation_mark`)
 */
export function readCells(text: string, most: number): { lines: CsvLine[]; byBlanks: boolean } {
  const named = namedDivider(text)
  const divider = named.divider ?? dividerIn(named.table)
  const table = divider ? named.table : named.table.replaceAll(/^[^\S\r\n]+|[^\S\r\n]+$/gm, '')
  return {
    lines: cellsOf(table, divider ?? BLANKS, most, 'misplaced_quotation_mark'),
    byBlanks: divider === undefined,
  }
}

/** The divider that a first line such as `sep=;` names, and the table without that line, which still counts as one. */
function namedDivider(text: string): { divider: string[] | undefined; table: string } {
  const [line, divider] = /^\uFEFF?[^\S\r\n]*sep=([,;\t])[^\S\r\n]*(?=[\r\n]|$)/i.exec(text) ?? ['']
  return { divider: divider === undefined ? undefined : [divider], table: text.slice(line.length) }
}

function dividerIn(text: string): string[] | undefined {
  const unquoted = text.replaceAll(QUOTED, '')
  return DIVIDERS.find((characters) => characters.some((character) => unquoted.includes(character)))
}

/**
 * @param most most lines to read; all without it
 * @param misplaced the message for a quotation mark that is not closed, or not at the end of its cell
 */
function cellsOf(
  text: string,
  divider: readonly string[],
  most: number | undefined,
  misplaced: string,
): CsvLine[] {
  try {
    const parsed = parse(text, {
      bom: true,
      delimiter: [...divider],
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      ...(most !== undefined && { to: most }),
      // Trimming would remove the tabs or blanks of empty cells.
      trim: divider !== BLANKS && divider[0] !== '\t',
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return parsed
      .map(({ record, info }) => ({ line: info.lines, cells: record.map((cell) => cell.trim()) }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // For a quotation mark that is never closed, the parser names the last line.
    const open = text.split(LINE_END).findIndex((line) => OPEN_QUOTATION_MARK.test(line)) + 1
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' && open > 0 ? open : Number(error['lines'])
    throw badFile([{ line, message: misplaced }])
  }
}

/** A cell in quotation marks, within which nothing is a divider. */
const QUOTED = /(?<=^|[,\uFF0C;\uFF1B\t])[^\S\t\r\n]*"(?:[^"]|"")*"/gm

/** In a line: a cell that begins with a quotation mark and is not closed. */
const OPEN_QUOTATION_MARK = /(?:^|[,\uFF0C;\uFF1B\t])\s*"(?:[^"]|"")*$/

/** Makes a `validation_error` that names the bad lines of a file. */
export function badFile(errors: readonly BadLine[]): ServiceError {
  return new ServiceError('validation_error', { data: { errors } })
}

/** A cell that begins so runs as a formula in a spreadsheet (full-width in those of East Asia) unless it is a plain number. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n\0]/
const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * Writes a CSV file (RFC 4180, UTF-8 with a byte order mark, without which Excel takes it for another encoding). A text that a spreadsheet
 * would run as a formula gets an apostrophe in front.
 *
 * @param rows written in pieces; between two pieces the event loop is free for others
 * @param cellsOf the cells of a row, in the order of the header
 */
export async function writeCsv<Row>(
  header: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly (string | number)[],
): Promise<string> {
  const texts = [csvLine(header)]
  for (const some of inPieces(rows, ROWS_AT_ONCE)) {
    await nextTurn()
    texts.push(some.map((row) => csvLine(cellsOf(row))).join(''))
  }
  return `\uFEFF${texts.join('')}`
}

const ROWS_AT_ONCE = 1_000

function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Writes CSV for a program that reads it back: without a byte order mark, and every text as it is. */
export function writePlainCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('')
}

function csvCell(value: string | number): string {
  const text = String(value)
  return quoted(FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text)
}

function quoted(safe: string): string {
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
