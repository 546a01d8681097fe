import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { EventTypeOf } from './events.ts'
import { recordEvents } from './record-events.ts'

/** Writes events of top-ups, with each top-up as it stands in the open transaction. */
export function recordTopUpEvents(
  tx: Tx,
  now: Date,
  type: EventTypeOf<'top_up'>,
  topUps: readonly { readonly orderNo: string; readonly userId: number }[],
): Promise<void> {
  return recordEvents(
    tx,
    now,
    topUps.map(({ orderNo, userId }) => ({
      type,
      accountId: userId,
      subject: orderNo,
      facts: async () => {
        const [topUp] = await topUpOf(tx, { orderNo })
        if (!topUp) throw new Error(`there is no top-up ${orderNo}`)
        return topUp
      },
    })),
  )
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
