import type { CoreDeps } from '../deps.ts'
import { InvalidInput } from '../errors.ts'

/** What the operator found out about a request in doubt: the supplier's number of it, or that the supplier has none. */
export type Resolution = { readonly found: string } | { readonly absent: true }

/**
 * The operator decides what became of a request in doubt: it is looked up by the supplier's number, or counts as refused.
 *
 * @throws validation_error when there is no such call, or nothing about it is in doubt
 */
export async function resolveCall(deps: CoreDeps, callNo: string, resolution: Resolution): Promise<void> {
  const now = deps.clock.now()
  await deps.db.write(async (tx) => {
    const call = await tx.$kysely
      .selectFrom('supplierCalls')
      .select(['id', 'kind', 'subject', 'state'])
      .where('callNo', '=', callNo)
      .executeTakeFirst()
    if (!call) throw InvalidInput.of('call', 'no_such_call')
    if (call.state === 'settled' || call.state === 'refused') throw InvalidInput.of('call', 'call_has_ended')
    if (call.state !== 'in_doubt') throw InvalidInput.of('call', 'call_is_not_in_doubt')
    if ('found' in resolution && !/^\S{1,64}$/.test(resolution.found))
      throw InvalidInput.of('found', 'not_a_number_of_the_supplier')
    await tx.$kysely
      .updateTable('supplierCalls')
      .set(
        'found' in resolution
          ? { state: 'accepted', providerOrderNo: resolution.found, nextAt: now, updatedAt: now }
          : {
              state: 'refused',
              reason: 'resolved by the operator',
              result: JSON.stringify({ status: 'ended', instances: [] }),
              nextAt: null,
              updatedAt: now,
            },
      )
      .where('id', '=', call.id)
      .execute()
    if (!('found' in resolution) && call.kind === 'open' && !call.subject.startsWith('X'))
      await deps.jobs.enqueue(tx, 'complete_static_order', call.subject)
  })
  deps.jobs.wake()
}
