import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { keepSetting, writeSetting } from '../database/settings.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

const MINUTE_MS = 60_000
/** Age in ms up to which checks count as made at once. */
const AT_ONCE_MS = 15 * MINUTE_MS
/** Minimum number of checked proxies of a supplier from which an incident can be told. */
const LEAST_CHECKED = 10
/** Percentage of failing among checked proxies above which the fault is the supplier's. */
const MOST_FAILING_PERCENT = 20
/** Time in ms without a paused verdict after which the next one is another incident. */
const OVER_MS = 60 * MINUTE_MS
/** Number of the latest checks that are looked at. */
const LOOKED_AT = 5_000

/**
 * Tells whether so many proxies of a supplier fail at once that none of them is condemned (rules 5.21), those that were checked before
 * their delivery included. The operator is told once for each incident.
 */
export async function isIncident(deps: Essentials, tx: Tx, supplier: string): Promise<boolean> {
  const now = deps.clock.now()
  const since = new Date(now.getTime() - AT_ONCE_MS).toISOString()
  const counts = [
    ...(await countFailing(tx, { supplier, since })),
    ...(await countUndelivered(tx, { supplier, since })),
  ]
  const checked = counts.reduce((sum, count) => sum + count.checked, 0)
  const failing = counts.reduce((sum, count) => sum + count.failing, 0)
  if (checked < LEAST_CHECKED || failing * 100 <= checked * MOST_FAILING_PERCENT) return false
  const key = `incident ${supplier}`
  const last = await keepSetting(tx, key, '')
  await writeSetting(tx, key, now.toISOString())
  if (last === '' || now.getTime() - Date.parse(last) > OVER_MS) {
    happened(tx, {
      kind: 'supplier_incident',
      subject: `${supplier} ${now.toISOString()}`,
      data: { supplier, checked, failing },
    })
  }
  return true
}

const countFailing = compiled<{ supplier: string; since: string }>()((db, { supplier, since }) =>
  db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(({ fn, eb, lit }) => [
      fn.countAll<number>().as('checked'),
      fn
        .coalesce(fn.sum<number>(eb.case().when('i.failures', '>', 0).then(1).else(0).end()), lit(0))
        .as('failing'),
    ])
    .where('i.status', '=', 'active')
    // Proxies that are known to be dead already do not count.
    .where(({ eb, or }) => or([eb('i.verdict', 'is', null), eb('i.verdict', '<>', 'dead')]))
    .where('p.supplier', '=', supplier)
    .where('i.id', 'in', ({ selectFrom }) =>
      selectFrom('proxyChecks as c')
        .select('c.instanceId')
        .where('c.checkedAt', '>=', since)
        .where('c.id', '>', ({ selectFrom: from }) =>
          from('proxyChecks').select(({ fn, eb, lit }) => eb(fn.max('id'), '-', lit(LOOKED_AT)).as('first')),
        ),
    ),
)

/** Counts the proxies that were checked before their delivery. */
const countUndelivered = compiled<{ supplier: string; since: string }>()((db, { supplier, since }) =>
  db
    .selectFrom('deliveryChecks')
    .select(({ fn, lit }) => [
      fn.coalesce(fn.sum<number>('checked'), lit(0)).as('checked'),
      fn.coalesce(fn.sum<number>('failing'), lit(0)).as('failing'),
    ])
    .where('startedAt', '>=', since)
    .where('supplier', '=', supplier),
)
