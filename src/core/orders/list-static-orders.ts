import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Role } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { type Places, placesLike } from '../catalog/places-like.ts'
import { IS_DEAD } from '../checks/health.ts'
import { compiledByShape, type Placeholders } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { ALWAYS, listOf, literal, rowsAsJson, rowsOf, type ValueOf } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { UpdatedSince } from '../updated-since.ts'
import { idsOfNumbers } from './find-static-order.ts'
import {
  ordersOfProxies,
  ordersWithPart,
  parseSearch,
  type PastedProxy,
  SEARCH_LIMITS,
  searchLines,
} from './search-static-orders.ts'
import {
  EMBEDDED_INSTANCES,
  INSTANCE_STATUSES,
  isOf,
  isShown,
  ORDER_STATUSES,
  type OrderStatus,
  selectStaticOrders,
  type Showing,
  type StaticOrder,
} from './static-order.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Business filters of the list (rules 5.12). */
export const ORDER_FILTERS = [
  'all',
  'processing',
  'active',
  'dead',
  'expiring',
  'expired',
  'failed',
  'recycle',
] as const
/** Days within which a proxy of an order of the filter `expiring` expires. */
const EXPIRING_DAYS = 7
/** Proxies per statement; other requests are served between the statements. */
const INSTANCES_AT_ONCE = 250

export const StaticOrderFilter = z
  .object({
    ...paging,
    status: z.enum(ORDER_STATUSES).optional(),
    filter: z.enum(ORDER_FILTERS).default('all'),
    /** Order number or application order number (rules 4.6). */
    orderNo: z.string().max(64).optional(),
    userId: z.int().positive().optional(),
    /** See {@link parseSearch}. */
    search: z
      .string()
      .max(SEARCH_LIMITS.characters)
      .refine((text) => searchLines(text) <= SEARCH_LIMITS.lines, { error: 'too_many_lines' })
      .optional(),
    /** Code of a country, state or city, or a part of the name of a country or city in any language. */
    region: z.string().max(64).optional(),
    /** Both days included. */
    createdStart: calendarDay.optional(),
    createdEnd: calendarDay.optional(),
    expireStart: calendarDay.optional(),
    expireEnd: calendarDay.optional(),
    updatedSince: UpdatedSince.optional(),
    /** Whether an ordinary user also sees its expired and released proxies; an agent always does. */
    showRecycleBin: z.boolean().default(false),
  })
  .refine(({ createdStart, createdEnd }) => inOrder({ startDate: createdStart, endDate: createdEnd }), {
    path: ['created_end'],
    error: 'ends_before_it_starts',
  })
  .refine(({ expireStart, expireEnd }) => inOrder({ startDate: expireStart, endDate: expireEnd }), {
    path: ['expire_end'],
    error: 'ends_before_it_starts',
  })

/**
 * Lists the orders that the actor may see, newest first, with their proxies (rules 5.12, 5.17): with all of them when one order is
 * found by its number, else with the first {@link EMBEDDED_INSTANCES} of each. The filters for proxies (search, region, expiry)
 * apply to the proxies that are shown: the recycle bin of an ordinary user (expired and released proxies) only on demand.
 */
export async function listStaticOrders(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof StaticOrderFilter> = {},
): Promise<Page<StaticOrder>> {
  const { page, pageSize, ...filter } = parseInput(StaticOrderFilter, input)
  const showing = shownBy(actor, filter)
  const wanted = await wantedBy(db.read, actor, clock.now(), filter)
  const [{ total, found } = { total: 0, found: [] }] = await findPage(
    db.read,
    { role: actor.role, filter: filter.filter, showing },
    { ...wanted, pageSize, offset: (page - 1) * pageSize },
  )
  const most = filter.orderNo !== undefined && found.length === 1 ? undefined : EMBEDDED_INSTANCES
  const items: StaticOrder[] = []
  for (const some of inPieces(found.toReversed(), INSTANCES_AT_ONCE, ({ successCount }) =>
    Math.min(successCount, most ?? successCount),
  )) {
    if (items.length > 0) await nextTurn()
    items.push(...(await readOrders(db.read, { showing, most }, { ids: some.map(({ id }) => id) })))
  }
  return { items, total, page, pageSize }
}

