import type { Readable } from '../database/database.ts'
import { parsed } from '../database/dialect.ts'
import { InvalidInput } from '../errors.ts'
import type { SupplierRequest } from './driver.ts'
import { endCall } from './end-call.ts'
import { addsWork } from '../jobs/added-work.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** The reason of a refusal that the operator, and not the supplier, has stated. */
export const FOUND_ABSENT = 'the operator found that the supplier does not have it'

/** What the operator has found out about a call: the supplier's number of it, or that the supplier does not have it. */
export type Resolution = { readonly found: string } | { readonly absent: true }

export interface ResolvedCall {
  readonly callNo: string
  readonly orderNo: string
  /** `accepted`: the outcome is looked up under the supplier's number from now on. */
  readonly state: 'accepted' | 'refused'
}

/**
 * Applies the operator's decision about a call in doubt (rules 11.10). A call that was not sent yet can be declared absent, too, and
 * is then never sent.
 *
 * @throws validation_error when there is no such call, it has ended, or its state does not allow the decision
 */
export async function resolveCall(
  deps: Essentials,
  callNo: string,
  resolution: Resolution,
): Promise<ResolvedCall> {
  return deps.db.write(async (tx): Promise<ResolvedCall> => {
    const { state, ...call } = await readCall(tx, callNo)
    const { orderNo } = call
    if (state === 'settled' || state === 'refused') throw InvalidInput.of('call', 'call_has_ended')
    if ('absent' in resolution) {
      if (state !== 'in_doubt' && state !== 'intended') throw InvalidInput.of('call', 'call_is_not_in_doubt')
      await endCall(deps, tx, call, { status: 'refused', reason: 'other', message: FOUND_ABSENT })
      return { callNo, orderNo, state: 'refused' }
    }
    if (state === 'intended') throw InvalidInput.of('call', 'call_was_not_sent')
    const providerOrderNo = resolution.found.trim()
    if (!/^\S{1,64}$/.test(providerOrderNo)) throw InvalidInput.of('found', 'not_a_number_of_the_supplier')
    const now = deps.clock.now()
    await tx.$kysely
      .updateTable('supplierCalls')
      .set({ state: 'accepted', providerOrderNo, absentSince: null, nextAt: now, updatedAt: now })
      .where('id', '=', call.id)
      .execute()
    addsWork(tx, 'supplier_calls')
    return { callNo, orderNo, state: 'accepted' }
  })
}

async function readCall(db: Readable, callNo: string) {
  const call = await db.$kysely
    .selectFrom('supplierCalls as c')
    .innerJoin('supplierConnections as s', 's.id', 'c.connectionId')
    .innerJoin('staticOrders as o', 'o.id', 'c.orderId')
    .select(['c.id', 'c.callNo', 'c.connectionId', 'c.kind', 'c.state', 'c.subject', 'c.count'])
    .select(['c.expectedCost', 'c.sentAt', 's.name as connection', 's.rate', 'o.orderNo'])
    .select(({ ref }) => parsed<SupplierRequest>(ref('c.request')).as('request'))
    .where('c.callNo', '=', callNo)
    .executeTakeFirst()
  if (!call) throw InvalidInput.of('call', 'no_such_call')
  return { ...call, request: { ...call.request, callNo } }
}
