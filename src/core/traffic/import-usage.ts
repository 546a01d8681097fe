import { z } from 'zod'
import { badFile, type BadLine, readCsv } from '../csv.ts'
import { ServiceError } from '../errors.ts'
import { type HeldOf, record } from '../record.ts'
import { countReports, UsageReport } from './record-usage.ts'
import type { Essentials } from '../jobs/essentials.ts'

const COLUMNS = ['account', 'bytes', 'report_id'] as const
/** Maximum number of lines of a file: all are counted in one transaction, during which nothing else can be written. */
const MAX_LINES = 50_000

/** What a file of reports has counted. */
export const UsageImportRecord = record(
  {
    imported: z.int().meta({ description: 'Reports that were new' }),
    known: z.int().meta({ description: 'Reports that were recorded before and not counted again' }),
    counted: z.int().meta({ description: 'Bytes taken from what was left' }),
    uncounted: z.int().meta({ description: 'Bytes reported beyond what was left' }),
  },
  { names: { counted: 'counted_bytes', uncounted: 'uncounted_bytes' } },
)
type UsageImport = HeldOf<typeof UsageImportRecord>

type Report = ReturnType<typeof UsageReport.parse>

/**
 * Imports the gateway's reports from a file: all lines or none, and each report once, however often the file is imported. Does
 * what {@link recordUsage} does, for a gateway that writes files.
 *
 * @param csv text of the file with the header `account,bytes,report_id`
 * @throws validation_error (data: errors, each with line and message)
 */
export async function importUsage(deps: Essentials, csv: string): Promise<UsageImport> {
  const lines = readLines(csv)
  return deps.db.write(async (tx) => {
    const outcomes = await countReports(
      deps,
      tx,
      lines.map(({ report }) => report),
    )
    const bad: BadLine[] = []
    const result = { imported: 0, known: 0, counted: 0, uncounted: 0 }
    for (const [index, { line, report }] of lines.entries()) {
      const outcome = outcomes[index]
      if (!outcome || outcome instanceof ServiceError)
        bad.push({ line, message: refusalText(outcome, report) })
      else if (outcome.replayed) result.known += 1
      else {
        result.imported += 1
        result.counted += outcome.counted
        result.uncounted += report.bytes - outcome.counted
      }
    }
    if (bad.length > 0) throw badFile(bad)
    return result
  })
}

function refusalText(refusal: ServiceError | undefined, { account, reportId }: Report): string {
  return refusal?.code === 'idempotency_conflict'
    ? `report_id ${reportId} was another report's`
    : `account ${account} does not exist`
}

function readLines(csv: string): { line: number; report: Report }[] {
  const records = readCsv(csv, COLUMNS, 'reports')
  if (records.length > MAX_LINES)
    throw badFile([{ line: MAX_LINES + 2, message: `a file has at most ${MAX_LINES} reports` }])

  const bad: BadLine[] = []
  const lines: { line: number; report: Report }[] = []
  for (const { record, line } of records) {
    const { account, bytes = '', report_id: reportId } = record
    const result = UsageReport.safeParse({
      account,
      reportId,
      // `Number` would also accept spaces, signs, exponents and hexadecimal numbers.
      bytes: /^\d{1,16}$/.test(bytes) ? Number(bytes) : -1,
    })
    if (result.success) lines.push({ line, report: result.data })
    else
      bad.push(
        ...[...new Set(result.error.issues.map(({ path }) => messageFor(path[0])))].map((message) => ({
          line,
          message,
        })),
      )
  }
  if (bad.length > 0) throw badFile(bad)
  return lines
}

const MESSAGES: Readonly<Record<string, string>> = {
  account: 'account is missing or too long',
  bytes: 'bytes must be a whole number of bytes',
  reportId: 'report_id must be 1-128 characters without spaces',
}

function messageFor(field: PropertyKey | undefined): string {
  return MESSAGES[String(field)] ?? 'is not valid'
}
