import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { carryOutReplacement, endReplacement, replacementEnded } from './carry-out-replacement.ts'
import { expireDueOf } from './expire-instances.ts'
import { readReplacement } from './replace-instance.ts'
import { readReplaced } from './replaced-proxy.ts'
import type { Replacement } from './replacement.ts'
import { refuseWhileRenewed } from './replacement-terms.ts'
import type { OrderDeps } from './deps.ts'

export const DecisionInput = z.object({
  replacementNo: z.string().trim().min(1).max(40),
  allow: z.boolean(),
  /** Note that the customer is shown. */
  note: z.string().trim().max(255).default(''),
  /** Whether to refund the rest of the term where there is no equal proxy, even where the customer did not accept that. */
  refund: z.boolean().default(false),
})

/**
 * Allows or declines, for the operator, a replacement that a customer asked for (rules 5.22). The customer is told.
 *
 * @throws validation_error (no such replacement), invalid_state (it is decided, or the proxy has ended),
 *   order_processing (the proxy is being renewed), out_of_stock (no equal proxy,
 *   and nobody chose the refund)
 */
export async function decideReplacement(
  deps: OrderDeps,
  input: z.input<typeof DecisionInput>,
): Promise<Replacement> {
  const { replacementNo, allow, note, refund } = parseInput(DecisionInput, input)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const wish = await findWish(tx, replacementNo)
    if (wish.status !== 'requested')
      throw new ServiceError('invalid_state', { data: { status: wish.status } })
    await expireDueOf(tx, now, wish.orderId)
    const proxy = await readReplaced(tx, wish.instanceId)
    await setNote(tx, { id: wish.id, note })
    if (!allow) {
      await endReplacement(tx, {
        id: wish.id,
        status: 'declined',
        refundAmount: 0,
        newIp: null,
        newPort: null,
        now,
      })
    } else {
      if (proxy.status !== 'active')
        throw new ServiceError('invalid_state', {
          data: {
            order_no: proxy.orderNo,
            status: wish.status,
            instance_no: proxy.instanceNo,
            instance_status: proxy.status,
          },
        })
      refuseWhileRenewed(proxy)
      await carryOutReplacement(deps, tx, proxy, {
        id: wish.id,
        replacementNo,
        refundAccepted: wish.refundAccepted || refund,
        mayRefund: true,
        operatorId: null,
      })
    }
    const replacement = await readReplacement(tx, replacementNo)
    const { status, newIp, newPort, refundAmount } = replacement
    if (status === 'done' || status === 'refunded' || status === 'declined')
      replacementEnded(tx, proxy, {
        replacementNo,
        status,
        newIp,
        newPort,
        refund: refundAmount,
        note,
      })
    return replacement
  })
}

async function findWish(tx: Tx, replacementNo: string) {
  const [wish] = await ofNumber(tx, { replacementNo })
  if (!wish) throw InvalidInput.of('replacementNo', 'replacement_not_found')
  return wish
}

const ofNumber = compiled<{ replacementNo: string }>()((db, { replacementNo }) =>
  db
    .selectFrom('replacements')
    .select(['id', 'status', 'orderId', 'instanceId', 'refundAccepted'])
    .where('replacementNo', '=', replacementNo),
)

const setNote = compiled<{ id: number; note: string }>()((db, { id, note }) =>
  db.updateTable('replacements').set({ note }).where('id', '=', id),
)