/** Reads orders with one statement, so that an order and its proxies belong to the same moment. */
const readOrders = compiledByShape<
  { showing: Showing; most: number | undefined },
  { ids: readonly number[] }
>()((db, { showing, most }, { ids }) =>
  selectStaticOrders(db, showing, most).where('o.id', 'in', listOf(ids)).orderBy('o.id', 'desc'),
)

type Filter = Omit<z.output<typeof StaticOrderFilter>, 'page' | 'pageSize'>

/** Returns which proxies the actor is shown. */
function shownBy(actor: Actor, { filter, showRecycleBin }: Filter): Showing {
  if (filter === 'recycle') return 'recycle'
  return actor.role === 'agent' || showRecycleBin ? 'all' : 'active'
}

interface Shape {
  readonly role: Role
  readonly filter: Filter['filter']
  readonly showing: Showing
}

/** Values of the filter; undefined means any. */
interface Wanted {
  readonly actorId: number
  readonly userId: number | undefined
  readonly status: OrderStatus | undefined
  /** Proxies that expire up to this time expire soon. */
  readonly soon: string
  /** Order numbers or application order numbers. */
  readonly numbers: readonly string[] | undefined
  /** Ids of the orders that contain the searched text. */
  readonly withPart: readonly number[] | undefined
  /** An order must have one of the pasted proxies, or one of the pasted numbers. */
  readonly pasted: readonly PastedProxy[] | undefined
  readonly pastedNumbers: readonly string[] | undefined
  readonly countries: readonly string[] | undefined
  readonly cities: readonly string[] | undefined
  readonly places: readonly PlaceCodes[] | undefined
  readonly createdFrom: string | undefined
  readonly createdBefore: string | undefined
  readonly expireFrom: string | undefined
  readonly expireBefore: string | undefined
  readonly updatedSince: string | undefined
}

interface PlaceCodes {
  readonly country: string
  readonly state: string
  readonly city: string
}

async function wantedBy(db: Readable, actor: Actor, now: Date, filter: Filter): Promise<Wanted> {
  const { userId, status, orderNo } = filter
  const region = filter.region?.trim()
  const { countries, cities, places }: Partial<Places> = region ? await placesLike(db, region) : {}
  const { part, proxies, numbers } = (filter.search !== undefined && parseSearch(filter.search)) || {}
  const [createdFrom, createdBefore] = days(filter.createdStart, filter.createdEnd)
  const [expireFrom, expireBefore] = days(filter.expireStart, filter.expireEnd)
  const scope = { role: actor.role, showing: shownBy(actor, filter), actorId: actor.id, userId }
  return {
    actorId: actor.id,
    userId,
    status,
    soon: soonFrom(now),
    numbers: orderNo ? [orderNo] : undefined,
    withPart: part === undefined ? undefined : await ordersWithPart(db, part, scope),
    pasted: proxies?.length ? proxies : undefined,
    pastedNumbers: numbers?.length ? numbers : undefined,
    countries,
    cities,
    places: places?.map(([country, state, city]) => ({ country, state, city })),
    createdFrom,
    createdBefore,
    expireFrom,
    expireBefore,
    updatedSince: filter.updatedSince,
  }
}

/** Returns the time up to which proxies count as expiring soon. */
export function soonFrom(now: Date): string {
  return new Date(now.getTime() + EXPIRING_DAYS * 86_400_000).toISOString()
}

/** Returns the span from one day to another, both included; empty when neither is given. */
function days(start?: string, end?: string): [from: string, before: string] | [] {
  return start || end ? [start ?? '0000', endOf(end ?? '9999-12-31')] : []
}

const findPage = compiledByShape<Shape, Wanted & { pageSize: number; offset: number }>()((db, shape, value) =>
  db
    .with(
      // Materialized, the places are looked up once, not for each order.
      (cte) => (value.places ? cte('found').materialized() : cte('found').notMaterialized()),
      (query) => query.selectFrom('staticOrders as o').select('o.id').where(orderConditions(shape, value)),
    )
    .selectNoFrom(({ selectFrom, fn }) => {
      const page = selectFrom('found')
        .select('found.id')
        .orderBy('found.id', 'desc')
        .limit(value.pageSize)
        .offset(value.offset)
      const orders = selectFrom('staticOrders').select(['id', 'successCount']).where('id', 'in', page)
      return [
        selectFrom('found').select(fn.countAll<number>().as('number')).$asScalar().$notNull().as('total'),
        rowsAsJson(orders, 'id').as('found'),
      ]
    }),
)

