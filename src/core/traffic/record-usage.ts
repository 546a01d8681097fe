import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { least, listOf, rowsOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { type Bytes, MAX_BYTES } from './bytes.ts'
import { tellOfUse } from './tell-of-use.ts'
import { bytesLeft } from './traffic-left.ts'

export const UsageReport = z.object({
  /** The gateway's id of the report; a report is counted once. */
  reportId: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^\p{C}\s]+$/u, 'not_a_report_id'),
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
  /** What the credential may still use. At 0 the gateway should refuse it. */
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

/** The account on which use of a credential is counted. */
interface Credential {
  readonly username: string
  readonly trafficId: number
  readonly userId: number
  readonly productId: number
  /** Null when use is counted on the main account. */
  readonly subAccountId: number | null
  readonly remaining: Bytes
}

/** What the reports take from one main account or sub-account together. */
interface Share extends Credential {
  counted: Bytes
}

/**
 * {@link recordUsage} for several reports in an open transaction, with few statements however many they are. SQLite has one writer
 * at a time, so what is read here does not change until the end of the transaction; the conditions of the updates ensure it, too.
 *
 * @returns the outcome or the refusal of each report; when one is refused, nothing was changed
 */
export async function countReports(
  deps: CoreDeps,
  tx: Tx,
  reports: readonly Report[],
): Promise<(RecordedUsage | ServiceError)[]> {
  const now = deps.clock.now()
  const usernames = [...new Set(reports.map(({ account }) => account))]
  const credentials = new Map(
    (await findCredentials(tx, { usernames })).map((found) => [found.username, found]),
  )
  const ids = reports.map(({ reportId }) => reportId)
  const known = new Map((await findReports(tx, { ids })).map((found) => [found.reportId, found]))
  const shares = new Map<string, Share>()
  const fresh: CountedReport[] = []

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
    fresh.push({
      reportId,
      username,
      bytes,
      counted,
      trafficId,
      ...(subAccountId === null ? {} : { subAccountId }),
    })
    return { counted, remaining: remaining - counted, replayed: false }
  })
  if (outcomes.some((outcome) => outcome instanceof ServiceError)) return outcomes

  await insertReports(tx, { reports: fresh, now })
  const used = [...shares.values()].filter(({ counted }) => counted > 0)
  for (const share of used) {
    await takeFromAccount(tx, now, share)
    const { userId, productId, counted: bytes } = share
    await takeFromOrders(tx, { userId, productId, bytes, now })
  }
  await tellOfUse(
    deps,
    tx,
    used.map(({ trafficId }) => trafficId),
  )
  return outcomes
}

/**
 * Finds the accounts of usernames. Late use of a deleted sub-account counts on the main account, which got its unused traffic back.
 */
const findCredentials = compiled<{ usernames: readonly string[] }>()((db, { usernames }) =>
  db
    .selectFrom('traffic as t')
    .select(['t.username', 't.id as trafficId', 't.userId', 't.productId'])
    .select(({ val }) => val<number | null>(null).as('subAccountId'))
    .select(bytesLeft().as('remaining'))
    .where('t.username', 'in', listOf(usernames))
    .unionAll(
      db
        .selectFrom('subAccounts as s')
        .innerJoin('traffic as t', 't.id', 's.trafficId')
        .select(['s.username', 't.id as trafficId', 't.userId', 't.productId'])
        .select(({ eb, ref }) => [
          eb.case().when('s.status', '<>', 'deleted').then(ref('s.id')).end().as('subAccountId'),
          eb
            .case()
            .when('s.status', '=', 'deleted')
            .then(bytesLeft())
            .else(eb('s.limitBytes', '-', ref('s.usedBytes')))
            .end()
            .as('remaining'),
        ])
        .where('s.username', 'in', listOf(usernames)),
    ),
)

interface CountedReport {
  readonly reportId: string
  readonly username: string
  readonly bytes: Bytes
  readonly counted: Bytes
  readonly trafficId: number
  readonly subAccountId?: number
}

const findReports = compiled<{ ids: readonly string[] }>()((db, { ids }) =>
  db
    .selectFrom('usageReports')
    .select(['reportId', 'username', 'bytes', 'countedBytes as counted'])
    .where('reportId', 'in', listOf(ids)),
)

const insertReports = compiled<{ reports: readonly CountedReport[]; now: Date }>()((db, { reports, now }) => {
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
    .columns(['reportId', 'username', 'trafficId', 'subAccountId', 'bytes', 'countedBytes', 'createdAt'])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(reports, columns, 'r'))
        .select(['r.reportId', 'r.username', 'r.trafficId', 'r.subAccountId', 'r.bytes', 'r.counted'])
        .select(now.as('createdAt')),
    )
})

interface Taken {
  readonly id: number
  readonly bytes: Bytes
  readonly now: Date
}

async function takeFromAccount(
  tx: Tx,
  now: Date,
  { trafficId, subAccountId, counted: bytes }: Share,
): Promise<void> {
  const taken =
    subAccountId === null
      ? await takeFromMain(tx, { id: trafficId, bytes, now })
      : await takeFromSubAccount(tx, { id: subAccountId, bytes, now })
  if (taken.length !== 1) throw new Error(`traffic account ${trafficId} does not hold ${bytes} bytes`)
}

const takeFromMain = compiled<Taken>()((db, { id, bytes, now }) =>
  db
    .updateTable('traffic')
    .set(({ eb }) => ({ usedBytes: eb('usedBytes', '+', bytes), updatedAt: now }))
    .where('id', '=', id)
    .where(({ eb, ref }) =>
      eb(eb(eb('usedBytes', '+', ref('allocatedBytes')), '+', bytes), '<=', ref('totalBytes')),
    )
    .returning('id'),
)

const takeFromSubAccount = compiled<Taken>()((db, { id, bytes, now }) =>
  db
    .updateTable('subAccounts')
    .set(({ eb }) => ({ usedBytes: eb('usedBytes', '+', bytes), updatedAt: now }))
    .where('id', '=', id)
    .where(({ eb, ref }) => eb(eb('usedBytes', '+', bytes), '<=', ref('limitBytes')))
    .returning('id'),
)

interface TakenFromOrders {
  readonly userId: number
  readonly productId: number
  readonly bytes: Bytes
  readonly now: Date
}

/** Counts use on the active orders, oldest first: an order is used up before the next one is changed. */
const takeFromOrders = compiled<TakenFromOrders>()((db, { userId, productId, bytes, now }) => {
  const active = db
    .selectFrom('dynamicOrders')
    .select('id')
    .select(({ eb, fn, ref }) => {
      const rest = eb('trafficBytes', '-', ref('usedBytes'))
      const upToThis = fn.sum<number>(rest).over((orders) => orders.orderBy('id'))
      return [rest.as('rest'), eb(upToThis, '-', rest).as('older')]
    })
    .where('userId', '=', userId)
    .where('productId', '=', productId)
    .where('status', '=', 'active')
  const share = db
    .selectFrom(active.as('active'))
    .select('id')
    .select(({ eb, ref }) => least(ref('rest'), eb(bytes, '-', ref('older'))).as('taken'))
    .where('older', '<', bytes)
  return db
    .updateTable('dynamicOrders as o')
    .from(share.as('share'))
    .set(({ eb, ref }) => {
      const usedBytes = eb('o.usedBytes', '+', ref('share.taken'))
      const status = eb
        .case()
        .when(usedBytes, '=', ref('o.trafficBytes'))
        .then(eb.val('exhausted' as const))
      return { usedBytes, status: status.else(ref('o.status')).end(), updatedAt: now }
    })
    .whereRef('o.id', '=', 'share.id')
})
