import type { z } from 'zod'
import { ownerOf } from '../accounts/owner.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber, numberFor } from '../ids.ts'
import { carryOutReplacement, replacementEnded } from './carry-out-replacement.ts'
import { expireDueOf } from './expire-instances.ts'
import {
  openReplacement,
  readReplacement,
  ReplacementInput,
  replacementNumbered,
} from './replace-instance.ts'
import { findReplaced, readReplaced } from './replaced-proxy.ts'
import type { Replacement } from './replacement.ts'
import { refuseIrreplaceable } from './replacement-terms.ts'
import type { OrderDeps } from './deps.ts'

/**
 * Replaces, for the operator, a proxy that nobody asked to have replaced, whatever its product says (rules 16.4). The customer is told,
 * with the reason.
 *
 * @param input `refund`: where there is no equal proxy, the price of the rest of the term is given back; `requestKey`: a repetition
 *   replaces nothing, and gets the replacement as it is by then
 * @throws instance_not_found, invalid_state (it is not active), order_processing (it is being replaced or renewed), rate_limited (it
 *   was replaced within the last minute), out_of_stock (no equal proxy, and `refund` is not set), idempotency_conflict,
 *   validation_error
 */
export async function replaceUnasked(
  deps: OrderDeps,
  input: z.input<typeof ReplacementInput>,
): Promise<Replacement & { readonly username: string; readonly replayed: boolean }> {
  const { instanceNo, reason, refund, requestKey } = parseInput(ReplacementInput, input)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const replacementNo = requestKey ? numberFor('X', requestKey) : newNumber('X', now)
    const owner = await ownerOf(tx, { instanceNo })
    const { username } = owner
    const before = requestKey ? await replacementNumbered(tx, replacementNo) : undefined
    if (before) {
      if (before.instanceNo !== instanceNo || before.reason !== reason)
        throw new ServiceError('idempotency_conflict', { data: { idempotency_key: requestKey } })
      return { ...before, username, replayed: true }
    }
    const { id, orderId } = await findReplaced(tx, owner, instanceNo)
    await expireDueOf(tx, now, orderId)
    const proxy = await readReplaced(tx, id)
    refuseIrreplaceable(proxy, now)
    const refundAccepted = refund ?? false
    const callerId = owner.id
    const terms = { ground: 'none', reason, note: reason, refund: refundAccepted } as const
    const open = await openReplacement(tx, now, { proxy, callerId, replacementNo, ...terms })
    await carryOutReplacement(deps, tx, proxy, { ...open, refundAccepted, mayRefund: true, operatorId: null })
    const replacement = await readReplacement(tx, replacementNo)
    const { status, newIp, newPort, refundAmount } = replacement
    if (status === 'done' || status === 'refunded') {
      const end = { replacementNo, status, newIp, newPort, refund: refundAmount, note: reason }
      replacementEnded(tx, proxy, end)
    }
    return { ...replacement, username, replayed: false }
  })
}
