import type { Prisma } from '../../generated/prisma/client.ts'
import type { Tx } from '../database/database.ts'

/** How long an agent's news about sub-users are collected. */
export const DIGEST_MS = 60_000

/**
 * Enqueues the delivery of waiting notices: each by itself, those about an agent's sub-users all of a kind together, a
 * minute later.
 *
 * @param which SQL condition on notices `o`
 */
export async function queueDeliveries(tx: Tx, now: Date, which: Prisma.Sql): Promise<void> {
  await tx.$executeRaw`
    INSERT OR IGNORE INTO jobs (kind, key, run_at, created_at)
    SELECT iif(grouped, 'deliver_digest', 'deliver_notice'), iif(grouped, chat_id || ' ' || kind, CAST(id AS TEXT)),
           iif(grouped, ${new Date(now.getTime() + DIGEST_MS)}, ${now}), ${now}
    FROM (SELECT o.id, o.chat_id, o.kind, o.data ->> '$.about' IS NOT NULL AS grouped
          FROM notices o WHERE o.status = 'pending' AND ${which})`
}
