import { setTimeout as sleep } from 'node:timers/promises'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import type { RetryLater } from '../jobs/job-queue.ts'
import type { Checks } from './checks.ts'
import type { DeliveredProxy } from './delivery-probes.ts'
import { isIncident } from './incident.ts'
import type { Essentials } from '../jobs/essentials.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
/** Time in ms after which a delivery goes on with what is known. */
const LONGEST_MS = 180 * SECOND
/** Pause in ms after a failure. A second one makes a proxy dead, since nobody uses it yet. */
const PAUSE_MS = 5 * SECOND
/** Time in ms that the job waits for probes: a proxy that works answers within it, so that the job need not come back. */
const PATIENCE_MS = SECOND
/** Pause in ms between two looks at probes under way. */
const POLL_MS = 2 * SECOND

/** Proxies that are about to be delivered together. */
export interface ToDeliver {
  /** The number of an order or of a replacement. */
  readonly subject: string
  /** Name of the supplier, as products carry it. */
  readonly supplier: string
  readonly proxies: readonly DeliveredProxy[]
  /** Takes others in the place of dead proxies, where there are any, in the transaction that notes them as dead. */
  readonly condemn: (tx: Tx, dead: readonly string[]) => Promise<void>
}

/** The proxies that must not be delivered, by the supplier's names; or when to call again, with the proxies to be delivered by then. */
export type DeliveryCheck = { readonly dead: ReadonlySet<string> } | { readonly later: RetryLater }

/** What is known of proxies, by the supplier's names: `alive`, `dead`, or the time of the first failure (ISO 8601). */
type Seen = Readonly<Record<string, string>>
const isSettled = (seen: string | undefined) => seen === 'alive' || seen === 'dead'

/**
 * Checks proxies before they are handed over (rules 5.23). Called again and again by the job of the delivery; what was found out is
 * kept in the database, so that a kill costs no more than the probes under way.
 *
 * No delivery hangs: after three minutes, or when our own echo or the supplier as a whole fails, everything that is not dead by then
 * is delivered. Before the server listens nothing is checked.
 */
export async function checkDelivery(
  deps: Essentials,
  { prober, deliveries }: Checks,
  delivery: ToDeliver,
): Promise<DeliveryCheck> {
  if (!prober.ready) return { dead: new Set() }
  const { subject, proxies } = delivery
  const check = await beginOnce(deps, delivery)
  const { seen, skipped } = check
  const now = deps.clock.now()
  const age = now.getTime() - Date.parse(check.startedAt)
  const open = proxies.filter(({ providerInstanceNo }) => !isSettled(seen[providerInstanceNo]))
  // A clock that was set back must not keep anybody waiting.
  if (skipped || open.length === 0 || age >= LONGEST_MS || age < 0) {
    deliveries.end(subject)
    const dead = Object.keys(seen).filter((providerInstanceNo) => seen[providerInstanceNo] === 'dead')
    return { dead: new Set(dead) }
  }
  const due = open.filter(({ providerInstanceNo }) => isDue(seen[providerInstanceNo], now))
  const { idle, results, underWay } = deliveries.begin(subject, due)
  await waitFor(idle)
  const passed = new Map(results)
  const works =
    [...passed.values()].every(Boolean) ||
    ((prober.proven || (await isProven(deps))) && (await prober.controlWorks()))
  // A failure says nothing as long as another proxy may show that our echo is reached.
  const canBeNoted = passed.size > 0 && (works || underWay.size === 0)
  const changed = canBeNoted && (await note(deps, delivery, passed, works))
  if (canBeNoted) for (const providerInstanceNo of passed.keys()) results.delete(providerInstanceNo)
  const pause = changed ? 0 : underWay.size > 0 ? POLL_MS : PAUSE_MS
  return {
    later: {
      retryAfterMs: Math.min(pause, LONGEST_MS - age),
      reason: 'the proxies are being checked',
      waiting: true,
    },
  }
}

