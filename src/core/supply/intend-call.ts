import type { CallKind } from '../../generated/prisma/client.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import type { Micros } from '../money.ts'
import type { SupplierRequest } from './driver.ts'

type WithoutNumber<Request> = Request extends SupplierRequest ? Omit<Request, 'callNo'> : never

/** A request to a supplier that is to be made. */
export interface NewCall {
  /** Our number, at most 32 characters. */
  readonly callNo: string
  readonly connectionId: number
  readonly kind: CallKind
  /** Number of the order, renewal, cancellation, reset or replacement that it is made for. */
  readonly subject: string
  readonly orderId: number
  readonly request: WithoutNumber<SupplierRequest>
  readonly count: number
  readonly expectedCost: Micros
}

/**
 * Writes a request to a supplier in the transaction of its cause; the loop makes it. The known balance at the supplier is lowered
 * by the expected cost.
 */
export async function intendCall(tx: Tx, now: Date, call: NewCall): Promise<void> {
  const { callNo, request, connectionId, expectedCost } = call
  const text = JSON.stringify({ ...request, callNo })
  await insertCall(tx, { ...call, request: text, nextAt: now, createdAt: now, updatedAt: now })
  if (expectedCost > 0) await lowerBalance(tx, { connectionId, expectedCost })
}

const insertCall = compiledInsert('supplierCalls')

const lowerBalance = compiled<{ connectionId: number; expectedCost: Micros }>()(
  (db, { connectionId, expectedCost }) =>
    db
      .updateTable('supplierConnections')
      .set(({ eb }) => ({ balance: eb('balance', '-', expectedCost) }))
      .where('id', '=', connectionId),
)
