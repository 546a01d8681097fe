import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Role } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import { type Health, HEALTH, HEALTHS, IS_DEAD } from '../checks/health.ts'
import { compiledByShape, type Placeholders } from '../database/compiled.ts'
import { isFalse, listOf, literal, matches, patternOf } from '../database/dialect.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { UpdatedSince } from '../updated-since.ts'
import { idsOfNumbers } from './find-static-order.ts'
import { expiresSoon, soonFrom } from './list-static-orders.ts'
import { proxiesLike } from './search-proxies.ts'
import { SEARCH_LIMITS } from './search-static-orders.ts'
import { MAX_NOTE } from './set-note.ts'
import {
  type Instance,
  INSTANCE_COLUMNS,
  INSTANCE_STATUSES,
  type InstanceStatus,
  isOf,
} from './static-order.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { NAMES, PRODUCT_NAMES } from '../catalog/product-texts.ts'
import type { Translations } from '../translations.ts'

/** Filters of the list of proxies (rules 17.1). */
export const PROXY_FILTERS = [
  'active',
  ...HEALTHS,
  'expiring',
  'manual',
  'noted',
  'expired',
  'released',
] as const
export type ProxyFilter = (typeof PROXY_FILTERS)[number]

export const PROXY_ORDERS = ['newest', 'expiry'] as const

/** Conditions of the list; a proxy must meet all of them. */
export const ProxyQuery = z
  .object({
    ...paging,
    /** The actor or a direct sub-user; without it, every account whose proxies the actor may see. */
    userId: z.int().positive().optional(),
    filter: z.enum(PROXY_FILTERS).optional(),
    productId: z.int().positive().optional(),
    countryCode: z.string().max(2).optional(),
    /** Text as people paste it (rules 17.3). */
    search: z.string().max(SEARCH_LIMITS.characters).optional(),
    ids: z.array(z.int()).max(1000).optional(),
    status: z.enum(INSTANCE_STATUSES).optional(),
    health: z.enum(HEALTHS).optional(),
    cityCode: z.string().max(16).optional(),
    productNo: z.string().max(64).optional(),
    /** Order number or application order number. */
    orderNo: z.string().max(64).optional(),
    /** Part of the note. */
    note: z.string().max(MAX_NOTE).optional(),
    /** Both days included. */
    expireStart: calendarDay.optional(),
    expireEnd: calendarDay.optional(),
    updatedSince: UpdatedSince.optional(),
    /** `newest` first, or by `expiry`, the earliest first; by default as the filter wants it. */
    sort: z.enum(PROXY_ORDERS).optional(),
  })
  .refine(({ expireStart, expireEnd }) => inOrder({ startDate: expireStart, endDate: expireEnd }), {
    path: ['expire_end'],
    error: 'ends_before_it_starts',
  })

/** A proxy as a list shows it. */
export interface ListedProxy extends Instance {
  readonly orderId: number
  readonly orderNo: string
  /** Position in its order, from 0. */
  readonly position: number
  readonly userId: number
  /** Username of its owner. */
  readonly owner: string
  readonly productId: number
  readonly productNo: string
  readonly productNames: Translations
}

/**
 * Lists proxies, of one account or of all that the actor may see (rules 17.1). Without `sort`, the newest come first; with the filter
 * `expiring`, those that expire first; with `expired`, those that expired last.
 *
 * @throws validation_error
 */
export async function listProxies(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof ProxyQuery> = {},
): Promise<Page<ListedProxy>> {
  const { page, pageSize, search, ids, filter, sort, expireStart, expireEnd, orderNo, note, ...wanted } =
    parseInput(ProxyQuery, input)
  const scope = { role: actor.role, actorId: actor.id, userId: wanted.userId }
  const found = search === undefined ? ids : await proxiesLike(db.read, scope, search)
  const shape = { role: actor.role, filter, sort }
  const soon = soonFrom(clock.now())
  const values = {
    ...wanted,
    actorId: actor.id,
    ids: found,
    soon,
    orderNumbers: orderNo === undefined ? undefined : [orderNo],
    notePattern: note === undefined ? undefined : patternOf(note),
    expireFrom: expireStart,
    expireBefore: expireEnd && endOf(expireEnd),
  }
  const [counted] = await countProxies(db.read, shape, values)
  const items = await readPage(db.read, shape, { ...values, limit: pageSize, offset: (page - 1) * pageSize })
  return { items, total: counted?.total ?? 0, page, pageSize }
}

/**
 * Returns a proxy that the actor may see, by its number.
 *
 * @throws instance_not_found, also when it is somebody else's
 */
