import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { allOf, literal, shifted } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { happened } from '../facts/happened.ts'

/** Distance in ms that scans must be past a block time before it counts as read. */
const READ_PAST_MS = 120_000

const eb = expressionBuilder<DB, 'topUps'>()

/**
 * For the job loop and each scan: expires top-ups whose time is over, and releases the amounts whose grace period is over and whose
 * blocks have all been read (rules 8.11). A payment between the expiry and the end of the grace period is still credited.
 */
export async function expireTopUps(deps: Essentials): Promise<void> {
  const now = deps.clock.now()
  const due = expiredBy(now)
  const free = releasableBy(now)
  const some = await deps.db.read.$kysely
    .selectFrom('topUps')
    .select('id')
    .where(due)
    .unionAll(({ selectFrom }) => selectFrom('topUps').select('id').where(free))
    .limit(1)
    .executeTakeFirst()
  if (!some) return
  await deps.db.write(async (tx) => {
    const expired = await tx.$kysely
      .updateTable('topUps')
      .set({ status: 'expired', updatedAt: now })
      .where(due)
      .returning(['orderNo', 'userId'])
      .execute()
    happened(tx, ...expired.map((topUp) => ({ kind: 'top_up.expired' as const, ...topUp })))
    await tx.$kysely.updateTable('topUps').set({ releasedAt: now }).where(free).execute()
  })
}

/** Condition: the top-up has to expire. */
function expiredBy(now: Date) {
  return allOf([eb('status', '=', literal('pending')), eb('expiresAt', '<=', now.toISOString())])
}

/** Condition: the grace period is over, and all blocks in which a payment could be have been read. */
function releasableBy(now: Date) {
  const scanned = eb
    .selectFrom('chainScans as s')
    .select(({ ref }) => shifted(ref('s.watermark'), -READ_PAST_MS).as('until'))
    .whereRef('s.network', '=', 'topUps.network')
    .whereRef('s.wallet', '=', 'topUps.wallet')
    .whereRef('s.contract', '=', 'topUps.contract')
  return allOf([
    eb('releasedAt', 'is', null),
    eb('matchUntil', '<=', new Date(now.getTime() - READ_PAST_MS).toISOString()),
    eb('matchUntil', '<=', scanned),
  ])
}
