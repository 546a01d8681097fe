import { compiledByShape } from '../database/compiled.ts'
import { isFalse, isTrue, shifted } from '../database/dialect.ts'
import { readSetting, writeSetting } from '../database/settings.ts'
import { type Outlook, renewalOutlook } from './upcoming-renewals.ts'
import { happened } from '../facts/happened.ts'
import type { FactOf } from '../facts/facts.ts'
import type { Essentials } from '../jobs/essentials.ts'

const HOUR_MS = 60 * 60_000
/**
 * Warnings, each given from `hours` to `until` hours before the expiry: the first is dropped once the second is due. `paidWithin`: only
 * for proxies that were bought or renewed less than this number of hours before they expire, which the other warnings leave out.
 */
const WARNINGS = [
  { name: 'expiring_72h', kind: 'expiring_72h', hours: 72, until: 24, paidWithin: undefined },
  { name: 'expiring_24h', kind: 'expiring_24h', hours: 24, until: 0, paidWithin: undefined },
  { name: 'expiring_3h', kind: 'expiring_24h', hours: 3, until: 0, paidWithin: 24 },
] as const
type Warning = (typeof WARNINGS)[number]

/**
 * Sweep of the loop: warns users of proxies that expire in 72 and in 24 hours. Proxies that renew themselves are left out while the
 * balance covers it, and so are proxies that were bought or renewed (even if the supplier has not answered yet) less than 72 or 24 hours
 * before they expire; of proxies with a term of a day, users are warned 3 hours before.
 */
export async function warnOfExpiry(deps: Essentials): Promise<void> {
  for (const warning of WARNINGS) await warn(deps, warning)
}

async function warn(deps: Essentials, warning: Warning): Promise<void> {
  const now = deps.clock.now()
  const until = new Date(now.getTime() + warning.hours * HOUR_MS)
  // Name of the setting that holds the expiry time up to which warnings have been given.
  const mark = `${warning.name} until`
  const seen = await readSetting(deps, mark)
  const from = new Date(
    Math.max(now.getTime() + warning.until * HOUR_MS, seen === undefined ? 0 : Date.parse(seen)),
  )
  if (from >= until) return
  const warnings: FactOf<'proxies.expiring'>[] = []
  const outlooks = new Map<number, Outlook>()
  const shortfallOf = async (userId: number, expireTime: string) => {
    const outlook =
      outlooks.get(userId) ??
      (await renewalOutlook(deps.db.read, now, userId, {
        after: now.toISOString(),
        until: until.toISOString(),
      }))
    outlooks.set(userId, outlook)
    return outlook.shortfallUpTo(expireTime)
  }
  for (const { orderNo, userId, expireTime, renewing, ending } of await findExpiring(
    deps.db.read,
    { hours: warning.hours, paidWithin: warning.paidWithin },
    { from: from.toISOString(), until: until.toISOString() },
  )) {
    const shortfall = renewing > 0 ? await shortfallOf(userId, expireTime) : undefined
    const count = ending + (shortfall === undefined ? 0 : renewing)
    if (count === 0) continue
    warnings.push({
      kind: 'proxies.expiring',
      warning: warning.kind,
      userId,
      orderNo,
      count,
      expireTime,
      ...(shortfall !== undefined && { shortfall }),
    })
  }
  // While there is nobody to warn, the mark is written once an hour only: what lies beyond it is checked again next time.
  if (warnings.length === 0 && seen !== undefined && until.getTime() - Date.parse(seen) < HOUR_MS) return
  await deps.db.write(async (tx) => {
    happened(tx, ...warnings)
    await writeSetting(tx, mark, until.toISOString())
  })
}

/** Proxies of one order that expire at the same time: how many renew themselves, and how many do not. */
const findExpiring = compiledByShape<
  { hours: number; paidWithin: number | undefined },
  { from: string; until: string }
>()((db, { hours, paidWithin }, { from, until }) =>
  db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .select(['o.orderNo', 'o.userId', 'i.expireTime'])
    .select(({ fn, ref }) => [
      fn
        .countAll<number>()
        .filterWhere(isTrue(ref('i.autoRenew')))
        .as('renewing'),
      fn
        .countAll<number>()
        .filterWhere(isFalse(ref('i.autoRenew')))
        .as('ending'),
    ])
    .where('i.status', '=', 'active')
    .where('i.expireTime', '>', from)
    .where('i.expireTime', '<=', until)
    .where(({ eb, and, fn, ref, selectFrom }) => {
      const renewed = selectFrom('renewedInstances as n')
        .innerJoin('renewals as r', 'r.id', 'n.renewalId')
        .select((renewal) => renewal.fn.max('r.createdAt').as('last'))
        .whereRef('n.instanceId', '=', 'i.id')
        .where('n.failed', '=', false)
      const paid = fn.coalesce(renewed, 'i.openedAt')
      const before = (by: number) => shifted(ref('i.expireTime'), -by * HOUR_MS)
      return and([
        eb(before(hours), '>', paid),
        ...(paidWithin === undefined ? [] : [eb(before(paidWithin), '<=', paid)]),
      ])
    })
    .groupBy(['o.id', 'o.orderNo', 'o.userId', 'i.expireTime'])
    .orderBy('o.id')
    .orderBy('i.expireTime'),
)
