import type { z } from 'zod'
import { ownerOf } from '../accounts/owner.ts'
import { parseInput } from '../errors.ts'
import { carryOutReplacement, replacementEnded } from './carry-out-replacement.ts'
import { expireDueOf } from './expire-instances.ts'
import { openReplacement, readReplacement, ReplacementInput } from './replace-instance.ts'
import { findReplaced, readReplaced } from './replaced-proxy.ts'
import type { Replacement } from './replacement.ts'
import { refuseIrreplaceable } from './replacement-terms.ts'
import type { OrderDeps } from './deps.ts'

const Unasked = ReplacementInput.omit({ requestKey: true })

/**
 * Replaces, for the operator, a proxy that nobody asked to have replaced, whatever its product says (rules 16.4). The customer is told,
 * with the reason.
 *
 * @param input `refund`: where there is no equal proxy, the price of the rest of the term is given back
 * @throws instance_not_found, invalid_state (it is not active), order_processing (it is being replaced or renewed), rate_limited (it
 *   was replaced within the last minute), out_of_stock (no equal proxy, and `refund` is not set), validation_error
 */
export async function replaceUnasked(
  deps: OrderDeps,
  input: z.input<typeof Unasked>,
): Promise<Replacement & { readonly username: string }> {
  const { instanceNo, reason, refund } = parseInput(Unasked, input)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const owner = await ownerOf(tx, { instanceNo })
    const { id, orderId } = await findReplaced(tx, owner, instanceNo)
    await expireDueOf(tx, now, orderId)
    const proxy = await readReplaced(tx, id)
    refuseIrreplaceable(proxy, now)
    const refundAccepted = refund ?? false
    const callerId = owner.id
    const opened = { proxy, callerId, ground: 'none', reason, note: reason, refund: refundAccepted } as const
    const open = await openReplacement(tx, now, opened)
    await carryOutReplacement(deps, tx, proxy, { ...open, refundAccepted, mayRefund: true, operatorId: null })
    const replacement = await readReplacement(tx, open.replacementNo)
    const { replacementNo, status, newIp, newPort, refundAmount } = replacement
    if (status === 'done' || status === 'refunded') {
      const end = { replacementNo, status, newIp, newPort, refund: refundAmount, note: reason }
      replacementEnded(tx, proxy, end)
    }
    return { ...replacement, username: owner.username }
  })
}
