import { z } from 'zod'
import { expressionBuilder, type NotNull } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { DynamicOrderStatus, type Role } from '../../generated/prisma/enums.ts'
import { type Actor, maySee } from '../access/actor.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { POOLS } from '../catalog/product.ts'
import { PRODUCT_NAMES } from '../catalog/product-texts.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { contains, jsonText, rowsAsJson, type ValueOf } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { LANGUAGES } from '../languages.ts'
import { type Page, paging } from '../page.ts'
import { type Held, Money, Time, Traffic } from '../record.ts'
import type { Translations } from '../translations.ts'
import { UpdatedSince } from '../updated-since.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const DYNAMIC_ORDER_STATUSES = Object.values(DynamicOrderStatus)
export type { DynamicOrderStatus }

/** Fields shown of a dynamic order (rules 6.3). */
export const DYNAMIC_ORDER = {
  id: z.int(),
  orderNo: z.string(),
  appOrderNo: z.string(),
  userId: z.int().meta({ description: 'Who pays and owns the traffic' }),
  username: z.string(),
  agentId: z.int().nullable(),
  productNo: z.string().meta({ description: 'Product number' }),
  pool: z.string().meta({ description: 'Pool of the product' }),
  proxyType: z.int(),
  trafficBytes: Traffic,
  usedBytes: Traffic.meta({ description: 'In GB; the oldest order is used up first' }),
  remainingBytes: Traffic,
  unitPrice: Money.meta({ description: 'Per GB' }),
  discount: Money.meta({ description: 'What a promotion code took off; 0 without one' }),
  promoCode: z.string().nullable(),
  totalAmount: Money.meta({ description: 'What was paid, after the discount' }),
  status: z.enum(DYNAMIC_ORDER_STATUSES).meta({ description: '`exhausted`: its traffic is used up' }),
  remark: z.string(),
  createdAt: Time,
  updatedAt: Time,
}

export interface DynamicOrder extends Held<typeof DYNAMIC_ORDER> {
  readonly productNames: Translations
}

/** Query of {@link DynamicOrder}s: `dynamicOrders` as `o`, with product `p` and user `u`. */
function selectOrders(db: Queryable['$kysely']) {
  return db
    .selectFrom('dynamicOrders as o')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .select(['o.id', 'o.orderNo', 'o.appOrderNo', 'o.userId', 'u.username', 'u.agentId', 'p.productNo'])
    .select([PRODUCT_NAMES, 'p.pool', 'p.proxyType'])
    .select(['o.trafficBytes', 'o.usedBytes', 'o.unitPrice', 'o.totalAmount', 'o.status', 'o.remark'])
    .select(['o.discount', 'o.promoCode', 'o.createdAt', 'o.updatedAt'])
    .select(({ eb, ref }) => eb('o.trafficBytes', '-', ref('o.usedBytes')).as('remainingBytes'))
    .$narrowType<{ pool: NotNull }>()
}

export const DynamicOrderFilter = z
  .object({
    ...paging,
    userId: z.int().positive().optional(),
    /** Part of the name of the user who owns the traffic. */
    username: z.string().max(64).optional(),
    /** Order number or application order number (rules 4.6). */
    orderNo: z.string().max(64).optional(),
    pool: z.enum(POOLS).optional(),
    status: z.enum(DYNAMIC_ORDER_STATUSES).optional(),
    /** Both days included. */
    startDate: calendarDay.optional(),
    endDate: calendarDay.optional(),
    updatedSince: UpdatedSince.optional(),
    /** Part of a remark, order number, product number, product name or username. */
    keyword: z.string().max(200).optional(),
  })
  .refine(inOrder, { path: ['end_date'], error: 'ends_before_it_starts' })

