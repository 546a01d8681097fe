import { backupOverview } from '../backups/list-backups.ts'
import { isOldBackup } from '../backups/schedule-backups.ts'
import { gatewayStatus } from '../gateway/status.ts'
import { backlog } from '../jobs/backlog.ts'
import { pageOfFailing } from './manage-jobs.ts'
import { frozenAccounts } from '../ledger/frozen-accounts.ts'
import { booksCheckedAt } from '../books/self-check.ts'
import { operatorsChats } from '../notices/concerns.ts'
import { outbox } from '../notices/outbox.ts'
import { listConnections } from '../supply/list-connections.ts'
import { newerVersion } from './newer-version.ts'
import { diskLevel, type DiskSpace } from './disk-space.ts'
import { type Machine, readiness, type State } from './readiness.ts'
import type { OperatorDeps } from './deps.ts'

/** A part of the shop and its state; times are ISO 8601. */
export type HealthPart = { readonly state: State } & (
  | { readonly part: 'database' | 'bot' }
  | {
      readonly part: 'jobs'
      readonly failing: number
      readonly waiting: number
      readonly oldestSeconds: number
    }
  | { readonly part: 'messages'; readonly waiting: number; readonly oldestSeconds: number }
  | { readonly part: 'books'; readonly frozen: number; readonly checkedAt: string | null }
  | { readonly part: 'chain'; readonly checkedAt: string | null }
  | { readonly part: 'backups'; readonly goodAt: string | null; readonly everyMs: number | null }
  | { readonly part: 'gateway'; readonly working: boolean; readonly exits: number; readonly healthy: number }
  | { readonly part: 'suppliers'; readonly all: number; readonly troubled: readonly string[] }
  | { readonly part: 'servers'; readonly alive: number; readonly wrongClocks: number }
  /** `gone`: names of persons, and ids of other chats. */
  | { readonly part: 'chats'; readonly all: number; readonly gone: readonly string[] }
  | ({ readonly part: 'disk' } & DiskSpace)
  /** `newer`: the newest version in the update feed, null unless it is newer than this one; `unread`: the last reading failed. */
  | {
      readonly part: 'version'
      readonly version: string
      readonly newer: string | null
      readonly unread: boolean
    }
)

/** Age of the oldest waiting message, in seconds, above which messages are degraded. */
const LATE_SECONDS = 10 * 60
const WORST_FIRST: readonly State[] = ['down', 'degraded', 'ok']

/**
 * Reports the state of each part of the shop, the worst first (rules 10.19). Parts that are not in use, such as suppliers or a
 * gateway, are left out.
 */
export async function health(deps: OperatorDeps): Promise<HealthPart[]> {
  const { machine } = deps
  const ready = await readiness(machine?.checks ?? {})
  const parts: HealthPart[] = [
    ...(['database', 'bot'] as const).map((part): HealthPart => ({ part, state: ready[part] ?? 'ok' })),
    await jobs(deps, ready['jobs']),
    await messages(deps),
    ...(await chats(deps)),
    await books(deps),
    ...(deps.topUps ? [await chain(deps.topUps.scanners, ready['chain'])] : []),
    await backups(deps),
    ...(await gateway(deps, ready['gateway'])),
    ...(await suppliers(deps)),
    ...servers(deps.db.cluster),
    ...(machine ? [disk(await machine.diskSpace(), ready['disk']), await version(deps, machine)] : []),
  ]
  return parts.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state))
}

async function jobs(deps: OperatorDeps, ready: State = 'ok'): Promise<HealthPart> {
  const waiting = await backlog(deps)
  const { total: failing } = await pageOfFailing(deps, 1, 1)
  return {
    part: 'jobs',
    state: ready === 'ok' && failing > 0 ? 'degraded' : ready,
    failing,
    waiting: waiting.reduce((sum, kind) => sum + kind.waiting, 0),
    oldestSeconds: Math.max(0, ...waiting.map(({ oldestSeconds }) => oldestSeconds)),
  }
}

