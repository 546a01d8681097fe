import type { CallState } from '../../generated/prisma/client.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import type { Micros } from '../money.ts'
import type { Ended, SupplierInstance } from './driver.ts'

/** What came of a call that has ended. */
export interface Outcome {
  readonly callNo: string
  readonly state: CallState
  readonly reason: string | null
  readonly cost: Micros | null
  readonly providerOrderNo: string | null
  /** The proxies as the supplier has them now; none when it refused. */
  readonly instances: readonly SupplierInstance[]
  readonly orderId: number
}

/**
 * Reads what came of the call for a subject.
 *
 * @param subject number of the order, renewal, reset or replacement that it was made for
 * @returns undefined while it has not ended
 */
export async function readOutcome(db: Queryable, subject: string): Promise<Outcome | undefined> {
  const [call] = await endedCall(db, { subject })
  if (!call) return undefined
  const { result, ...outcome } = call
  return { ...outcome, instances: result?.instances ?? [] }
}

const endedCall = compiled<{ subject: string }>()((db, { subject }) =>
  db
    .selectFrom('supplierCalls as c')
    .select(['c.callNo', 'c.state', 'c.reason', 'c.cost', 'c.providerOrderNo', 'c.orderId'])
    .select(({ ref }) => parsed<Ended>(ref('c.result')).as('result'))
    .where('c.subject', '=', subject)
    .where('c.state', 'in', ['settled', 'refused'])
    .orderBy('c.id', 'desc')
    .limit(1),
)

/** Forgets what a call delivered, in the transaction that hands it over: it holds credentials. */
export async function clearResult(tx: Tx, callNo: string): Promise<void> {
  await forget(tx, { callNo })
}

const forget = compiled<{ callNo: string }>()((db, { callNo }) =>
  db.updateTable('supplierCalls').set({ result: null }).where('callNo', '=', callNo),
)
