import { z } from 'zod'
import { badFile, type BadLine, readCsv } from '../csv.ts'
import { ipAddress } from '../ip-address.ts'

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

/**
 * Reads the proxies of a CSV file.
 *
 * @param Line schema of a line; its keys are the columns
 * @throws validation_error (data: errors, each with line and message); credentials are never repeated in a message
 */
export function readStockLines<Line extends z.ZodObject>(
  csv: string,
  Line: Line,
): Numbered<z.output<Line>>[] {
  const bad: BadLine[] = []
  const lines: Numbered<z.output<Line>>[] = []
  for (const { record, line } of readCsv(csv, Object.keys(Line.shape), 'proxies')) {
    const result = Line.safeParse(record)
    if (result.success) lines.push({ ...result.data, line })
    else
      bad.push(
        ...result.error.issues.map((issue) => ({
          line,
          message: `${String(issue.path[0])} ${issue.message}`,
        })),
      )
  }
  if (bad.length > 0) throw badFile(bad)
  return lines
}
