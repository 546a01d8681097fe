import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import { announce } from '../notices/announce.ts'
import { refreshScreens } from './refresh-screens.ts'

/** The chain counts as read up to a block time when the scan is so far past it. */
const READ_PAST_MS = 120_000

/**
 * Of the loop: expires top-ups whose time is over, and frees the amounts whose grace is over and whose blocks have all been read
 * (rules 8.11). A payment that comes later than the expiry and within the grace is still credited.
 */
export async function expireTopUps(deps: Essentials): Promise<void> {
  const now = deps.clock.now()
  const due = Prisma.sql`status = 'pending' AND expires_at <= ${now}`
  const read = new Date(now.getTime() - READ_PAST_MS)
  const free = Prisma.sql`released_at IS NULL AND match_until <= ${read} AND match_until <= (
    SELECT strftime('%Y-%m-%dT%H:%M:%fZ', s.watermark, ${`-${READ_PAST_MS / 1000} seconds`}) FROM chain_scans s
    WHERE s.wallet = top_ups.wallet AND s.contract = top_ups.contract)`
  const [some] = await deps.db.read.$queryRaw<unknown[]>`
    SELECT 1 FROM top_ups WHERE ${due} UNION ALL SELECT 1 FROM top_ups WHERE ${free} LIMIT 1`
  if (!some) return
  await deps.db.write(async (tx) => {
    const expired = await selectJson<{ orderNo: string; userId: number }>(
      tx,
      Prisma.sql`UPDATE top_ups SET status = 'expired', updated_at = ${now} WHERE ${due}
                 RETURNING json_object('orderNo', order_no, 'userId', user_id) AS json`,
    )
    await announce(
      deps,
      tx,
      expired.map(({ orderNo, userId }) => ({
        accountIds: [userId],
        kind: 'top_up_expired',
        subject: orderNo,
      })),
    )
    for (const { orderNo } of expired) await refreshScreens(deps, tx, orderNo, 'expired')
    await tx.$executeRaw`UPDATE top_ups SET released_at = ${now}, updated_at = ${now} WHERE ${free}`
  })
  deps.jobs.wake()
}
