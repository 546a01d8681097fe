import { type Expression, expressionBuilder, type NotNull, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { InstanceStatus, type Role, StaticOrderStatus } from '../../generated/prisma/enums.ts'
import { type Actor, maySee } from '../access/actor.ts'
import type { Project } from '../catalog/product.ts'
import { type Health, HEALTH, IS_DEAD } from '../checks/health.ts'
import { compiledByShape } from '../database/compiled.ts'
import {
  ALWAYS,
  allOf,
  literal,
  parsed,
  rowsAsJson,
  type ValueOf,
  valuesAsJson,
} from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { REFUND_HOURS } from '../catalog/refund-hours.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { PRODUCT_NAMES } from '../catalog/product-texts.ts'
import type { Translations } from '../translations.ts'

export const ORDER_STATUSES = Object.values(StaticOrderStatus)
export type OrderStatus = StaticOrderStatus

export const INSTANCE_STATUSES = Object.values(InstanceStatus)
export type { InstanceStatus }

export interface Instance {
  /** Ascending in the order of delivery. */
  readonly id: number
  readonly instanceNo: string
  readonly providerInstanceNo: string
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
  readonly cidr: string
  readonly status: InstanceStatus
  readonly autoRenew: boolean
  /** Note of its owner; empty for none. */
  readonly note: string
  readonly health: Health
  readonly openedAt: string
  /** Time of the last change of what is shown of it. */
  readonly updatedAt: string
  readonly expireTime: string
  readonly releasedAt: string | null
}

export interface StaticOrder {
  readonly id: number
  readonly orderNo: string
  readonly appOrderNo: string
  readonly providerOrderNo: string | null
  readonly userId: number
  readonly username: string
  readonly agentId: number | null
  readonly productNo: string
  readonly productNames: Translations
  readonly productType: number
  readonly projects: Project[]
  readonly projectId: string | null
  readonly proxyType: number
  /** Billing period and refund window of the product. */
  readonly periodUnit: number
  readonly periodLength: number
  readonly refundHours: number
  /** The connection to the third party that supplies the product; null for the own stock. */
  readonly connectionId: number | null
  readonly countryCode: string | null
  readonly cityCode: string | null
  readonly staticType: string | null
  readonly ipCount: number
  readonly successCount: number
  readonly duration: number
  readonly unit: number
  readonly cycleTimes: number
  readonly unitPrice: Micros
  /** What was paid for the order itself, after the discount. */
  readonly totalAmount: Micros
  /** What a promotion code took off, and the code. */
  readonly discount: Micros
  readonly promoCode: string | null
  readonly refundedAmount: Micros
  /** What was paid for renewals, on top of the total. */
  readonly renewedAmount: Micros
  readonly status: OrderStatus
  readonly failReason: string | null
  readonly autoRenew: boolean
  readonly remark: string
  readonly expireTime: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Ids of the proxies whose renewal waits for the supplier. */
  readonly renewing: readonly number[]
  /** Earliest expiry time of the active proxies; null when there are none. */
  readonly firstExpireTime: string | null
  /** How many of its proxies the actor may see. */
  readonly instancesTotal: number
  /** How many of its proxies are in use and dead. */
  readonly instancesDead: number
  /** The proxies that the actor may see, oldest first: all of them, or in a list the first {@link EMBEDDED_INSTANCES}. */
  readonly instances: Instance[]
}

/** Limit of proxies of one order in a list of several (rules 5.17): a page of a hundred orders has at most 5,000 of them. */
export const EMBEDDED_INSTANCES = 50

/** Which of the proxies that an actor may see are shown: all, the active ones, or those in the recycle bin. */
export type Showing = 'all' | 'active' | 'recycle'

/** Condition on the status of a proxy: it is shown. */
export function isShown(showing: Showing, status: Expression<InstanceStatus>): Expression<SqlBool> {
  const eb = expressionBuilder<DB>()
  switch (showing) {
    case 'all':
      return ALWAYS
    case 'active':
      return eb(status, '=', literal('active'))
    case 'recycle':
      return eb(status, 'in', [literal('expired'), literal('released')])
  }
}

/** Users whose orders are wanted: all that the actor may see, or one of them. */
export interface Scope {
  readonly role: Role
  readonly actorId: ValueOf<number>
  readonly userId: ValueOf<number> | undefined
}

/** Condition: a user is in the scope. */
export function isOf({ role, actorId, userId }: Scope, user: Expression<number>): Expression<SqlBool> {
  const visible = maySee({ role, id: actorId }, user)
  return userId === undefined ? visible : allOf([visible, expressionBuilder<DB>()(user, '=', userId)])
}

/** Columns of an {@link Instance}, of `instances` as `i`. */
export const INSTANCE_COLUMNS = [
  ...([
    'i.id',
    'i.instanceNo',
    'i.providerInstanceNo',
    'i.ip',
    'i.port',
    'i.username',
    'i.password',
  ] as const),
  ...(['i.countryCode', 'i.state', 'i.cityCode', 'i.cidr', 'i.status', 'i.autoRenew', 'i.note'] as const),
  ...(['i.openedAt', 'i.updatedAt', 'i.expireTime', 'i.releasedAt'] as const),
  HEALTH.as('health'),
] as const

/**
 * Query of {@link StaticOrder}s: `staticOrders` as `o`, with their proxies.
 *
 * @param most limit of proxies per order; by default all
 */
export function selectStaticOrders(db: Queryable['$kysely'], showing: Showing, most?: number) {
  return db
    .selectFrom('staticOrders as o')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .leftJoin('supplierConnections as c', 'c.name', 'p.supplier')
    .select(['c.id as connectionId', REFUND_HOURS.as('refundHours')])
    .select(['o.id', 'o.orderNo', 'o.appOrderNo', 'o.providerOrderNo', 'o.userId', 'u.username', 'u.agentId'])
    .select(['p.productNo', PRODUCT_NAMES, 'p.productType'])
    .select(['o.projectId', 'p.proxyType', 'p.periodUnit', 'p.periodLength'])
    .select(['o.countryCode', 'o.cityCode', 'o.staticType', 'o.ipCount', 'o.successCount', 'o.duration'])
    .select(['o.unit', 'o.cycleTimes', 'o.unitPrice', 'o.totalAmount', 'o.discount', 'o.promoCode'])
    .select(['o.refundedAmount', 'o.renewedAmount'])
    .select([
      'o.status',
      'o.failReason',
      'o.autoRenew',
      'o.remark',
      'o.expireTime',
      'o.createdAt',
      'o.updatedAt',
    ])
    .select(({ ref, selectFrom, fn }) => {
      const ofOrder = selectFrom('instances as i')
        .whereRef('i.orderId', '=', 'o.id')
        .where((i) => isShown(showing, i.ref('i.status')))
      const embedded =
        most === undefined
          ? ofOrder
          : selectFrom('instances as i').where(
              'i.id',
              'in',
              ofOrder.select('i.id').orderBy('i.id').limit(most),
            )
      return [
        parsed<Project[]>(ref('p.projects')).as('projects'),
        selectFrom('instances as i')
          .select((i) => i.fn.min('i.expireTime').as('first'))
          .whereRef('i.orderId', '=', 'o.id')
          .where('i.status', '=', literal('active'))
          .as('firstExpireTime'),
        ofOrder.select(fn.countAll<number>().as('number')).as('instancesTotal'),
        selectFrom('instances as i')
          .select((i) => i.fn.countAll<number>().as('number'))
          .whereRef('i.orderId', '=', 'o.id')
          .where(IS_DEAD)
          .as('instancesDead'),
        valuesAsJson(
          selectFrom('renewals as r')
            .innerJoin('renewedInstances as n', 'n.renewalId', 'r.id')
            .select('n.instanceId')
            .whereRef('r.orderId', '=', 'o.id')
            .where('r.status', '=', literal('processing')),
        ).as('renewing'),
        rowsAsJson(embedded.select(INSTANCE_COLUMNS), 'id', { autoRenew: true }).as('instances'),
      ]
    })
    .$narrowType<{ instancesTotal: NotNull; instancesDead: NotNull }>()
}

/**
 * Returns an order with its instances.
 *
 * @throws order_not_found, also when it is somebody else's
 */
export async function getStaticOrder(
  { db }: Essentials,
  actor: Actor,
  key: { orderNo: string } | { id: number },
): Promise<StaticOrder> {
  const [order] = await orderOf(db.read, { role: actor.role }, { actorId: actor.id, ...key })
  if (!order) throw new ServiceError('order_not_found')
  return order
}

const orderOf = compiledByShape<{ role: Role }, { actorId: number; id?: number; orderNo?: string }>()(
  (db, { role }, { actorId, id, orderNo }) =>
    selectStaticOrders(db, 'all')
      .where((o) =>
        o.or([...(id ? [o('o.id', '=', id)] : []), ...(orderNo ? [o('o.orderNo', '=', orderNo)] : [])]),
      )
      .where(({ ref }) => maySee({ role, id: actorId }, ref('o.userId'))),
)
