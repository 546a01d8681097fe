import type { Tx } from '../database/database.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { inPieces } from '../turns.ts'
import { compareBooks, type ComparedCall, type ComparedProxy } from './compare-books.ts'
import { connectionOf } from './connection-of.ts'
import { type SupplierDriver, SupplierFault, type SupplierInstance, type SupplierRequest } from './driver.ts'
import { asking, findConnection } from './find-connection.ts'
import { rateSinceKey } from './manage-connections.ts'
import { ourBooks } from './our-books.ts'
import { happened } from '../facts/happened.ts'
import type { DifferenceKind, SupplierDifference } from '../facts/supplier-difference.ts'
import type { SupplyDeps } from './deps.ts'

const DAY_MS = 24 * 60 * 60_000
/** How far back orders are compared. */
const ORDERS_MS = 7 * DAY_MS
/** Number of proxies asked for in one request. */
const MOST_PROXIES = 100
/** How long all answers of a supplier together may take. */
const PATIENCE_MS = 10 * 60_000
/** A connection whose supplier did not answer is tried again after this time. */
const AGAIN_MS = 60 * 60_000
/** Most differences that a notice names. */
const NAMED = 5

export interface Reconciliation {
  readonly name: string
  /** Start of the time in which orders are compared. */
  readonly since: string
  /** Numbers of orders and running proxies that the supplier lists. */
  readonly orders: number
  readonly running: number
  readonly differences: readonly SupplierDifference[]
}

/**
 * Compares our books with the account at a supplier, both ways (rules 11.7): orders of the last 7 days and their amounts, the proxies
 * that run there, and until when.
 *
 * @throws validation_error, supplier_error
 */
export async function reconcileSupplier(
  deps: SupplyDeps,
  name: string,
  signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
): Promise<Reconciliation> {
  const connection = await findConnection(deps.db.read, name)
  const compared = await asking(() => compareConnection(deps, connection, signal))
  await deps.db.write((tx) => recordComparison(deps, tx, connection))
  return compared
}

interface Connection {
  readonly id: number
  readonly name: string
  readonly createdAt: string
}

/** @throws SupplierFault */
async function compareConnection(
  deps: SupplyDeps,
  { id, name, createdAt }: Connection,
  signal: AbortSignal,
): Promise<Reconciliation> {
  const { driver, rate } = await connectionOf(deps, id)
  const now = deps.clock.now()
  const since = new Date(Math.max(now.getTime() - ORDERS_MS, Date.parse(createdAt)))
  // The supplier's lists are read first: an order placed meanwhile is only missing from them, and is asked for by its number.
  const theirs = { orders: await driver.orders(since, signal), running: await driver.running(signal) }
  const ours = await ourBooks(deps.db.read, id)
  const rateSince = new Date((await readSetting(deps, rateSinceKey(id))) ?? createdAt)
  const { releases } = driver.capabilities
  const terms = { now, since, rate, rateSince, releases }
  const { ofOrders, ofProxies, unlisted, stopped } = compareBooks(ours, theirs, terms)
  // Suspects are read again: a renewal or release may have ended between both readings.
  const suspects = ofProxies.map(({ subject }) => subject)
  const again = await instancesOf(driver, suspects, signal)
  const running = again.filter(({ status }) => status === 'running')
  const differences = [
    ...ofOrders,
    ...compareBooks(ours, { orders: [], running }, terms).ofProxies,
    ...(await missingOrders(deps, driver, unlisted, signal)),
    ...(await stoppedProxies(driver, stopped, signal)),
  ]
  return {
    name,
    since: since.toISOString(),
    orders: theirs.orders.length,
    running: theirs.running.length,
    differences,
  }
}

/** Returns the unlisted orders that the supplier does not know by number either; a list may leave some out. */
async function missingOrders(
  { db }: SupplyDeps,
  driver: SupplierDriver,
  calls: readonly ComparedCall[],
  signal: AbortSignal,
): Promise<SupplierDifference[]> {
  const missing: SupplierDifference[] = []
  for (const { callNo, providerOrderNo, orderNo } of calls) {
    const { request } = await db.read.$kysely
      .selectFrom('supplierCalls')
      .select('request')
      .where('callNo', '=', callNo)
      .executeTakeFirstOrThrow()
    const asked = { ...(JSON.parse(request) as object), callNo } as SupplierRequest
    const { status } = await driver.find(asked, providerOrderNo, signal)
    if (status !== 'absent') continue
    const subject = providerOrderNo ?? callNo
    missing.push({ kind: 'missing_order', subject, orderNo, ours: 'settled', theirs: 'unknown' })
  }
  return missing
}

