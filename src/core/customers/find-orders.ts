import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { OrderType } from '../../generated/prisma/client.ts'
import type { Readable } from '../database/database.ts'
import { beginsWith } from '../database/dialect.ts'
import { idsOfNumbers } from '../orders/find-static-order.ts'
import { type HeldOf, record } from '../record.ts'
import { ORDER_OF_CUSTOMER } from './lists-of-customer.ts'

const { type, orderNo, status, createdAt } = ORDER_OF_CUSTOMER

/** An order of proxies or of traffic. */
export const FoundOrderRecord = record({
  kind: z.literal('order'),
  type,
  orderNo,
  username: z.string(),
  status,
  createdAt,
})
export type FoundOrder = HeldOf<typeof FoundOrderRecord>

const MOST = 10

type Order = { readonly orderNo: Expression<string>; readonly id: Expression<number> }

/** Finds orders by their number, that of the application, or that of an entry, renewal, replacement, refund or release. */
export function ordersNumbered(db: Readable, text: string): Promise<FoundOrder[]> {
  const { eb, or, selectFrom } = expressionBuilder<DB>()
  const number = text.toUpperCase()
  const ofOrders = selectFrom('renewals')
    .select('orderId')
    .where('renewOrderNo', '=', number)
    .unionAll(selectFrom('replacements').select('orderId').where('replacementNo', '=', number))
    .unionAll(selectFrom('cancellations').select('orderId').where('cancelNo', '=', number))
    .unionAll(
      selectFrom('refunds')
        .select((refund) => refund.ref('orderId').$notNull().as('orderId'))
        .where('refundNo', '=', number)
        .where('orderId', 'is not', null),
    )
  const ofEntry = selectFrom('ledgerEntries')
    .select((entry) => entry.ref('orderNo').$notNull().as('orderNo'))
    .where('transactionNo', '=', number)
    .where('orderNo', 'is not', null)
  return ordersThat(db, {
    static: ({ id, orderNo }) =>
      or([eb(id, 'in', idsOfNumbers([text, number])), eb(id, 'in', ofOrders), eb(orderNo, 'in', ofEntry)]),
    dynamic: ({ id, orderNo }) =>
      or([
        eb(orderNo, 'in', [text, number]),
        eb(orderNo, 'in', ofEntry),
        eb(id, 'in', selectFrom('dynamicOrders').select('id').where('appOrderNo', '=', text)),
        eb(
          id,
          'in',
          selectFrom('refunds')
            .select((refund) => refund.ref('dynamicOrderId').$notNull().as('id'))
            .where('refundNo', '=', number)
            .where('dynamicOrderId', 'is not', null),
        ),
      ]),
  })
}

/** Finds orders whose number begins with the text. */
export async function ordersLike(db: Readable, text: string): Promise<FoundOrder[]> {
  const number = text.toUpperCase()
  if (!/^[A-Z]\d/.test(number)) return []
  const begins = ({ orderNo }: Order) => beginsWith(orderNo, number)
  return ordersThat(db, { static: begins, dynamic: begins })
}

async function ordersThat(
  { $kysely }: Readable,
  that: { readonly [Type in OrderType]: (order: Order) => Expression<SqlBool> },
): Promise<FoundOrder[]> {
  const proxies = await $kysely
    .selectFrom('staticOrders as o')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .select(['o.orderNo', 'u.username', 'o.status', 'o.createdAt'])
    .where(({ ref }) => that.static({ orderNo: ref('o.orderNo'), id: ref('o.id') }))
    .orderBy('o.id', 'desc')
    .limit(MOST)
    .execute()
  const traffic = await $kysely
    .selectFrom('dynamicOrders as o')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .select(['o.orderNo', 'u.username', 'o.status', 'o.createdAt'])
    .where(({ ref }) => that.dynamic({ orderNo: ref('o.orderNo'), id: ref('o.id') }))
    .orderBy('o.id', 'desc')
    .limit(MOST)
    .execute()
  return [
    ...proxies.map((order) => ({ kind: 'order' as const, type: 'static' as const, ...order })),
    ...traffic.map((order) => ({ kind: 'order' as const, type: 'dynamic' as const, ...order })),
  ]
}
