import { isAnybodyTold } from '../notices/concerns.ts'
import { type ConnectionOverview, listConnections } from '../supply/list-connections.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Hysteresis in days: a forecast, which moves with each order, has recovered when it is above the alarm by this. */
const RECOVERED_DAYS = 1

/**
 * Sweep of the job loop: tells the operator that the balance at a supplier is below the alarm of the connection, or lasts for fewer
 * days than the alarm names; once, until both have recovered.
 */
export async function tellLowSupplierBalance(deps: Essentials): Promise<void> {
  if (!(await isAnybodyTold(deps))) return
  for (const connection of await listConnections(deps)) {
    const { id, name, balance, daysLeft, alarmed } = connection
    if (connection.status === 'paused' || balance === null) continue
    if (alarmed ? !hasRecovered(connection) : !isLow(connection)) continue
    await deps.db.write(async (tx) => {
      const changed = await tx.$kysely
        .updateTable('supplierConnections')
        .set({ alarmed: !alarmed })
        .where('id', '=', id)
        .where('alarmed', '=', alarmed)
        .returning('id')
        .executeTakeFirst()
      if (!changed || alarmed) return
      happened(tx, {
        kind: 'supplier_balance_low',
        subject: `${name} ${deps.clock.now().toISOString()}`,
        data: { connection: name, balance, daysLeft },
      })
    })
  }
}

function isLow({ balance, daysLeft, alarmBalance, alarmDays }: ConnectionOverview): boolean {
  return (balance ?? 0) < alarmBalance || (daysLeft !== null && daysLeft < alarmDays)
}

function hasRecovered({ balance, daysLeft, alarmBalance, alarmDays }: ConnectionOverview): boolean {
  const days = alarmDays === 0 ? 0 : alarmDays + RECOVERED_DAYS
  return (balance ?? 0) >= alarmBalance && (daysLeft === null || daysLeft >= days)
}
