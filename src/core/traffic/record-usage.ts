import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'
import { dayOf } from '../calendar-day.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { tellGateways } from './gateway-changes.ts'
import { type Bytes, MAX_BYTES } from '../bytes.ts'
import { Charges } from './charge-use.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const UsageReport = z.object({
  /** The reporter's id of the report; a report is counted once. Ids of a connected gateway begin with `gateway:`. */
  reportId: z
    .string()
    .min(1)
    .max(128)
    .regex(/^(?!gateway:)[^\p{C}\s]+$/u, 'not_a_report_id'),
  /** The username as the client sent it; its parameters, which begin with a hyphen, are cut off. */
  account: z
    .string()
    .min(1)
    .max(256)
    .transform((text) => text.split('-')[0] ?? ''),
  bytes: z.int().min(0).max(MAX_BYTES),
})

interface RecordedUsage {
  /** Bytes taken from what was left: the reported bytes, or all that was left when that was less. */
  readonly counted: Bytes
  /** Bytes that the credential may still use. At 0 the gateway should refuse it. */
  readonly remaining: Bytes
  /** The report was recorded before. */
  readonly replayed: boolean
}

/**
 * Counts use that the gateway reports for one credential (rules 6.2, 6.11): on the main account or the sub-account that it belongs
 * to, and on the orders of the traffic, oldest first. Traffic was used before it is reported, so a report is never refused for its
 * size: what exceeds the traffic left is recorded as not counted, and no later purchase pays for it.
 *
 * @throws validation_error (also for a credential that never existed), idempotency_conflict when the id was another report's
 */
export async function recordUsage(
  deps: Essentials,
  input: z.input<typeof UsageReport>,
): Promise<RecordedUsage> {
  const report = parseInput(UsageReport, input)
  return deps.db.write(async (tx) => {
    const [outcome] = await countReports(deps, tx, [report])
    if (!outcome || outcome instanceof ServiceError) throw outcome ?? new Error('the report was lost')
    return outcome
  })
}

type Report = z.output<typeof UsageReport>

/**
 * {@link recordUsage} for several reports in an open transaction, with few statements however many they are.
 *
 * @returns the outcome or the refusal of each report; when one is refused, nothing was changed
 */
export async function countReports(
  deps: Essentials,
  tx: Tx,
  reports: readonly Report[],
): Promise<(RecordedUsage | ServiceError)[]> {
  const charges = await Charges.of(
    tx,
    reports.map(({ account }) => account),
  )
  const ids = reports.map(({ reportId }) => reportId)
  const known = new Map((await findReports(tx, { ids })).map((found) => [found.reportId, found]))
  const fresh: CountedReport[] = []

  const outcomes = reports.map((report): RecordedUsage | ServiceError => {
    const { reportId, account: username, bytes } = report
    const first = known.get(reportId)
    const use = charges.take(username, first ? 0 : bytes)
    if (!use) return InvalidInput.of('account', 'unknown_gateway_account')
    const { counted, remaining, credential } = use
    if (first) {
      return first.username === username && first.bytes === bytes
        ? { counted: first.counted, remaining, replayed: true }
        : new ServiceError('idempotency_conflict', { data: { report_id: reportId } })
    }
    known.set(reportId, { reportId, username, bytes, counted })
    const { trafficId, subAccountId } = credential
    fresh.push({ reportId, username, bytes, counted, trafficId, subAccountId })
    return { counted, remaining, replayed: false }
  })
  if (outcomes.some((outcome) => outcome instanceof ServiceError)) return outcomes

  const now = deps.clock.now()
  await insertReports(tx, { reports: fresh, day: dayOf(now), now })
  await charges.write(deps, tx)
  await tellGateways(tx, charges.charged())
  return outcomes
}

interface CountedReport {
  readonly reportId: string
  readonly username: string
  readonly bytes: Bytes
  readonly counted: Bytes
  readonly trafficId: number
  readonly subAccountId: number | null
}

const findReports = compiled<{ ids: readonly string[] }>()((db, { ids }) =>
  db
    .selectFrom('usageReports')
    .select(['reportId', 'username', 'bytes', 'countedBytes as counted'])
    .where('reportId', 'in', listOf(ids)),
)

interface NewReports {
  readonly reports: readonly CountedReport[]
  readonly day: string
  readonly now: Date
}

const insertReports = compiled<NewReports>()((db, { reports, day, now }) => {
  const columns = {
    reportId: 'text',
    username: 'text',
    trafficId: 'integer',
    subAccountId: 'integer',
    bytes: 'integer',
    counted: 'integer',
  } as const
  return db
    .insertInto('usageReports')
    .columns([
      'reportId',
      'username',
      'trafficId',
      'subAccountId',
      'bytes',
      'countedBytes',
      'day',
      'createdAt',
    ])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(reports, columns, 'r'))
        .select(['r.reportId', 'r.username', 'r.trafficId', 'r.subAccountId', 'r.bytes', 'r.counted'])
        .select([day.as('day'), now.as('createdAt')]),
    )
})