const { eb, ref, and, or, refTuple, selectFrom } = expressionBuilder<
  DB & { o: DB['staticOrders']; i: DB['instances'] },
  'o' | 'i'
>()

function orderConditions({ role, filter, showing }: Shape, value: Placeholders<Wanted>) {
  const { actorId, userId, status, soon, numbers, withPart, pasted, pastedNumbers } = value
  const { countries, cities, places, createdFrom, createdBefore, expireFrom, expireBefore, updatedSince } =
    value
  const scope = { role, actorId, userId }
  const visible = and([isOf(scope, ref('i.userId')), isShown(showing, ref('i.status'))])
  const withInstance = (condition: Expression<SqlBool>) =>
    eb('o.id', 'in', selectFrom('instances as i').select('i.orderId').where(visible).where(condition))
  return and([
    isOf(scope, ref('o.userId')),
    ...(status ? [eb('o.status', '=', status)] : []),
    ...(updatedSince ? [eb('o.updatedAt', '>=', updatedSince)] : []),
    businessFilter(filter, withInstance, soon),
    ...(numbers ? [eb('o.id', 'in', idsOfNumbers(numbers))] : []),
    ...(withPart ? [eb('o.id', 'in', listOf(withPart))] : []),
    ...(pasted || pastedNumbers
      ? [
          or([
            ...(pasted ? [eb('o.id', 'in', ordersOfProxies(pasted, visible))] : []),
            ...(pastedNumbers ? [eb('o.id', 'in', idsOfNumbers(pastedNumbers))] : []),
          ]),
        ]
      : []),
    ...(countries && cities && places
      ? [
          or([
            // The place that the order asked for, so that it is also found while it has no proxies.
            eb('o.countryCode', 'in', listOf(countries)),
            eb('o.cityCode', 'in', listOf(cities)),
            withInstance(isIn(places)),
          ]),
        ]
      : []),
    ...(createdFrom && createdBefore
      ? [eb('o.createdAt', '>=', createdFrom), eb('o.createdAt', '<', createdBefore)]
      : []),
    ...(expireFrom && expireBefore ? [withInstance(expires(expireFrom, expireBefore))] : []),
  ])
}

function businessFilter(
  filter: Filter['filter'],
  withInstance: (condition: Expression<SqlBool>) => Expression<SqlBool>,
  soon: Expression<string>,
): Expression<SqlBool> {
  switch (filter) {
    case 'all':
      return ALWAYS
    case 'active':
      return eb('o.status', 'in', ['active', 'partial'])
    case 'processing':
    case 'expired':
    case 'failed':
      return eb('o.status', '=', filter)
    case 'dead':
      return withInstance(IS_DEAD)
    case 'expiring':
      return withInstance(expiresSoon(soon))
    case 'recycle':
      return withInstance(ALWAYS)
  }
}

/** Condition on proxies `i`: active, and expiring up to the time of {@link soonFrom}. */
export function expiresSoon(soon: ValueOf<string>): Expression<SqlBool> {
  return and([eb('i.status', '=', literal('active')), eb('i.expireTime', '<=', soon)])
}

/** Condition on proxies `i`. It names every status so that SQLite can use the index of user, status and expiry time. */
function expires(from: Expression<string>, before: Expression<string>): Expression<SqlBool> {
  return and([
    eb('i.status', 'in', INSTANCE_STATUSES),
    eb('i.expireTime', '>=', from),
    eb('i.expireTime', '<', before),
  ])
}

function isIn(places: Expression<readonly PlaceCodes[]>): Expression<SqlBool> {
  const codes = selectFrom(rowsOf(places, { country: 'text', state: 'text', city: 'text' }, 'place'))
    .select(['place.country', 'place.state', 'place.city'])
    .$asTuple('country', 'state', 'city')
  return eb(refTuple('i.countryCode', 'i.state', 'i.cityCode'), 'in', codes)
}
