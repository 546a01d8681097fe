import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { announce, type News } from '../notices/announce.ts'
import { readSetting, writeSetting } from '../settings.ts'
import { type Outlook, renewalOutlook } from './upcoming-renewals.ts'

const HOUR_MS = 60 * 60_000
/** Long before the end, and shortly before it: the first warning is not given any more when it is time for the second. */
const WARNINGS = [
  { kind: 'expiring_72h', hours: 72, until: 24 },
  { kind: 'expiring_24h', hours: 24, until: 0 },
] as const
type Warning = (typeof WARNINGS)[number]

/** Proxies of one order that expire at the same time. */
interface Expiring {
  readonly orderNo: string
  readonly userId: number
  readonly expireTime: string
  /** How many renew themselves, and how many do not. */
  readonly renewing: number
  readonly ending: number
}

/**
 * Of the loop: warns people of proxies that expire in 72 and in 24 hours. What renews itself is left out as long as the
 * balance pays for it, and so is what was bought or renewed for less than the warning would be early.
 */
export async function warnOfExpiry(deps: CoreDeps): Promise<void> {
  for (const warning of WARNINGS) await warn(deps, warning)
}

async function warn(deps: CoreDeps, warning: Warning): Promise<void> {
  const now = deps.clock.now()
  const until = new Date(now.getTime() + warning.hours * HOUR_MS)
  // The expiry times up to here have been looked at.
  const mark = `${warning.kind} until`
  const seen = await readSetting(deps, mark)
  const from = new Date(
    Math.max(now.getTime() + warning.until * HOUR_MS, seen === undefined ? 0 : Date.parse(seen)),
  )
  if (from >= until) return
  const news: News[] = []
  const outlooks = new Map<number, Outlook>()
  const shortfallOf = async (userId: number, expireTime: string) => {
    const outlook =
      outlooks.get(userId) ?? (await renewalOutlook(deps.db.read, now, userId, { after: now, until }))
    outlooks.set(userId, outlook)
    return outlook.shortfallUpTo(expireTime)
  }
  for (const { orderNo, userId, expireTime, renewing, ending } of await expiring(
    deps,
    warning,
    from,
    until,
  )) {
    const shortfall = renewing > 0 ? await shortfallOf(userId, expireTime) : undefined
    const count = ending + (shortfall === undefined ? 0 : renewing)
    if (count === 0) continue
    news.push({
      accountIds: [userId],
      kind: warning.kind,
      subject: `${orderNo} ${expireTime}`,
      data: { orderNo, count, expireTime, ...(shortfall === undefined ? {} : { shortfall }) },
    })
  }
  // What lies beyond the mark is looked at next time: while nobody has to be warned, it need not move each time.
  if (news.length === 0 && seen !== undefined && until.getTime() - Date.parse(seen) < HOUR_MS) return
  await deps.db.write(async (tx) => {
    await announce(deps, tx, news)
    await writeSetting(tx, mark, until.toISOString())
  })
  if (news.length > 0) deps.jobs.wake()
}

function expiring(deps: CoreDeps, { hours }: Warning, from: Date, until: Date): Promise<Expiring[]> {
  return selectJson<Expiring>(
    deps.db.read,
    Prisma.sql`
      SELECT json_object('orderNo', o.order_no, 'userId', o.user_id, 'expireTime', i.expire_time,
                         'renewing', sum(i.auto_renew), 'ending', sum(NOT i.auto_renew)) AS json
      FROM instances i JOIN static_orders o ON o.id = i.order_id
      WHERE i.status = 'active' AND i.expire_time > ${from} AND i.expire_time <= ${until}
        AND strftime('%Y-%m-%dT%H:%M:%fZ', i.expire_time, ${`-${hours} hours`}) > coalesce(
          (SELECT max(r.created_at) FROM renewed_instances n JOIN renewals r ON r.id = n.renewal_id WHERE n.instance_id = i.id),
          i.opened_at)
      GROUP BY o.id, i.expire_time`,
  )
}