async function messages(deps: OperatorDeps): Promise<HealthPart> {
  const { pending, oldestSeconds } = await outbox(deps)
  return {
    part: 'messages',
    state: oldestSeconds > LATE_SECONDS ? 'degraded' : 'ok',
    waiting: pending,
    oldestSeconds,
  }
}

/** Reports on the chats of those who run the shop. */
async function chats(deps: OperatorDeps): Promise<HealthPart[]> {
  const all = await operatorsChats(deps)
  if (all.length === 0) return []
  const gone = all.filter(({ blocked }) => blocked).map(({ person, chatId }) => person ?? String(chatId))
  return [{ part: 'chats', state: gone.length > 0 ? 'degraded' : 'ok', all: all.length, gone }]
}

async function books(deps: OperatorDeps): Promise<HealthPart> {
  const frozen = await frozenAccounts(deps)
  const checkedAt = await booksCheckedAt(deps)
  return {
    part: 'books',
    state: frozen.length > 0 ? 'degraded' : 'ok',
    frozen: frozen.length,
    checkedAt: checkedAt?.toISOString() ?? null,
  }
}

async function chain(
  scanners: NonNullable<OperatorDeps['topUps']>['scanners'],
  ready: State = 'ok',
): Promise<HealthPart> {
  const states = await Promise.all(scanners.map((scanner) => scanner.state()))
  const stale = states.some((state) => state.stale)
  // That of the network which was read longest ago; none where one was never read.
  const [checkedAt = null] = states
    .map((state) => state.checkedAt)
    .toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
  return { part: 'chain', state: ready === 'ok' && stale ? 'degraded' : ready, checkedAt }
}

async function backups(deps: OperatorDeps): Promise<HealthPart> {
  const { everyMs, last, good } = await backupOverview(deps, 1)
  const goodAt = good?.endedAt ?? null
  const failed = last.some(({ problem }) => problem !== null)
  const isOld = everyMs !== null && goodAt !== null && isOldBackup(goodAt, everyMs, deps.clock.now())
  return { part: 'backups', state: failed || isOld ? 'degraded' : 'ok', goodAt, everyMs }
}

async function gateway(deps: OperatorDeps, ready: State = 'ok'): Promise<HealthPart[]> {
  const { last, atWork, exits } = await gatewayStatus(deps)
  const inUse = exits.filter(({ status }) => status === 'active')
  if (last === null && inUse.length === 0) return []
  const failing = inUse.some(({ healthy }) => healthy === false)
  const state = atWork && !failing ? ready : 'degraded'
  const healthy = inUse.filter((exit) => exit.healthy === true).length
  return [{ part: 'gateway', state, working: atWork, exits: inUse.length, healthy }]
}

async function suppliers(deps: OperatorDeps): Promise<HealthPart[]> {
  const connections = await listConnections(deps)
  if (connections.length === 0) return []
  const troubled = connections
    .filter(({ faults, doubtfulCalls, alarmed }) => faults > 0 || doubtfulCalls > 0 || alarmed)
    .map(({ name }) => name)
  const state = troubled.length > 0 ? 'degraded' : 'ok'
  return [{ part: 'suppliers', state, all: connections.length, troubled }]
}

/** Reports on the servers, where there are several or one has a wrong clock. */
function servers(cluster: OperatorDeps['db']['cluster']): HealthPart[] {
  if (!cluster) return []
  const { servers: alive, wrongClocks } = cluster
  if (alive === 1 && wrongClocks === 0) return []
  return [{ part: 'servers', state: wrongClocks > 0 ? 'degraded' : 'ok', alive, wrongClocks }]
}

function disk(space: DiskSpace, ready: State = 'ok'): HealthPart {
  const states = { enough: 'ok', low: 'degraded', full: 'down' } as const
  return { part: 'disk', state: ready === 'down' ? ready : states[diskLevel(space)], ...space }
}

async function version(deps: OperatorDeps, { version: ofProduct }: Machine): Promise<HealthPart> {
  return { part: 'version', state: 'ok', version: ofProduct, ...(await newerVersion(deps)) }
}
