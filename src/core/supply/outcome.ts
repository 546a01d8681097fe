import { compiled } from '../database/compiled.ts'
import type { Readable, Tx } from '../database/database.ts'
import { literal, parsed } from '../database/dialect.ts'
import type { Micros } from '../money.ts'
import type { SupplierInstance } from './driver.ts'

/** The outcome of a call. */
export interface CallOutcome {
  readonly callNo: string
  readonly state: 'settled' | 'refused'
  /** Human-readable reason why some or all proxies are missing. */
  readonly reason: string | null
  /** What the supplier charged (negative: gave back), in the account currency. */
  readonly cost: Micros | null
  readonly providerOrderNo: string | null
  /** What the supplier delivered; empty after it was handed over. */
  readonly instances: readonly SupplierInstance[]
  readonly orderId: number
}

/** What the column `result` holds. */
export interface CallResult {
  readonly instances: readonly SupplierInstance[]
}

/**
 * Reads the outcome of the call for a subject (the number of an order, a renewal, a cancellation or a replacement).
 *
 * @returns undefined while there is none
 */
export async function readOutcome(db: Readable, subject: string): Promise<CallOutcome | undefined> {
  const [call] = await endedCall(db, { subject })
  if (!call) return undefined
  const { result, ...outcome } = call
  return { ...outcome, instances: result?.instances ?? [] }
}

const endedCall = compiled<{ subject: string }>()((db, { subject }) =>
  db
    .selectFrom('supplierCalls')
    .select(['callNo', 'state', 'reason', 'cost', 'providerOrderNo', 'orderId'])
    .select(({ ref }) => parsed<CallResult>(ref('result')).as('result'))
    .where('subject', '=', subject)
    .where('state', 'in', [literal('settled' as const), literal('refused' as const)])
    .$narrowType<{ state: CallOutcome['state'] }>()
    .orderBy('id', 'desc')
    .limit(1),
)

/** Deletes what a call delivered, in the transaction that hands it over: credentials are kept in one place. */
export async function clearResult(tx: Tx, callNo: string): Promise<void> {
  await deleteResult(tx, { callNo })
}

const deleteResult = compiled<{ callNo: string }>()((db, { callNo }) =>
  db.updateTable('supplierCalls').set({ result: null }).where('callNo', '=', callNo),
)
