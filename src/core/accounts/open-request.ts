import type { Tx } from '../database/database.ts'
import { literal } from '../database/dialect.ts'

/** Ends the open request for money of an account, if there is one: it needs no answer any more (rules 2.23). */
export async function endOpenRequest(tx: Tx, now: Date, accountId: number): Promise<void> {
  await tx.$kysely
    .updateTable('moneyRequests')
    .set({ status: 'over', endedAt: now })
    .where('accountId', '=', accountId)
    .where('status', '=', literal('open'))
    .execute()
}
