import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { type Bytes, MAX_BYTES } from './bytes.ts'
import { tellOfUse } from './tell-of-use.ts'
import { TRAFFIC_LEFT } from './traffic-left.ts'

export const UsageReport = z.object({
  /** The gateway's own id of the report: the same one counts once. */
  reportId: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^\p{C}\s]+$/u, 'not_a_report_id'),
  /** The credential as the client sent it; its parameters, which begin with a hyphen, do not matter. */
  account: z
    .string()
    .min(1)
    .max(256)
    .transform((text) => text.split('-')[0] ?? ''),
  bytes: z.int().min(0).max(MAX_BYTES),
})

export interface RecordedUsage {
  /** Bytes that were taken from what was left; less than reported when that was less. */
  readonly counted: Bytes
  /** What the credential may still use. At 0 the gateway should let it in no longer. */
  readonly remaining: Bytes
  /** The report had come before. */
  readonly replayed: boolean
}

/**
 * Counts use that the gateway reports for one credential (rules 6.2, 6.11): on the main account or the sub-account that it belongs
 * to, and on the orders of the traffic, oldest first. Traffic was used before it is reported, so a report is never
 * refused for its size: what exceeds the rest is noted as uncounted, and no later purchase pays for it.
 *
 * @throws validation_error (also for a credential that never existed), idempotency_conflict when the id was another report's
 */
export async function recordUsage(
  deps: CoreDeps,
  input: z.input<typeof UsageReport>,
): Promise<RecordedUsage> {
  const report = parseInput(UsageReport, input)
  const recorded = await deps.db.write(async (tx) => {
    const [outcome] = await countReports(deps, tx, [report])
    if (!outcome || outcome instanceof ServiceError) throw outcome ?? new Error('the report was lost')
    return outcome
  })
  deps.jobs.wake()
  return recorded
}

type Report = z.output<typeof UsageReport>

/** Where use of a credential counts. */
interface Credential {
  readonly username: string
  readonly trafficId: number
  readonly userId: number
  readonly productId: number
  /** Null when it counts on the main account. */
  readonly subAccountId: number | null
  readonly remaining: Bytes
}

/** What reports take from one main account or sub-account. */
interface Share extends Credential {
  counted: Bytes
}

/**
 * {@link recordUsage} of several reports in an open transaction, in few statements however many they are. Nobody else writes in
 * a transaction, so what is read here is true until its end; the conditions of the updates hold it.
 *
 * @returns for each report what became of it, or why it is refused; when one is refused, nothing was changed
 */
export async function countReports(
  deps: CoreDeps,
  tx: Tx,
  reports: readonly Report[],
): Promise<(RecordedUsage | ServiceError)[]> {
  const now = deps.clock.now()
  const credentials = new Map((await credentialsOf(tx, reports)).map((found) => [found.username, found]))
  const known = new Map((await knownReports(tx, reports)).map((found) => [found.reportId, found]))
  const shares = new Map<string, Share>()
  const fresh: (KnownReport & { readonly trafficId: number; readonly subAccountId: number | null })[] = []

  const outcomes = reports.map((report): RecordedUsage | ServiceError => {
    const { reportId, account: username, bytes } = report
    const credential = credentials.get(username)
    if (!credential) return InvalidInput.of('account', 'unknown_gateway_account')
    const { trafficId, subAccountId } = credential
    const key = `${trafficId} ${subAccountId}`
    const share = shares.get(key) ?? { ...credential, counted: 0 }
    shares.set(key, share)
    const remaining = share.remaining - share.counted
    const first = known.get(reportId)
    if (first) {
      return first.username === username && first.bytes === bytes
        ? { counted: first.counted, remaining, replayed: true }
        : new ServiceError('idempotency_conflict', { data: { report_id: reportId } })
    }
    const counted = Math.min(bytes, remaining)
    share.counted += counted
    known.set(reportId, { reportId, username, bytes, counted })
    fresh.push({ reportId, username, bytes, counted, trafficId, subAccountId })
    return { counted, remaining: remaining - counted, replayed: false }
  })
  if (outcomes.some((outcome) => outcome instanceof ServiceError)) return outcomes

  await tx.$executeRaw`
    INSERT INTO usage_reports (report_id, username, traffic_id, sub_account_id, bytes, counted_bytes, created_at)
    SELECT value ->> 'reportId', value ->> 'username', value ->> 'trafficId', value ->> 'subAccountId', value ->> 'bytes',
           value ->> 'counted', ${now}
    FROM json_each(${JSON.stringify(fresh)})`
  const used = [...shares.values()].filter(({ counted }) => counted > 0)
  for (const share of used) {
    await takeFromAccount(tx, now, share)
    await takeFromOrders(tx, now, share)
  }
  await tellOfUse(
    deps,
    tx,
    used.map(({ trafficId }) => trafficId),
  )
  return outcomes
}

