import type { CoreDeps } from '../deps.ts'
import { InvalidInput, ServiceError } from '../errors.ts'

/** What the operator found out about a request in doubt: the supplier's number of it, or that the supplier has none. */
export type Resolution = { readonly found: string } | { readonly absent: true }

/**
 * The operator decides what became of a request in doubt: it is looked up by the supplier's number, or counts as refused.
 *
 * @throws validation_error (call), invalid_state
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
    if (call.state !== 'in_doubt') throw new ServiceError('invalid_state', { data: { status: call.state } })
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
