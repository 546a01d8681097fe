import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'

/** Returns whether neither the order nor a renewal of it is processing: it may have ended before a chat began to follow it. */
export async function hasEnded(tx: Tx, orderNo: string): Promise<boolean> {
  return (await findWaiting(tx, { orderNo })).length === 0
}

const findWaiting = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('staticOrders as o')
    .select('o.id')
    .where('o.orderNo', '=', orderNo)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('o.status', '=', 'processing'),
        exists(
          selectFrom('renewals as r')
            .select('r.id')
            .whereRef('r.orderId', '=', 'o.id')
            .where('r.status', '=', 'processing'),
        ),
      ]),
    ),
)
