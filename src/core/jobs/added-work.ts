import type { Database, INBOX, Tx } from '../database/database.ts'
import type { JobGroupName } from './job-groups.ts'

/** What loops work on: groups of jobs, and rows of other tables. */
export type Work =
  | JobGroupName
  | 'supplier_calls'
  | 'webhook_deliveries'
  | 'chain'
  | 'agent_bots'
  | typeof INBOX

/** Notes that the open transaction adds work: its commit wakes the loop that does it, on whichever server that runs. */
export function addsWork(tx: Tx, work: Work): void {
  tx.$added.add(work)
}

/**
 * Calls a function after each commit that added some work, of this process or of another server; commits of commands on SQLite are not
 * heard.
 *
 * @returns a function that ends this
 */
export function onWork(
  db: Pick<Database, 'onCommit' | 'cluster'>,
  work: Work,
  listener: () => void,
): () => void {
  const heard = (added?: ReadonlySet<string>) => {
    if (added?.has(work) ?? true) listener()
  }
  const ends = [db.onCommit(heard), db.cluster?.onElsewhere(heard)]
  return () => {
    for (const end of ends) end?.()
  }
}