/** Late use of a sub-account that is deleted counts on the main account, which got the rest of its traffic back. */
function credentialsOf(tx: Tx, reports: readonly Report[]): Promise<Credential[]> {
  const usernames = JSON.stringify([...new Set(reports.map(({ account }) => account))])
  return selectJson<Credential>(
    tx,
    Prisma.sql`
      SELECT json_object('username', username, 'trafficId', id, 'userId', user_id, 'productId', product_id, 'subAccountId', NULL,
                         'remaining', total_bytes - used_bytes - allocated_bytes) AS json
      FROM traffic WHERE username IN (SELECT value FROM json_each(${usernames}))
      UNION ALL
      SELECT json_object('username', s.username, 'trafficId', t.id, 'userId', t.user_id, 'productId', t.product_id,
                         'subAccountId', iif(s.status = 'deleted', NULL, s.id),
                         'remaining', iif(s.status = 'deleted', ${TRAFFIC_LEFT}, s.limit_bytes - s.used_bytes))
      FROM sub_accounts s JOIN traffic t ON t.id = s.traffic_id WHERE s.username IN (SELECT value FROM json_each(${usernames}))`,
  )
}

interface KnownReport {
  readonly reportId: string
  readonly username: string
  readonly bytes: Bytes
  readonly counted: Bytes
}

function knownReports(tx: Tx, reports: readonly Report[]): Promise<KnownReport[]> {
  const ids = JSON.stringify(reports.map(({ reportId }) => reportId))
  return selectJson<KnownReport>(
    tx,
    Prisma.sql`SELECT json_object('reportId', report_id, 'username', username, 'bytes', bytes, 'counted', counted_bytes) AS json
               FROM usage_reports WHERE report_id IN (SELECT value FROM json_each(${ids}))`,
  )
}

async function takeFromAccount(
  tx: Tx,
  now: Date,
  { trafficId, subAccountId, counted: bytes }: Share,
): Promise<void> {
  const taken =
    subAccountId === null
      ? await tx.$executeRaw`
          UPDATE traffic SET used_bytes = used_bytes + ${bytes}, updated_at = ${now}
          WHERE id = ${trafficId} AND used_bytes + allocated_bytes + ${bytes} <= total_bytes`
      : await tx.$executeRaw`
          UPDATE sub_accounts SET used_bytes = used_bytes + ${bytes}, updated_at = ${now}
          WHERE id = ${subAccountId} AND used_bytes + ${bytes} <= limit_bytes`
  if (taken !== 1) throw new Error(`traffic account ${trafficId} does not hold ${bytes} bytes`)
}

/** The oldest order with something left is used up before the next one is touched. */
async function takeFromOrders(
  tx: Tx,
  now: Date,
  { userId, productId, counted: bytes }: Share,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE dynamic_orders SET
      used_bytes = used_bytes + share.taken,
      status = iif(used_bytes + share.taken = traffic_bytes, 'exhausted', status),
      updated_at = ${now}
    FROM (
      SELECT id, min(traffic_bytes - used_bytes, ${bytes} - older) AS taken FROM (
        SELECT id, traffic_bytes, used_bytes, coalesce(sum(traffic_bytes - used_bytes) OVER (
                 ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS older
        FROM dynamic_orders WHERE user_id = ${userId} AND product_id = ${productId} AND status = 'active')
      WHERE older < ${bytes}) AS share
    WHERE dynamic_orders.id = share.id`
}
