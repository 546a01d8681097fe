import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import type { EventTypeOf, FactsOf } from './events.ts'
import type { NewEvent } from './record-events.ts'

/** Makes an event of an order, static or dynamic, with the order as it stands at the end of the transaction. */
export function orderEvent(
  type: EventTypeOf<'order'>,
  { orderNo, userId }: { readonly orderNo: string; readonly userId: number },
): NewEvent {
  return { type, accountId: userId, subject: orderNo, facts: (db) => orderFacts(db, orderNo) }
}

async function orderFacts(db: Readable, orderNo: string): Promise<FactsOf<EventTypeOf<'order'>>> {
  const [proxies] = await staticOrder(db, { orderNo })
  if (proxies) {
    const { bought, renewed, ...order } = proxies
    return { orderType: 'static', ...order, bytes: null, amount: bought + renewed }
  }
  const [traffic] = await dynamicOrder(db, { orderNo })
  if (!traffic) throw new Error(`there is no order ${orderNo}`)
  return { orderType: 'dynamic', ...traffic, ordered: null, delivered: null, expireTime: null }
}

const staticOrder = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('staticOrders as o')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(['o.orderNo', 'o.appOrderNo', 'p.productNo', 'o.status', 'o.expireTime'])
    .select(['o.ipCount as ordered', 'o.successCount as delivered', 'o.refundedAmount as refunded'])
    .select(['o.totalAmount as bought', 'o.renewedAmount as renewed'])
    .where('o.orderNo', '=', orderNo),
)

const dynamicOrder = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('dynamicOrders as o')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(['o.orderNo', 'o.appOrderNo', 'p.productNo', 'o.status'])
    .select(['o.trafficBytes as bytes', 'o.totalAmount as amount'])
    .select(({ fn, lit, selectFrom }) =>
      fn
        .coalesce(
          selectFrom('refunds as g')
            .select((refund) => refund.fn.sum<number>('g.amount').as('amount'))
            .whereRef('g.dynamicOrderId', '=', 'o.id'),
          lit(0),
        )
        .as('refunded'),
    )
    .where('o.orderNo', '=', orderNo),
)