/** Lists the dynamic orders that the actor may see, newest first (rules 6.3). */
export async function listDynamicOrders(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof DynamicOrderFilter> = {},
): Promise<Page<DynamicOrder>> {
  const { page, pageSize, ...filter } = parseInput(DynamicOrderFilter, input)
  const { userId, username, orderNo, pool, status, startDate, endDate, updatedSince, keyword } = filter
  const found = selectOrders(db.read.$kysely).where(({ and, or, eb, ref }) =>
    and([
      maySee(actor, ref('o.userId')),
      ...(userId ? [eb('o.userId', '=', userId)] : []),
      ...(username ? [contains(ref('u.username'), username)] : []),
      ...(orderNo ? [eb('o.id', 'in', idsOfNumber(orderNo))] : []),
      ...(pool ? [eb('p.pool', '=', pool)] : []),
      ...(status ? [eb('o.status', '=', status)] : []),
      ...(startDate ? [eb('o.createdAt', '>=', startDate)] : []),
      ...(endDate ? [eb('o.createdAt', '<', endOf(endDate))] : []),
      ...(updatedSince ? [eb('o.updatedAt', '>=', updatedSince)] : []),
      ...(keyword
        ? [
            or([
              ...KEYWORD_COLUMNS.map((column) => contains(ref(column), keyword)),
              ...LANGUAGES.map((language) => contains(jsonText(ref('p.names'), language), keyword)),
            ]),
          ]
        : []),
    ]),
  )
  const ofPage = found
    .orderBy('o.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  // One statement for count and rows, so that they belong to the same moment.
  const [row] = await db.read.$kysely
    .selectNoFrom(({ fn }) => [
      found.clearSelect().select(fn.countAll<number>().as('number')).$asScalar().$notNull().as('total'),
      rowsAsJson(ofPage, 'id').as('items'),
    ])
    .execute()
  return { items: row?.items.toReversed() ?? [], total: row?.total ?? 0, page, pageSize }
}

/** Beside the names of the product. */
const KEYWORD_COLUMNS = ['o.remark', 'o.orderNo', 'o.appOrderNo', 'p.productNo', 'u.username'] as const

/** Identifies an order: by its id, its order number or its application order number. */
type DynamicOrderKey = { readonly id: number } | { readonly orderNo: string }

/**
 * Returns a dynamic order (rules 4.6, 6.3). Application order numbers are unique per caller only: where an agent and its sub-users
 * used the same one, the order that the actor placed comes first, then the newest.
 *
 * @throws order_not_found, also when it is somebody else's
 */
export async function getDynamicOrder(
  { db }: Essentials,
  actor: Actor,
  key: DynamicOrderKey,
): Promise<DynamicOrder> {
  const { role, id: actorId } = actor
  const [order] =
    'id' in key
      ? await orderOfId(db.read, { role }, { actorId, id: key.id })
      : await orderOfNumber(db.read, { role }, { actorId, orderNo: key.orderNo })
  if (!order) throw new ServiceError('order_not_found')
  return order
}

const orderOfId = compiledByShape<{ role: Role }, { actorId: number; id: number }>()(
  (db, { role }, { actorId, id }) =>
    selectOrders(db)
      .where('o.id', '=', id)
      .where(({ ref }) => maySee({ role, id: actorId }, ref('o.userId'))),
)

const orderOfNumber = compiledByShape<{ role: Role }, { actorId: number; orderNo: string }>()(
  (db, { role }, { actorId, orderNo }) =>
    selectOrders(db)
      .where('o.id', 'in', idsOfNumber(orderNo))
      .where(({ ref }) => maySee({ role, id: actorId }, ref('o.userId')))
      .orderBy(({ eb }) => eb('o.orderNo', '=', orderNo), 'desc')
      .orderBy(({ eb }) => eb('o.callerId', '=', actorId), 'desc')
      .orderBy('o.id', 'desc')
      .limit(1),
)

/** Query of the ids of orders by order number or application order number; it uses the index of each. */
function idsOfNumber(number: ValueOf<string>) {
  const ids = expressionBuilder<DB>().selectFrom('dynamicOrders').select('id')
  return ids.where('orderNo', '=', number).unionAll(ids.where('appOrderNo', '=', number))
}

/** Reads an order that must exist, without a check of access. */
export async function readDynamicOrder(db: Readable, orderNo: string): Promise<DynamicOrder> {
  const [order] = await orderWithNumber(db, { orderNo })
  if (!order) throw new Error(`order ${orderNo} does not exist`)
  return order
}

const orderWithNumber = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  selectOrders(db).where('o.orderNo', '=', orderNo),
)