export async function getProxy(
  { db, clock }: Essentials,
  actor: Actor,
  instanceNo: string,
): Promise<ListedProxy> {
  const shape = { role: actor.role, filter: undefined, sort: undefined }
  const wanted = { actorId: actor.id, instanceNo, soon: soonFrom(clock.now()) }
  const [proxy] = await readPage(db.read, shape, { ...wanted, limit: 1, offset: 0 })
  if (!proxy) throw new ServiceError('instance_not_found', { data: { instance_no: instanceNo } })
  return proxy
}

interface Shape {
  readonly role: Role
  readonly filter: ProxyFilter | undefined
  readonly sort: (typeof PROXY_ORDERS)[number] | undefined
}

interface Wanted {
  readonly actorId: number
  readonly userId?: number | undefined
  readonly productId?: number | undefined
  readonly countryCode?: string | undefined
  readonly ids?: readonly number[] | undefined
  readonly soon: string
  readonly instanceNo?: string | undefined
  readonly status?: InstanceStatus | undefined
  readonly health?: Health | undefined
  readonly cityCode?: string | undefined
  readonly productNo?: string | undefined
  readonly orderNumbers?: readonly string[] | undefined
  readonly notePattern?: string | null | undefined
  readonly expireFrom?: string | undefined
  readonly expireBefore?: string | undefined
  readonly updatedSince?: string | undefined
}

const { and, eb, ref, selectFrom } = expressionBuilder<
  DB & { i: DB['instances']; o: DB['staticOrders'] },
  'i' | 'o'
>()

/** Position of a proxy in its order, from 0. */
export const POSITION = selectFrom('instances as before')
  .select(({ fn }) => fn.countAll<number>().as('number'))
  .whereRef('before.orderId', '=', 'i.orderId')
  .whereRef('before.id', '<', 'i.id')
  .$asScalar()
  .$notNull()
  .as('position')

function conditions({ role, filter }: Omit<Shape, 'sort'>, value: Placeholders<Wanted>) {
  const { actorId, userId, productId, countryCode, ids, soon, orderNumbers, notePattern } = value
  const { instanceNo, status, health, cityCode, productNo, expireFrom, expireBefore, updatedSince } = value
  return and([
    isOf({ role, actorId, userId }, ref('i.userId')),
    ...(ids ? [eb('i.id', 'in', listOf(ids))] : []),
    ...(productId
      ? [
          eb(
            'i.orderId',
            'in',
            selectFrom('staticOrders as s').select('s.id').where('s.productId', '=', productId),
          ),
        ]
      : []),
    ...(countryCode ? [eb('i.countryCode', '=', countryCode)] : []),
    ...(cityCode ? [eb('i.cityCode', '=', cityCode)] : []),
    ...(instanceNo ? [eb('i.instanceNo', '=', instanceNo)] : []),
    ...(status ? [eb('i.status', '=', status)] : []),
    ...(health ? [eb(HEALTH, '=', health)] : []),
    ...(productNo
      ? [
          eb(
            'i.orderId',
            'in',
            selectFrom('staticOrders as s')
              .innerJoin('products as k', 'k.id', 's.productId')
              .select('s.id')
              .where('k.productNo', '=', productNo),
          ),
        ]
      : []),
    ...(orderNumbers ? [eb('i.orderId', 'in', idsOfNumbers(orderNumbers))] : []),
    ...(notePattern ? [matches(ref('i.note'), notePattern)] : []),
    ...(expireFrom ? [eb('i.expireTime', '>=', expireFrom)] : []),
    ...(expireBefore ? [eb('i.expireTime', '<', expireBefore)] : []),
    ...(updatedSince ? [eb('i.updatedAt', '>=', updatedSince)] : []),
    ...filterConditions(filter, soon),
  ])
}

function filterConditions(filter: ProxyFilter | undefined, soon: Placeholders<Wanted>['soon']) {
  switch (filter) {
    case 'dead':
      return [IS_DEAD]
    case 'works':
    case 'slow':
    case 'failing':
    case 'not_tested':
      return [eb('i.status', '=', literal('active')), eb(HEALTH, '=', literal(filter))]
    case 'expiring':
      return [expiresSoon(soon)]
    case 'manual':
      return [eb('i.status', '=', literal('active')), isFalse(ref('i.autoRenew'))]
    case 'noted':
      return [eb('i.status', '<>', literal('released')), eb('i.note', '<>', literal(''))]
    case 'active':
    case 'expired':
    case 'released':
      return [eb('i.status', '=', literal(filter))]
    case undefined:
      return []
  }
}

