import { compiled } from '../database/compiled.ts'
import { ASKED } from './asked-checks.ts'
import { noteAskedCheck } from './asked-once.ts'
import { probeAndRecord } from './check-proxy.ts'
import { proxyAsItIs, type ProxyInUse } from './proxy-of.ts'
import { firstCheckAt } from './verdict.ts'
import type { CheckDeps } from './deps.ts'

/** Maximum number of proxies that are checked at the same time. */
const AT_ONCE = 20
/** Maximum number of due proxies that one statement reads, and of proxies of which one transaction clears the time. */
const BATCH = 500
/** Ids that one statement covers when it looks for proxies without a time of their first check. */
const SPAN = 5_000

/**
 * Makes the runner of checks that somebody waits for (rules 5.20), beside the regular ones. What is due is read from the database, so
 * a kill loses at most the checks under way, which are made again.
 */
export function askedChecks(deps: CheckDeps) {
  return {
    /** Checks what was asked for, until nothing is left. */
    run: () =>
      checkAll(
        deps,
        () => findAsked(deps.db.read, {}),
        ({ id }) => noteAskedCheck(deps, id),
      ),
  }
}

/**
 * Makes the runner of the regular checks of proxies (rules 5.20): each about every 6 hours, and sooner after a failure. What is due is
 * read from the database, too.
 */
export function dueChecks(deps: CheckDeps) {
  let scheduledTo = 0
  let cleared = false

  /** Sets the time of the first check of proxies that have none; looks only at ids above the last one seen. */
  async function schedule(): Promise<void> {
    for (;;) {
      const [last] = await lastId(deps.db.read, {})
      const to = Math.min(scheduledTo + SPAN, last?.id ?? 0)
      if (to <= scheduledTo) return
      const found = await findUnscheduled(deps.db.read, { from: scheduledTo, to })
      if (found.length > 0) {
        const now = deps.clock.now()
        await deps.db.write(async (tx) => {
          for (const { id } of found) await setFirstCheck(tx, { id, nextCheckAt: firstCheckAt(now) })
        })
      }
      scheduledTo = to
    }
  }

  /** Clears the times of regular checks where these were switched off: only failing proxies are checked on, until there is a verdict. */
  async function clear(): Promise<void> {
    if (cleared) return
    while ((await deps.db.write((tx) => dropTimes(tx, {}))).length === BATCH);
    cleared = true
  }

  return {
    /** Checks what is due, until nothing is. */
    run: async (): Promise<void> => {
      const { checks } = deps
      if (!checks) return
      await (checks.regular ? schedule() : clear())
      await checkAll(deps, () => findDue(deps.db.read, { now: deps.clock.now().toISOString() }))
    },
  }
}

/**
 * Checks the proxies that `find` returns, until it returns none.
 *
 * @param before called when a proxy is about to be checked
 */
async function checkAll(
  deps: CheckDeps,
  find: () => Promise<readonly { readonly id: number }[]>,
  before: (proxy: ProxyInUse) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { checks } = deps
  if (!checks) return
  for (;;) {
    const found = await find()
    if (found.length === 0) return
    const left = found.values()
    const work = async () => {
      for (const { id } of left) {
        const proxy = await proxyAsItIs(deps.db.read, id)
        if (!proxy) continue
        await before(proxy)
        await probeAndRecord(deps, checks, proxy)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
}

const lastId = compiled<object>()((db) =>
  db.selectFrom('instances').select('id').orderBy('id', 'desc').limit(1),
)

const findUnscheduled = compiled<{ from: number; to: number }>()((db, { from, to }) =>
  db
    .selectFrom('instances')
    .select('id')
    .where('id', '>', from)
    .where('id', '<=', to)
    .where('status', '=', 'active')
    .where('nextCheckAt', 'is', null)
    .orderBy('id'),
)

const setFirstCheck = compiled<{ id: number; nextCheckAt: string }>()((db, { id, nextCheckAt }) =>
  db.updateTable('instances').set({ nextCheckAt }).where('id', '=', id).where('nextCheckAt', 'is', null),
)

const dropTimes = compiled<object>()((db) =>
  db
    .updateTable('instances')
    .set({ nextCheckAt: null })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('instances')
        .select('id')
        .where('status', '=', 'active')
        .where('nextCheckAt', '>', ASKED)
        .where('failures', '=', 0)
        .limit(BATCH),
    )
    .returning('id'),
)

const findDue = compiled<{ now: string }>()((db, { now }) =>
  db
    .selectFrom('instances')
    .select('id')
    .where('status', '=', 'active')
    .where('nextCheckAt', 'is not', null)
    .where('nextCheckAt', '>', ASKED)
    .where('nextCheckAt', '<=', now)
    .orderBy('nextCheckAt')
    .limit(BATCH),
)

const findAsked = compiled<object>()((db) =>
  db
    .selectFrom('instances')
    .select('id')
    .where('status', '=', 'active')
    .where('nextCheckAt', 'is not', null)
    .where('nextCheckAt', '=', ASKED)
    .limit(AT_ONCE * 5),
)
