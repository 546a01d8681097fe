import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Role } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { compiledByShape, type Placeholders } from '../database/compiled.ts'
import { isFalse, listOf, literal } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { expiresSoon, soonFrom } from './list-static-orders.ts'
import { proxiesLike } from './search-proxies.ts'
import { SEARCH_LIMITS } from './search-static-orders.ts'
import { type Instance, INSTANCE_COLUMNS, isOf } from './static-order.ts'

/** What the list of proxies can be narrowed to (rules 17.1). */
export const PROXY_FILTERS = ['active', 'expiring', 'manual', 'noted', 'expired', 'released'] as const
export type ProxyFilter = (typeof PROXY_FILTERS)[number]

const Given = z.object({
  ...paging,
  /** The actor, or a direct sub-user of it; without it, all whose proxies the actor may see. */
  userId: z.int().positive().optional(),
  filter: z.enum(PROXY_FILTERS).optional(),
  productId: z.int().positive().optional(),
  countryCode: z.string().max(2).optional(),
  /** As people paste it (rules 17.3). */
  search: z.string().max(SEARCH_LIMITS.characters).optional(),
  ids: z.array(z.int()).max(1000).optional(),
})

/** A proxy with what a list says of it. */
export interface ListedProxy extends Instance {
  readonly orderId: number
  readonly orderNo: string
  /** In its order, from 0. */
  readonly position: number
  readonly userId: number
  /** Username of its owner. */
  readonly owner: string
  readonly productId: number
  readonly productNameEn: string
  readonly productNameZh: string
}

/**
 * Lists proxies, of one account or of all that the actor may see (rules 17.1): those in use newest first, those that expire soon by
 * the time at which they do, those that have expired from the latest on.
 *
 * @throws validation_error
 */
export async function listProxies(
  { db, clock }: CoreDeps,
  actor: Actor,
  input: z.input<typeof Given> = {},
): Promise<Page<ListedProxy>> {
  const { page, pageSize, search, ids, filter, userId, productId, countryCode } = parseInput(Given, input)
  const scope = { role: actor.role, actorId: actor.id, userId }
  const found = search === undefined ? ids : await proxiesLike(db.read, scope, search)
  const shape = { role: actor.role, filter }
  const soon = soonFrom(clock.now())
  const values = { actorId: actor.id, userId, productId, countryCode, ids: found, soon }
  const [counted] = await countProxies(db.read, shape, values)
  const items = await readPage(db.read, shape, { ...values, limit: pageSize, offset: (page - 1) * pageSize })
  return { items, total: counted?.total ?? 0, page, pageSize }
}

interface Shape {
  readonly role: Role
  readonly filter: ProxyFilter | undefined
}

interface Wanted {
  readonly actorId: number
  readonly userId: number | undefined
  readonly productId: number | undefined
  readonly countryCode: string | undefined
  readonly ids: readonly number[] | undefined
  readonly soon: string
}

const { and, eb, ref, selectFrom } = expressionBuilder<
  DB & { i: DB['instances']; o: DB['staticOrders'] },
  'i' | 'o'
>()

function conditions({ role, filter }: Shape, value: Placeholders<Wanted>) {
  const { actorId, userId, productId, countryCode, ids, soon } = value
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
    ...filterConditions(filter, soon),
  ])
}

function filterConditions(filter: ProxyFilter | undefined, soon: Placeholders<Wanted>['soon']) {
  switch (filter) {
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
  const { filter } = shape
  const order = filter === 'expiring' ? 'asc' : 'desc'
  return db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .innerJoin('accounts as u', 'u.id', 'i.userId')
    .select(INSTANCE_COLUMNS)
    .select(['o.id as orderId', 'o.orderNo', 'i.userId', 'u.username as owner'])
    .select(['p.id as productId', 'p.nameEn as productNameEn', 'p.nameZh as productNameZh'])
    .select((i) =>
      i
        .selectFrom('instances as before')
        .select(({ fn }) => fn.countAll<number>().as('number'))
        .whereRef('before.orderId', '=', 'i.orderId')
        .whereRef('before.id', '<', 'i.id')
        .$asScalar()
        .$notNull()
        .as('position'),
    )
    .where(conditions(shape, value))
    .$if(filter === 'expiring' || filter === 'expired', (query) => query.orderBy('i.expireTime', order))
    .orderBy('i.id', order)
    .limit(value.limit)
    .offset(value.offset)
})

/** What there is to choose from when the list is narrowed. */
export interface ProxyFacets {
  /** Products of proxies that are in use or can be bought again, and how many there are of each. */
  readonly products: readonly {
    readonly id: number
    readonly nameEn: string
    readonly nameZh: string
    readonly count: number
  }[]
  readonly countries: readonly { readonly code: string; readonly count: number }[]
  readonly counts: Readonly<Record<ProxyFilter, number>>
  /** Orders whose proxies are not delivered yet. */
  readonly processing: number
}

/** Products, countries and numbers of an account's proxies, or of all that the actor may see (rules 17.1). */
export async function proxyFacets(
  { db, clock }: CoreDeps,
  actor: Actor,
  userId?: number,
): Promise<ProxyFacets> {
  const scope = { actorId: actor.id, userId }
  const { role } = actor
  const [products, countries, [counts], [processing]] = await Promise.all([
    findProducts(db.read, { role }, scope),
    findCountries(db.read, { role }, scope),
    countAll(db.read, { role }, { ...scope, soon: soonFrom(clock.now()) }),
    countProcessing(db.read, { role }, scope),
  ])
  const none = { active: 0, expiring: 0, manual: 0, noted: 0, expired: 0, released: 0 }
  return { products, countries, counts: counts ?? none, processing: processing?.count ?? 0 }
}

type Scoped = Pick<Wanted, 'actorId' | 'userId'>

const findProducts = compiledByShape<{ role: Role }, Scoped>()((db, { role }, { actorId, userId }) =>
  db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(['p.id', 'p.nameEn', 'p.nameZh'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((i) => isOf({ role, actorId, userId }, i.ref('i.userId')))
    .where('i.status', '<>', literal('released'))
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
    .where('i.status', '<>', literal('released'))
    .groupBy('i.countryCode')
    .orderBy('count', 'desc')
    .orderBy('i.countryCode'),
)

const countAll = compiledByShape<{ role: Role }, Scoped & { soon: string }>()(
  (db, { role }, { actorId, userId, soon }) =>
    db
      .selectFrom('instances as i')
      .select(({ fn }) => {
        const counted = (filter: ProxyFilter) =>
          fn
            .countAll<number>()
            .filterWhere(and(filterConditions(filter, soon)))
            .as(filter)
        return PROXY_FILTERS.map(counted) as never
      })
      .where((i) => isOf({ role, actorId, userId }, i.ref('i.userId')))
      .$castTo<Record<ProxyFilter, number>>(),
)

const countProcessing = compiledByShape<{ role: Role }, Scoped>()((db, { role }, { actorId, userId }) =>
  db
    .selectFrom('staticOrders as o')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((o) => isOf({ role, actorId, userId }, o.ref('o.userId')))
    .where('o.status', '=', literal('processing')),
)
