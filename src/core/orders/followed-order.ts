import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import type { Essentials } from '../essentials.ts'

const ORDER = 'order:'

/** The value of `follows` for a screen that waits for the proxies of an order, or for a renewal of them (rules 18.8). */
export function followedOrder(orderNo: string): string {
  return `${ORDER}${orderNo}`
}

/** The order that a screen waits for; undefined when it follows something else. */
export function orderNoOfFollowed(follows: string): string | undefined {
  return follows.startsWith(ORDER) ? follows.slice(ORDER.length) : undefined
}

/** Enqueues a refresh of the screens that wait for these orders, in the transaction that ended the wait. */
export async function refreshScreensOfOrders(
  { jobs }: Pick<Essentials, 'jobs'>,
  tx: Tx,
  orderNos: readonly string[],
): Promise<void> {
  const followed = await findFollowed(tx, { follows: orderNos.map(followedOrder) })
  for (const { follows } of followed) await jobs.enqueue(tx, 'refresh_screens', { follows, state: 'ended' })
}

const findFollowed = compiled<{ follows: readonly string[] }>()((db, { follows }) =>
  db
    .selectFrom('chats')
    .select('follows')
    .distinct()
    .where('follows', 'in', listOf(follows))
    .$narrowType<{ follows: string }>(),
)

/** Whether nothing about the order is under way any more: it may have ended before a chat began to follow it. */
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