function isDue(failedAt: string | undefined, now: Date): boolean {
  return failedAt === undefined || Math.abs(now.getTime() - Date.parse(failedAt)) >= PAUSE_MS
}

async function waitFor(idle: Promise<unknown>): Promise<void> {
  const enough = new AbortController()
  await Promise.race([idle, sleep(PATIENCE_MS, undefined, { signal: enough.signal }).catch(() => {})])
  enough.abort()
}

/**
 * Notes the results of probes.
 *
 * @param works whether our own echo can be reached from outside: otherwise failures say nothing, and the check ends
 * @returns whether the job should go on at once: to hand over, or to check proxies in the place of dead ones
 */
function note(
  deps: Essentials,
  { subject, supplier, condemn, proxies }: ToDeliver,
  passed: ReadonlyMap<string, boolean>,
  works: boolean,
): Promise<boolean> {
  return deps.db.write(async (tx) => {
    const [check] = await findCheck(tx, { subject })
    if (!check) return true
    const now = deps.clock.now().toISOString()
    const seen: Record<string, string> = { ...check.seen }
    const failed = [...passed].flatMap(([no, hasPassed]) => (hasPassed ? [] : [no]))
    for (const [no, hasPassed] of passed) if (hasPassed) seen[no] = 'alive'
    const dying = works ? failed.filter((no) => seen[no] !== undefined) : []
    if (works) for (const no of failed) seen[no] ??= now
    await setSeen(tx, { subject, ...counted(seen), skipped: !works })
    if (dying.length > 0) {
      const skipped = await isIncident(deps, tx, supplier)
      if (!skipped) {
        for (const no of dying) seen[no] = 'dead'
        await condemn(tx, dying)
      }
      await setSeen(tx, { subject, ...counted(seen), skipped })
    }
    const settled = proxies.every(({ providerInstanceNo }) => isSettled(seen[providerInstanceNo]))
    return !works || dying.length > 0 || settled
  })
}

function counted(seen: Seen) {
  const all = Object.values(seen)
  return {
    seen: JSON.stringify(seen),
    checked: all.length,
    failing: all.filter((one) => one !== 'alive').length,
  }
}

async function beginOnce(deps: Essentials, { subject, supplier }: ToDeliver) {
  const [known] = await findCheck(deps.db.read, { subject })
  if (known) return known
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    await forget(tx, { before: new Date(now.getTime() - HOUR).toISOString() })
    await insertCheck(tx, { subject, supplier, startedAt: now })
  })
  return { seen: {} as Seen, skipped: false, startedAt: now.toISOString() }
}

const findCheck = compiled<{ subject: string }>()((db, { subject }) =>
  db
    .selectFrom('deliveryChecks')
    .select(['startedAt', 'skipped'])
    .select(({ ref }) => parsed<Seen>(ref('seen')).as('seen'))
    .where('subject', '=', subject),
)

const insertCheck = compiled<{ subject: string; supplier: string; startedAt: Date }>()((db, check) =>
  db
    .insertInto('deliveryChecks')
    .values({ subject: check.subject, supplier: check.supplier, startedAt: check.startedAt })
    .onConflict((begun) => begun.doNothing()),
)

const setSeen = compiled<ReturnType<typeof counted> & { subject: string; skipped: boolean }>()(
  (db, { subject, seen, checked, failing, skipped }) =>
    db.updateTable('deliveryChecks').set({ seen, checked, failing, skipped }).where('subject', '=', subject),
)

/** Tells whether a recent delivery met a proxy that works: then our echo can be reached. Holds after a restart, too. */
async function isProven({ db }: Essentials): Promise<boolean> {
  const [alive] = await findAlive(db.read, {})
  return alive !== undefined
}

const findAlive = compiled<object>()((db) =>
  db.selectFrom('deliveryChecks').select('id').whereRef('checked', '>', 'failing').limit(1),
)

/** Deletes old checks; those of the last 15 minutes count in {@link isIncident}. */
const forget = compiled<{ before: string }>()((db, { before }) =>
  db.deleteFrom('deliveryChecks').where('startedAt', '<', before),
)
