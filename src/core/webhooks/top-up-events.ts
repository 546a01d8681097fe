import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { EventTypeOf } from './events.ts'
import type { NewEvent } from './record-events.ts'

/** Makes an event of a top-up, with the top-up as it stands at the end of the transaction. */
export function topUpEvent(
  type: EventTypeOf<'top_up'>,
  { orderNo, userId }: { readonly orderNo: string; readonly userId: number },
): NewEvent {
  const facts = async (tx: Tx) => {
    const [topUp] = await topUpOf(tx, { orderNo })
    if (!topUp) throw new Error(`there is no top-up ${orderNo}`)
    return topUp
  }
  return { type, accountId: userId, subject: orderNo, facts }
}

const topUpOf = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('topUps')
    .select([
      'orderNo',
      'clientOrderNo',
      'status',
      'amountUnits',
      'payUnits',
      'creditAmount as credit',
      'late',
    ])
    .where('orderNo', '=', orderNo),
)
