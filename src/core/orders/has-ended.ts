import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { literal } from '../database/dialect.ts'

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

/** Returns whether no renewal of the account's proxies waits for a supplier. */
export async function haveRenewalsEnded(tx: Tx, userId: number): Promise<boolean> {
  return (await findOpenRenewal(tx, { userId })).length === 0
}

const findOpenRenewal = compiled<{ userId: number }>()((db, { userId }) =>
  db
    .selectFrom('renewals as r')
    .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
    .select('r.id')
    .where('o.userId', '=', userId)
    .where('r.status', '=', literal('processing'))
    .limit(1),
)
