import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { type Places, placesLike } from '../catalog/places-like.ts'
import { type Readable, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { idsOfNumbers } from './find-static-order.ts'
import {
  matches,
  ordersWithPart,
  parseSearch,
  type Search,
  SEARCH_LIMITS,
  searchLines,
} from './search-static-orders.ts'
import {
  EMBEDDED_INSTANCES,
  INSTANCE_STATUSES,
  ORDER_STATUSES,
  orderJson,
  type StaticOrder,
} from './static-order.ts'

/** What the console's tabs show (rules 5.12). */
export const ORDER_FILTERS = [
  'all',
  'processing',
  'active',
  'expiring',
  'expired',
  'failed',
  'recycle',
] as const
/** What `expiring` means. */
const EXPIRING_DAYS = 7
/** Proxies that are read at once; in between others get their turn. */
const INSTANCES_AT_ONCE = 250

export const StaticOrderFilter = z
  .object({
    ...paging,
    status: z.enum(ORDER_STATUSES).optional(),
    filter: z.enum(ORDER_FILTERS).default('all'),
    /** Finds an order by its own or its application's number (rules 4.6). */
    orderNo: z.string().max(64).optional(),
    userId: z.int().positive().optional(),
    /** See {@link parseSearch}. */
    search: z
      .string()
      .max(SEARCH_LIMITS.characters)
      .refine((text) => searchLines(text) <= SEARCH_LIMITS.lines, { error: 'too_many_lines' })
      .optional(),
    /** Code of a country, state or city, or a part of the name of a country or city in either language. */
    region: z.string().max(64).optional(),
    /** Both days included. */
    createdStart: calendarDay.optional(),
    createdEnd: calendarDay.optional(),
    expireStart: calendarDay.optional(),
    expireEnd: calendarDay.optional(),
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
 * Orders that the actor may see, newest first, with their proxies (rules 5.12, 5.17): with all of them when
 * one order is asked for by its number, else with the first {@link EMBEDDED_INSTANCES} of each. What is asked of proxies (search, region, expiry) is asked of those that the actor sees: an ordinary user's recycle bin, its expired and
 * released proxies, is shown and searched only on demand.
 */
export async function listStaticOrders(
  { db, clock }: CoreDeps,
  actor: Actor,
  input: z.input<typeof StaticOrderFilter> = {},
): Promise<Page<StaticOrder>> {
  const { page, pageSize, ...filter } = parseInput(StaticOrderFilter, input)
  const shown = shownInstances(actor, filter)
  const region = filter.region?.trim() ? await placesLike(db.read, filter.region.trim()) : undefined
  const search = filter.search === undefined ? undefined : parseSearch(filter.search)
  const partOf = search?.part
  const withPart =
    partOf === undefined
      ? undefined
      : await ordersWithPart(db.read, partOf, ownerOf(actor, filter, 'o.user_id'), shown)
  const conditions = Prisma.join(
    orderConditions(actor, clock.now(), filter, { shown, region, search, withPart }),
    ' AND ',
  )
  const [{ total, found } = { total: 0, found: [] }] = await selectJson<{
    total: number
    found: FoundOrder[]
  }>(
    db.read,
    Prisma.sql`WITH found AS ${region ? Prisma.sql`MATERIALIZED` : Prisma.sql`NOT MATERIALIZED`} (
                 SELECT o.id FROM static_orders o WHERE ${conditions})
      SELECT json_object(
        'total', (SELECT count(*) FROM found),
        'found', (SELECT json_group_array(json_object('id', id, 'instances', success_count) ORDER BY id DESC) FROM static_orders
                  WHERE id IN (SELECT id FROM found ORDER BY id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}))) AS json`,
  )
  const most = filter.orderNo !== undefined && found.length === 1 ? undefined : EMBEDDED_INSTANCES
  const items: StaticOrder[] = []
  for (const some of inPieces(found, INSTANCES_AT_ONCE, ({ instances }) =>
    Math.min(instances, most ?? instances),
  )) {
    if (items.length > 0) await nextTurn()
    items.push(...(await readOrders(db.read, some, shown, most)))
  }
  return { items, total, page, pageSize }
}

/** An order of a page, and how many proxies it has at most. */
interface FoundOrder {
  readonly id: number
  readonly instances: number
}

/** The orders in one statement, so that an order and its proxies belong to the same moment. */
function readOrders(
  db: Readable,
  orders: readonly FoundOrder[],
  shown: string,
  most: number | undefined,
): Promise<StaticOrder[]> {
  return selectJson<StaticOrder>(
    db,
    Prisma.sql`SELECT ${orderJson(shown, most)} AS json FROM static_orders o
               JOIN products p ON p.id = o.product_id JOIN accounts u ON u.id = o.user_id
               WHERE o.id IN (SELECT value FROM json_each(${JSON.stringify(orders.map(({ id }) => id))})) ORDER BY o.id DESC`,
  )
}

type Filter = Omit<z.output<typeof StaticOrderFilter>, 'page' | 'pageSize'>

/** SQL condition on instances `i`: those that the actor is shown. */
function shownInstances(actor: Actor, { filter, showRecycleBin }: Filter): string {
  if (filter === 'recycle') return `i.status IN ('expired', 'released')`
  return actor.role === 'agent' || showRecycleBin ? '1' : `i.status = 'active'`
}

/** SQL condition on instances `i`: their time is up within 7 days. */
export function expiringSoon(now: Date): Prisma.Sql {
  return Prisma.sql`i.status = 'active' AND i.expire_time <= ${new Date(now.getTime() + EXPIRING_DAYS * 86_400_000)}`
}

/** SQL condition: the user is one that the actor may see and asks for. */
function ownerOf(actor: Actor, { userId }: Filter, column: string): Prisma.Sql {
  return userId === undefined
    ? visibleTo(actor, column)
    : Prisma.sql`${visibleTo(actor, column)} AND ${Prisma.raw(column)} = ${userId}`
}

/** What was looked up beforehand for a list. */
interface Lookups {
  /** SQL condition on instances `i`: those that the actor is shown. */
  readonly shown: string
  readonly region: Places | undefined
  readonly search: Search | undefined
  /** Ids of the orders that have the part that was searched for. */
  readonly withPart: readonly number[] | undefined
}

function orderConditions(
  actor: Actor,
  now: Date,
  filter: Filter,
  { shown, region, search, withPart }: Lookups,
): Prisma.Sql[] {
  const owner = (column: string) => ownerOf(actor, filter, column)
  const visible = Prisma.sql`${owner('i.user_id')} AND ${Prisma.raw(shown)}`
  const withInstance = (condition: Prisma.Sql) =>
    Prisma.sql`o.id IN (SELECT i.order_id FROM instances i WHERE ${visible} AND ${condition})`
  const { createdStart, createdEnd, expireStart, expireEnd } = filter
  return [
    owner('o.user_id'),
    ...(filter.status ? [Prisma.sql`o.status = ${filter.status}`] : []),
    ...businessFilter(filter.filter, now, withInstance),
    ...(filter.orderNo ? [Prisma.sql`o.id IN (${idsOfNumbers([filter.orderNo])})`] : []),
    ...(withPart ? [Prisma.sql`o.id IN (SELECT value FROM json_each(${JSON.stringify(withPart)}))`] : []),
    ...(search && !withPart ? [matches(search, visible)] : []),
    ...(region ? [Prisma.sql`(${ordersIn(region)} OR ${withInstance(instancesIn(region))})`] : []),
    ...(createdStart || createdEnd ? [between('o.created_at', createdStart, createdEnd)] : []),
    ...(expireStart || expireEnd ? [withInstance(expiresBetween(expireStart, expireEnd))] : []),
  ]
}

function businessFilter(
  filter: Filter['filter'],
  now: Date,
  withInstance: (condition: Prisma.Sql) => Prisma.Sql,
): Prisma.Sql[] {
  switch (filter) {
    case 'all':
      return []
    case 'active':
      return [Prisma.sql`o.status IN ('active', 'partial')`]
    case 'processing':
    case 'expired':
    case 'failed':
      return [Prisma.sql`o.status = ${filter}`]
    case 'expiring':
      return [withInstance(expiringSoon(now))]
    case 'recycle':
      return [withInstance(Prisma.sql`1`)]
  }
}

/**
 * SQL condition: a time lies within these days, both included.
 *
 * @param column ISO 8601 in UTC; a constant of the code
 */
function between(column: string, start = '0000', end = '9999-12-31'): Prisma.Sql {
  const time = Prisma.raw(column)
  return Prisma.sql`${time} >= ${start} AND ${time} < ${endOf(end)}`
}

/** Naming every status lets the index of users, statuses and expiry times find the range. */
function expiresBetween(start: string | undefined, end: string | undefined): Prisma.Sql {
  return Prisma.sql`i.status IN (${Prisma.join([...INSTANCE_STATUSES])}) AND ${between('i.expire_time', start, end)}`
}

/** Where an order asked for; says something while it has no proxies to speak for it. */
function ordersIn({ countries, cities }: Places): Prisma.Sql {
  return Prisma.sql`(o.country_code IN (${listed(countries)}) OR o.city_code IN (${listed(cities)}))`
}

function instancesIn({ places }: Places): Prisma.Sql {
  return Prisma.sql`(i.country_code, i.state, i.city_code) IN (
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(places)}))`
}

function listed(codes: readonly string[]): Prisma.Sql {
  return Prisma.sql`SELECT value FROM json_each(${JSON.stringify(codes)})`
}
