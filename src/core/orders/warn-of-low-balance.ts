import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { announce, type News } from '../notices/announce.ts'
import { renewalOutlook } from './upcoming-renewals.ts'

/** How far ahead the balance should go. */
const DAYS = 7

/**
 * Of the loop: warns people whose balance does not pay for what renews itself within the next week; for each day from which
 * it is short, once.
 */
export async function warnOfLowBalance(deps: CoreDeps): Promise<void> {
  const now = deps.clock.now()
  const span = { after: now, until: new Date(now.getTime() + DAYS * 24 * 60 * 60_000) }
  const users = await selectJson<number>(
    deps.db.read,
    Prisma.sql`
      SELECT CAST(u.id AS TEXT) AS json FROM accounts u
      WHERE u.status = 'active' AND EXISTS (SELECT 1 FROM chats c WHERE c.account_id IN (u.id, u.agent_id)) AND u.id IN (
        SELECT i.user_id FROM instances i WHERE i.status = 'active' AND i.auto_renew = 1
          AND i.expire_time > ${span.after} AND i.expire_time <= ${span.until})`,
  )
  const news: News[] = []
  for (const userId of users) {
    const { balance, needed, unpaidFrom } = await renewalOutlook(deps.db.read, now, userId, span)
    if (unpaidFrom === undefined) continue
    news.push({
      accountIds: [userId],
      kind: 'low_balance',
      subject: `${userId} ${unpaidFrom.slice(0, 10)}`,
      data: { balance, needed, until: unpaidFrom },
    })
  }
  if (news.length === 0) return
  await deps.db.write((tx) => announce(deps, tx, news))
  deps.jobs.wake()
}
