import { z } from 'zod'
import { badFile, type BadLine, readCsv } from '../csv.ts'
import { ipAddress } from '../ip-address.ts'
import { readProxyList } from './proxy-list.ts'

/** A part of `ip:port:username:password`, so it has no colon. */
const Credential = z
  .string()
  .regex(/^[^\s:\p{C}]{1,128}$/u, 'must be 1-128 characters without spaces and colons')

/** The columns that describe a proxy in a CSV file of the operator. */
export const ProxyLine = z.object({
  ip: ipAddress('is not an IP address'),
  port: z
    .string()
    .refine(
      (port) => /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535,
      'must be 1-65535',
    ),
  username: Credential,
  password: Credential,
})

export type Numbered<Line> = Line & { readonly line: number }

/** Values by column for the lines of a list that have none of their own. */
export type Filled = Readonly<Record<string, string>>

/**
 * Reads the proxies of a file: a CSV with all columns; or, with `filled`, any list that {@link readProxyList} reads, in which the
 * other columns may be missing where they may be empty.
 *
 * @param Line schema of a line; its keys are the columns, of which a CSV may leave out those that may be undefined
 * @throws validation_error (data: errors, each with line and message); credentials are never repeated in a message
 */
export function readStockLines<Line extends z.ZodObject>(
  text: string,
  Line: Line,
  filled?: Filled,
): Numbered<z.output<Line>>[] {
  const columns = Object.keys(Line.shape)
  const needed = columns.filter((column) => !Line.shape[column].safeParse(undefined).success)
  const listed = filled ? filledLines(text, columns, filled) : readCsv(text, needed, 'proxies')
  const bad: BadLine[] = []
  const lines: Numbered<z.output<Line>>[] = []
  for (const { record, line } of listed) {
    const result = Line.safeParse(record)
    if (result.success) lines.push({ ...result.data, line })
    else
      bad.push(
        ...result.error.issues.map((issue) => ({
          line,
          message: `${String(issue.path[0])} ${issue.message}`,
          reason: `bad_${String(issue.path[0])}`,
        })),
      )
  }
  if (bad.length > 0) throw badFile(bad)
  return lines
}

function filledLines(text: string, columns: readonly string[], filled: Filled) {
  const list = readProxyList(text)
  if (list.length === 0) throw badFile([{ line: 1, message: 'the file has no proxies', reason: 'empty' }])
  return list.map(({ line, record }) => ({
    line,
    record: Object.fromEntries(columns.map((column) => [column, record[column] || filled[column] || ''])),
  }))
}
