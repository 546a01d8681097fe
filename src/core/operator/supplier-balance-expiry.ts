import { daysAgo, dayOf } from '../calendar-day.ts'
import { isAnybodyTold } from '../notices/concerns.ts'
import { type ConnectionOverview, listConnections } from '../supply/list-connections.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** How near the end of a balance is. */
export type Expiry = 'soon' | 'over'

/**
 * Sweep of the job loop: tells the operator that the balance at a supplier expires within the days of the connection's alarm, and
 * again when it has expired; each once for a date (rules 11.16).
 */
export async function tellExpiringSupplierBalance(deps: Essentials): Promise<void> {
  if (!(await isAnybodyTold(deps))) return
  const now = deps.clock.now()
  for (const connection of await listConnections(deps)) {
    const { id, name, status, balance, balanceExpiresOn: expiresOn, expiryTold } = connection
    const expiry = expiryOf(connection, now)
    if (status === 'paused' || expiresOn === null || !expiry) continue
    const told = `${expiresOn} ${expiry}`
    if (expiryTold === told) continue
    await deps.db.write(async (tx) => {
      const changed = await tx.$kysely
        .updateTable('supplierConnections')
        .set({ expiryTold: told })
        .where('id', '=', id)
        .where('balanceExpiresOn', '=', expiresOn)
        .where(({ or, eb }) => or([eb('expiryTold', 'is', null), eb('expiryTold', '<>', told)]))
        .returning('id')
        .executeTakeFirst()
      if (!changed) return
      happened(tx, {
        kind: 'supplier_balance_expires',
        subject: `${name} ${now.toISOString()}`,
        data: { connection: name, balance, expiresOn, over: expiry === 'over' },
      })
    })
  }
}

/** Returns how near the end of a balance is; undefined while it is far. Days are in UTC; the last day counts as a whole. */
export function expiryOf(
  { balanceExpiresOn, alarmDays }: Pick<ConnectionOverview, 'balanceExpiresOn' | 'alarmDays'>,
  now: Date,
): Expiry | undefined {
  if (balanceExpiresOn === null) return undefined
  if (balanceExpiresOn < dayOf(now)) return 'over'
  return alarmDays > 0 && balanceExpiresOn <= daysAgo(now, -alarmDays) ? 'soon' : undefined
}