const countProxies = compiledByShape<Shape, Wanted>()((db, shape, value) =>
  db
    .selectFrom('instances as i')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(conditions(shape, value)),
)

const readPage = compiledByShape<Shape, Wanted & { limit: number; offset: number }>()((db, shape, value) => {
  const { filter, sort } = shape
  const soonestFirst = sort === 'expiry' || (sort === undefined && filter === 'expiring')
  const byExpiry = soonestFirst || (sort === undefined && filter === 'expired')
  const order = soonestFirst ? 'asc' : 'desc'
  return db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .innerJoin('accounts as u', 'u.id', 'i.userId')
    .select(INSTANCE_COLUMNS)
    .select(['o.id as orderId', 'o.orderNo', 'i.userId', 'u.username as owner'])
    .select(['p.id as productId', 'p.productNo', PRODUCT_NAMES])
    .select(POSITION)
    .where(conditions(shape, value))
    .$if(byExpiry, (query) => query.orderBy('i.expireTime', order))
    .orderBy('i.id', order)
    .limit(value.limit)
    .offset(value.offset)
})

/** Choices for the filters of the list. */
export interface ProxyFacets {
  /** Products of active and expired proxies, with the number of proxies of each. */
  readonly products: readonly {
    readonly id: number
    readonly names: Translations
    readonly count: number
  }[]
  readonly countries: readonly { readonly code: string; readonly count: number }[]
  readonly counts: Readonly<Record<ProxyFilter, number>>
  /** Orders whose proxies are not delivered yet. */
  readonly processing: number
}

/** Counts the proxies of an account, or of all that the actor may see, by product, country and filter (rules 17.1). */
export async function proxyFacets(
  { db, clock }: Essentials,
  actor: Actor,
  userId?: number,
): Promise<ProxyFacets> {
  const scope = { actorId: actor.id, userId }
  const { role } = actor
  const [products, countries, [counted], [processing]] = await Promise.all([
    findProducts(db.read, { role }, scope),
    findCountries(db.read, { role }, scope),
    countAll(db.read, { role }, { ...scope, soon: soonFrom(clock.now()) }),
    countProcessing(db.read, { role }, scope),
  ])
  return { products, countries, counts: byFilter(counted ?? {}), processing: processing?.count ?? 0 }
}

type Scoped = Pick<Wanted, 'actorId' | 'userId'>

const findProducts = compiledByShape<{ role: Role }, Scoped>()((db, { role }, { actorId, userId }) =>
  db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(['p.id', NAMES])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((i) => isOf({ role, actorId, userId }, i.ref('i.userId')))
    .where('i.status', '<>', 'released')
    .groupBy('p.id')
    .orderBy('count', 'desc')
    .orderBy('p.id'),
)

const findCountries = compiledByShape<{ role: Role }, Scoped>()((db, { role }, { actorId, userId }) =>
  db
    .selectFrom('instances as i')
    .select('i.countryCode as code')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((i) => isOf({ role, actorId, userId }, i.ref('i.userId')))
    .where('i.status', '<>', 'released')
    .groupBy('i.countryCode')
    .orderBy('count', 'desc')
    .orderBy('i.countryCode'),
)

/** Name of the column that counts the proxies of a filter, which is the same in both spellings of columns. */
function columnOf(filter: ProxyFilter): string {
  return `count${PROXY_FILTERS.indexOf(filter)}`
}

function byFilter(counted: Readonly<Record<string, number>>) {
  const counts = PROXY_FILTERS.map((filter) => [filter, counted[columnOf(filter)] ?? 0] as const)
  return Object.fromEntries(counts) as Record<ProxyFilter, number>
}

const countAll = compiledByShape<{ role: Role }, Scoped & { soon: string }>()(
  (db, { role }, { actorId, userId, soon }) =>
    db
      .selectFrom('instances as i')
      .select(({ fn }) =>
        PROXY_FILTERS.map((filter) =>
          fn
            .countAll<number>()
            .filterWhere(and(filterConditions(filter, soon)))
            .as(columnOf(filter)),
        ),
      )
      .where((i) => isOf({ role, actorId, userId }, i.ref('i.userId')))
      .$castTo<Readonly<Record<string, number>>>(),
)

const countProcessing = compiledByShape<{ role: Role }, Scoped>()((db, { role }, { actorId, userId }) =>
  db
    .selectFrom('staticOrders as o')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((o) => isOf({ role, actorId, userId }, o.ref('o.userId')))
    .where('o.status', '=', 'processing'),
)
