import { hash } from 'node:crypto'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { rowsOf } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import type { Bytes } from '../bytes.ts'
import { Charges } from '../traffic/charge-use.ts'
import { readRemaining } from './accounts.ts'
import { tellGateways } from '../traffic/gateway-changes.ts'
import { countTargets } from './count-targets.ts'
import { storeReports } from './exit-reports.ts'
import { completeFlushes } from '../traffic/flush.ts'
import { noteCall } from '../traffic/gateway-lease.ts'
import type { UsageAnswer, UsageBatch, UsageItem } from './wire.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * Counts a batch of use that a gateway reports, once (rules 12.3): on the credentials and their orders, by day, and by host where
 * the account keeps them. Use beyond what is left is recorded as not counted (rules 6.11); a credential that never existed is
 * ignored, as the batch would otherwise be sent for ever.
 *
 * @param gatewayId names the journal of the gateway, in which batches have numbers without gaps
 * @throws gateway_taken, usage_out_of_order (data: expected) for a batch that does not follow the last one
 */
export async function countUsage(
  deps: Essentials,
  gatewayId: string,
  batch: UsageBatch,
): Promise<UsageAnswer> {
  return deps.db.write(async (tx) => {
    const { sequence: last, lastBatch } = await noteCall(deps, tx, gatewayId)
    const replayed = batch.sequence <= last
    if (batch.sequence > last + 1)
      throw new ServiceError('usage_out_of_order', { data: { expected: last + 1 } })
    if (!replayed) await count(deps, tx, gatewayId, batch)
    const usernames = [...new Set(batch.items.map(({ account }) => account))]
    const remaining = await readRemaining(tx, usernames)
    return {
      sequence: Math.max(last, batch.sequence),
      replayed,
      ...(replayed && { same: batch.sequence === last && lastBatch === digestOf(batch) }),
      accounts: remaining.map(({ username, remaining: bytes, revision }) => ({
        username,
        remaining_bytes: bytes,
        revision,
      })),
    }
  })
}

async function count(deps: Essentials, tx: Tx, gatewayId: string, batch: UsageBatch): Promise<void> {
  const now = deps.clock.now()
  const items = joined(batch.items)
  const charges = await Charges.of(
    tx,
    items.map(({ account }) => account),
  )
  const uses = items.flatMap((item) => {
    const use = charges.take(item.account, item.bytes)
    return use ? { ...item, ...use } : []
  })
  await charges.write(deps, tx)
  await tellGateways(tx, charges.charged({ byOthers: true }))
  const days = uses.map(({ account: username, day, bytes, counted, credential }) => {
    const { ownName, trafficId, subAccountId } = credential
    // Late use of a deleted sub-account counts on the main account, so it is another report than the use before the deletion.
    const reportId = `gateway:${day}:${username}${ownName === username ? '' : ':late'}`
    return { reportId, username, day, bytes, counted, trafficId, subAccountId }
  })
  if (days.length > 0) await addToDays(tx, { days, now })
  await countTargets(
    tx,
    uses.map(({ credential, day, bytes, targets }) => ({
      trafficId: credential.trafficId,
      day,
      bytes,
      targets,
    })),
  )
  await completeFlushes(tx, batch.flushed)
  await storeReports(tx, now, batch.exits)
  const bytes = uses.reduce((sum, use) => sum + use.bytes, 0)
  await noteBatch(tx, gatewayId, batch, bytes)
}

function digestOf(batch: UsageBatch): string {
  return hash('sha256', JSON.stringify(batch), 'base64url')
}

/** Merges the items of the same account and day; the earlier days come first. */
function joined(items: readonly UsageItem[]): UsageItem[] {
  const joined = new Map<string, UsageItem>()
  for (const item of items) {
    const key = `${item.day} ${item.account}`
    const before = joined.get(key)
    joined.set(
      key,
      before
        ? { ...item, bytes: before.bytes + item.bytes, targets: [...before.targets, ...item.targets] }
        : item,
    )
  }
  return [...joined.values()].toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

interface DayRow {
  readonly reportId: string
  readonly username: string
  readonly day: string
  readonly trafficId: number
  readonly subAccountId: number | null
  readonly bytes: Bytes
  readonly counted: Bytes
}

const DAY = {
  reportId: 'text',
  username: 'text',
  day: 'text',
  trafficId: 'integer',
  subAccountId: 'integer',
  bytes: 'integer',
  counted: 'integer',
} as const

/** Adds use to the one report that each credential has for each day. */
const addToDays = compiled<{ days: readonly DayRow[]; now: Date }>()((db, { days, now }) =>
  db
    .insertInto('usageReports')
    .columns([
      'reportId',
      'username',
      'day',
      'trafficId',
      'subAccountId',
      'bytes',
      'countedBytes',
      'createdAt',
    ])
    .expression(({ selectFrom, lit }) =>
      selectFrom(rowsOf(days, DAY, 'd'))
        .select([
          'd.reportId',
          'd.username',
          'd.day',
          'd.trafficId',
          'd.subAccountId',
          'd.bytes',
          'd.counted',
        ])
        .select(now.as('createdAt'))
        // Without a condition SQLite would read ON CONFLICT as that of a join.
        .where(lit(1), '=', lit(1)),
    )
    .onConflict((same) =>
      same.column('reportId').doUpdateSet(({ eb, ref }) => ({
        bytes: eb('usageReports.bytes', '+', ref('excluded.bytes')),
        countedBytes: eb('usageReports.countedBytes', '+', ref('excluded.countedBytes')),
      })),
    ),
)

/** Maximum number of reasons by which refusals are counted; refusals for further ones are not counted. */
const MOST_REASONS = 50

async function noteBatch(tx: Tx, gatewayId: string, batch: UsageBatch, bytes: Bytes): Promise<void> {
  const { sequence, gateway, ended } = batch
  const [before] = await findRefused(tx, { gatewayId })
  const refused = new Map(Object.entries(JSON.parse(before?.refused ?? '{}') as Record<string, number>))
  for (const [reason, times] of Object.entries(gateway.refused))
    if (refused.has(reason) || refused.size < MOST_REASONS)
      refused.set(reason, (refused.get(reason) ?? 0) + times)
  const { started_at: startedAt, workers, connections, accepted } = gateway
  await setBatch(tx, {
    gatewayId,
    sequence,
    lastBatch: digestOf(batch),
    bytes,
    ended,
    startedAt,
    workers,
    connections,
    accepted,
    refused: JSON.stringify(Object.fromEntries(refused)),
  })
}

const findRefused = compiled<{ gatewayId: string }>()((db, { gatewayId }) =>
  db.selectFrom('gateways').select('refused').where('gatewayId', '=', gatewayId),
)

interface NotedBatch {
  readonly gatewayId: string
  readonly sequence: number
  readonly lastBatch: string
  readonly bytes: Bytes
  readonly ended: boolean
  readonly startedAt: string
  readonly workers: number
  readonly connections: number
  readonly accepted: number
  readonly refused: string
}

const setBatch = compiled<NotedBatch>()((db, batch) =>
  db
    .updateTable('gateways')
    .set(({ eb }) => ({
      sequence: batch.sequence,
      lastBatch: batch.lastBatch,
      bytes: eb('bytes', '+', batch.bytes),
      ended: batch.ended,
      startedAt: batch.startedAt,
      workers: batch.workers,
      connections: batch.connections,
      accepted: eb('accepted', '+', batch.accepted),
      refused: batch.refused,
    }))
    .where('gatewayId', '=', batch.gatewayId),
)
