import type { CallKind } from '../../generated/prisma/client.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import type { SupplierRequest } from './driver.ts'
import { addsWork } from '../jobs/added-work.ts'

type WithoutNumber<Request> = Request extends SupplierRequest ? Omit<Request, 'callNo'> : never

/** A request to a supplier that is to be made after the commit. */
export interface NewCall {
  /** Our number, the idempotency key at the supplier; at most 32 characters. */
  readonly callNo: string
  readonly connectionId: number
  readonly kind: CallKind
  /** What it is made for: the number of an order, a renewal, a cancellation or a replacement. */
  readonly subject: string
  readonly orderId: number
  readonly request: WithoutNumber<SupplierRequest>
  /** Number of proxies that the request is about. */
  readonly count: number
  /** Expected total cost in the account currency; 0 where the request costs nothing. */
  readonly expectedCost: Micros
}

/**
 * Writes a call into the transaction of its cause (rules 11.10), and counts its cost against the balance of the connection. The row
 * is what makes the lane of the connection send it after the commit.
 *
 * @throws out_of_stock where the account at the supplier does not cover what is to be bought
 */
export async function intendCall(tx: Tx, now: Date, call: NewCall): Promise<void> {
  const { connectionId, expectedCost, kind, count } = call
  const times = { nextAt: now, createdAt: now, updatedAt: now }
  await insertCall(tx, { ...call, request: JSON.stringify(call.request), ...times })
  addsWork(tx, 'supplier_calls')
  if (expectedCost === 0) return
  const mustCover = kind === 'open'
  const lowered = await lowerBalance(tx, { mustCover }, { connectionId, expectedCost })
  if (mustCover && lowered.length === 0)
    throw new ServiceError('out_of_stock', { data: { requested: count, available: 0 } })
}

const insertCall = compiledInsert('supplierCalls')

const lowerBalance = compiledByShape<
  { mustCover: boolean },
  { connectionId: number; expectedCost: Micros }
>()((db, { mustCover }, { connectionId, expectedCost }) =>
  db
    .updateTable('supplierConnections')
    .set(({ eb }) => ({ balance: eb('balance', '-', expectedCost) }))
    .where('id', '=', connectionId)
    .where(({ and, eb }) => and(mustCover ? [eb('balance', '>=', expectedCost)] : []))
    .returning('id'),
)

/**
 * Takes proxies from the stock of an offer, in the open transaction.
 *
 * @returns false when the stock is smaller; nothing is taken then
 */
export async function claimOffer(
  tx: Tx,
  claim: { readonly offerId: number; readonly count: number },
): Promise<boolean> {
  return (await lowerStock(tx, claim)).length > 0
}

const lowerStock = compiled<{ offerId: number; count: number }>()((db, { offerId, count }) =>
  db
    .updateTable('supplierOffers')
    .set(({ eb }) => ({ stock: eb('stock', '-', count) }))
    .where('id', '=', offerId)
    .where('stock', '>=', count)
    .returning('id'),
)