/** Returns the proxies that do not run when asked for by their numbers: the list may be older than they are. */
async function stoppedProxies(
  driver: SupplierDriver,
  proxies: readonly ComparedProxy[],
  signal: AbortSignal,
): Promise<SupplierDifference[]> {
  const numbers = proxies.map(({ providerInstanceNo }) => providerInstanceNo)
  const found = await instancesOf(driver, numbers, signal)
  const states = new Map(found.map(({ providerInstanceNo, status }) => [providerInstanceNo, status]))
  return proxies.flatMap(({ providerInstanceNo: subject, orderNo, ip, port }) => {
    const theirs = states.get(subject) ?? 'unknown'
    return theirs === 'running'
      ? []
      : [{ kind: 'not_running' as const, subject, orderNo, ours: `${ip}:${port}`, theirs }]
  })
}

/** Reads proxies by the supplier's numbers, a hundred at a time. */
async function instancesOf(
  driver: SupplierDriver,
  numbers: readonly string[],
  signal: AbortSignal,
): Promise<SupplierInstance[]> {
  const found: SupplierInstance[] = []
  for (const piece of inPieces(numbers, MOST_PROXIES)) found.push(...(await driver.instances(piece, signal)))
  return found
}

/** Time in ms of the last attempt to compare each connection; in memory, reset by a restart. */
const triedAt = new WeakMap<SupplyDeps, Map<number, number>>()

/**
 * For the loop: reconciles each active connection once a day, and tells the operator about the differences unless they are those of the
 * last time. A supplier that does not answer is tried again after an hour.
 *
 * @returns names of the connections that were compared
 */
export async function reconcileDue(deps: SupplyDeps, signal: AbortSignal): Promise<string[]> {
  const now = deps.clock.now().getTime()
  const tried = triedAt.get(deps) ?? new Map<number, number>()
  triedAt.set(deps, tried)
  const connections = await deps.db.read.$kysely
    .selectFrom('supplierConnections')
    .select(['id', 'name', 'createdAt', 'reconciledAt'])
    .where('status', '=', 'active')
    .where('syncedAt', 'is not', null)
    .orderBy('id')
    .execute()
  const due = connections.filter(
    ({ id, reconciledAt }) =>
      now - Date.parse(reconciledAt ?? '1970-01-01T00:00:00Z') >= DAY_MS &&
      Math.abs(now - (tried.get(id) ?? Number.NEGATIVE_INFINITY)) >= AGAIN_MS,
  )
  const compared = await Promise.all(
    due.map(async (connection) => {
      tried.set(connection.id, now)
      try {
        const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
        const { differences } = await compareConnection(deps, connection, patience)
        await deps.db.write(async (tx) => {
          await recordComparison(deps, tx, connection)
          await tellDifferences(deps, tx, connection, differences)
        })
        return connection.name
      } catch (error) {
        // The lane of the connection tells the operator when a supplier keeps failing.
        if (error instanceof SupplierFault) return []
        throw error
      }
    }),
  )
  return compared.flat()
}

/** Records the comparison; the connection is due again in a day. */
async function recordComparison({ clock }: SupplyDeps, tx: Tx, { id }: Connection): Promise<void> {
  await tx.$kysely
    .updateTable('supplierConnections')
    .set({ reconciledAt: clock.now() })
    .where('id', '=', id)
    .execute()
}

/** Tells the operator about the differences, unless they are those that were told last. */
async function tellDifferences(
  deps: SupplyDeps,
  tx: Tx,
  { id, name }: Connection,
  differences: readonly SupplierDifference[],
): Promise<void> {
  const key = `supplier_differences:${id}`
  const told = deps.supplierSecrets.digest(JSON.stringify(differences))
  const before = await readSetting({ db: { read: tx } }, key)
  if (before === told || (differences.length === 0 && !before)) return
  await writeSetting(tx, key, told)
  if (differences.length === 0) return
  happened(tx, {
    kind: 'supplier_differences',
    subject: `${name} ${deps.clock.now().toISOString()}`,
    data: { connection: name, counts: countsOf(differences), examples: differences.slice(0, NAMED) },
  })
}

function countsOf(differences: readonly SupplierDifference[]): Partial<Record<DifferenceKind, number>> {
  const counts: Partial<Record<DifferenceKind, number>> = {}
  for (const { kind } of differences) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
