import type { Tx } from '../database/database.ts'
import { recordEvents } from './record-events.ts'

const STATUS = { created: 'active', enabled: 'active', disabled: 'disabled', deleted: 'deleted' } as const

/** Writes what has become of sub-users, for their agents. */
export function recordSubUserEvents(
  tx: Tx,
  now: Date,
  change: keyof typeof STATUS,
  userIds: readonly number[],
): Promise<void> {
  return recordEvents(
    tx,
    now,
    userIds.map((id) => ({
      type: `sub_user.${change}` as const,
      accountId: id,
      subject: `user ${id}`,
      facts: () => ({ status: STATUS[change] }),
    })),
  )
}
