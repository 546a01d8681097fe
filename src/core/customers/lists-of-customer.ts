import { z } from 'zod'
import { DynamicOrderStatus, OrderType, StaticOrderStatus } from '../../generated/prisma/enums.ts'
import type { Actor } from '../access/actor.ts'
import { literal } from '../database/dialect.ts'
import { readLanguage } from '../database/read-language.ts'
import { LANGUAGES } from '../languages.ts'
import { ENTRY_TYPES } from '../ledger/book-entry.ts'
import { listTransactions, type TransactionPage } from '../records/list-transactions.ts'
import type { Page } from '../page.ts'
import { type Held, type HeldOf, Money, record, Time } from '../record.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { PRODUCT_NAMES } from '../catalog/product-texts.ts'
import type { Translations } from '../translations.ts'

/** The page that is wanted of one of the operator's lists. */
interface Wanted {
  readonly page?: number
  readonly pageSize?: number
}

/** What the command line shows of an order. */
export const ORDER_OF_CUSTOMER = {
  type: z.enum(OrderType),
  orderNo: z.string(),
  status: z.enum({ ...StaticOrderStatus, ...DynamicOrderStatus }),
  totalAmount: Money,
  createdAt: Time,
}
export const OrderOfCustomerRecord = record(ORDER_OF_CUSTOMER)

/** An order of proxies or of traffic in the list of a customer. */
export interface OrderOfCustomer extends Held<typeof ORDER_OF_CUSTOMER> {
  readonly productNames: Translations
}

/** A proxy that a customer has. */
export const ProxyOfCustomerRecord = record({
  instanceNo: z.string(),
  orderNo: z.string(),
  ip: z.string(),
  port: z.int(),
  expireTime: Time,
})

export type ProxyOfCustomer = HeldOf<typeof ProxyOfCustomerRecord>

/** What the command line shows of a chat. */
const CHAT = {
  id: z.int(),
  telegramName: z.string().nullable(),
  personName: z.string().nullable(),
  language: z.enum(LANGUAGES),
  /** The person has blocked the bot. */
  blocked: z.boolean(),
}
export const ChatOfCustomerRecord = record(CHAT)

/** A chat in which an account is logged in. */
export interface ChatOfCustomer extends Held<typeof CHAT> {
  readonly updatedAt: string
}

/** Lists all entries of an account, newest first. */
export function entriesOf(deps: Essentials, actor: Actor, wanted: Wanted = {}): Promise<TransactionPage> {
  return listTransactions(deps, actor, { types: ENTRY_TYPES, userId: actor.id, ...wanted })
}

/** Lists all orders of an account, of proxies and of traffic, newest first. */
export async function ordersOf(
  { db }: Essentials,
  { id }: Actor,
  wanted: Wanted = {},
): Promise<Page<OrderOfCustomer>> {
  const { $kysely } = db.read
  return pageFrom(wanted, (limit, offset) =>
    $kysely
      .selectFrom(
        $kysely
          .selectFrom('staticOrders as o')
          .innerJoin('products as p', 'p.id', 'o.productId')
          .select(literal<OrderType>('static').as('type'))
          .select(['o.orderNo', PRODUCT_NAMES])
          .select(({ ref }) => ref('o.status').$castTo<OrderOfCustomer['status']>().as('status'))
          .select(['o.totalAmount', 'o.createdAt'])
          .where('o.userId', '=', id)
          .unionAll(
            $kysely
              .selectFrom('dynamicOrders as o')
              .innerJoin('products as p', 'p.id', 'o.productId')
              .select(literal<OrderType>('dynamic').as('type'))
              .select(['o.orderNo', PRODUCT_NAMES])
              .select(({ ref }) => ref('o.status').$castTo<OrderOfCustomer['status']>().as('status'))
              .select(['o.totalAmount', 'o.createdAt'])
              .where('o.userId', '=', id),
          )
          .as('all'),
      )
      .selectAll()
      .select(({ fn }) => fn.countAll<number>().over().as('total'))
      .orderBy('createdAt', 'desc')
      .orderBy('orderNo', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  )
}

/** Lists the proxies in use of an account; those that expire first come first. */
export async function proxiesOf(
  { db }: Essentials,
  { id }: Actor,
  wanted: Wanted = {},
): Promise<Page<ProxyOfCustomer>> {
  return pageFrom(wanted, (limit, offset) =>
    db.read.$kysely
      .selectFrom('instances as i')
      .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
      .select(['i.instanceNo', 'o.orderNo', 'i.ip', 'i.port', 'i.expireTime'])
      .select(({ fn }) => fn.countAll<number>().over().as('total'))
      .where('i.userId', '=', id)
      .where('i.status', '=', 'active')
      .orderBy('i.expireTime')
      .orderBy('i.id')
      .limit(limit)
      .offset(offset)
      .execute(),
  )
}

/** Lists the chats in which an account is logged in: at most 50, those changed last first. */
export function chatsOf({ db }: Essentials, { id }: Actor): Promise<ChatOfCustomer[]> {
  return db.read.$kysely
    .selectFrom('logIns as l')
    .innerJoin('chats as c', 'c.id', 'l.chatId')
    .innerJoin('accounts as a', 'a.id', 'l.accountId')
    .select(['c.id', 'c.telegramName', 'c.personName', 'c.blocked', 'c.updatedAt'])
    .select(({ ref }) => readLanguage(ref('c.language')).as('language'))
    .whereRef('l.accountVersion', '=', 'a.tokenVersion')
    .where('l.accountId', '=', id)
    .orderBy('c.updatedAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(50)
    .execute()
}

/** @param read reads the rows of the page, each with the number of all rows */
async function pageFrom<Item>(
  { page = 1, pageSize = 20 }: Wanted,
  read: (limit: number, offset: number) => Promise<(Item & { readonly total: number })[]>,
): Promise<Page<Item>> {
  const rows = await read(pageSize, (page - 1) * pageSize)
  const items = rows.map(({ total: _total, ...item }) => item as Item)
  return { items, total: rows[0]?.total ?? 0, page, pageSize }
}
