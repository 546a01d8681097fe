import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Role } from '../../generated/prisma/client.ts'
import { type Actor, maySee } from '../access/actor.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { listOf, type ValueOf } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import type { Unit } from '../term.ts'
import { waitsForSupplier } from './order-of-instances.ts'
import { REFUND_HOURS } from '../catalog/refund-hours.ts'
import type { InstanceStatus, OrderStatus } from './static-order.ts'

/** Identifies an order: by its id, its order number or its application order number. */
type OrderKey = { readonly id: number } | { readonly orderNo: string }

/** The fields of an order that renewal and cancellation need. */
export interface OrderInLife {
  readonly id: number
  readonly orderNo: string
  readonly userId: number
  readonly status: OrderStatus
  readonly autoRenew: boolean
  readonly duration: number
  readonly unit: Unit
  readonly cycleTimes: number
  /** Price paid per IP and billing period, and number of periods paid. */
  readonly unitPrice: Micros
  readonly periods: number
  readonly createdAt: string
  readonly productId: number
  readonly productNo: string
  readonly periodUnit: number
  readonly periodLength: number
  /** Refund window of the product in hours, never more than its supplier gives. */
  readonly refundHours: number
  readonly supplier: string
  /** The connection to the third party that supplies the product; null for the own stock. */
  readonly connectionId: number | null
}

function selectOrders(db: Queryable['$kysely']) {
  return db
    .selectFrom('staticOrders as o')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .leftJoin('supplierConnections as c', 'c.name', 'p.supplier')
    .select([
      'o.id',
      'o.orderNo',
      'o.userId',
      'o.status',
      'o.autoRenew',
      'o.duration',
      'o.unit',
      'o.cycleTimes',
    ])
    .select(['o.unitPrice', 'o.periods', 'o.createdAt', 'o.productId', 'p.productNo', 'p.periodUnit'])
    .select(['p.periodLength', 'p.supplier', 'c.id as connectionId', REFUND_HOURS.as('refundHours')])
    .$narrowType<{ unit: Unit }>()
}

/**
 * Finds an order that the actor may see. Application order numbers are unique per caller only: where an agent and its sub-users
 * used the same one, the order that the actor placed comes first, then the newest.
 *
 * @throws order_not_found, also when it is somebody else's
 */
export async function findStaticOrder(db: Readable, actor: Actor, key: OrderKey): Promise<OrderInLife> {
  const { role, id: actorId } = actor
  const [order] =
    'id' in key
      ? await orderOfId(db, { role }, { actorId, id: key.id })
      : await orderOfNumber(db, { role }, { actorId, orderNo: key.orderNo, numbers: [key.orderNo] })
  if (!order) throw new ServiceError('order_not_found')
  return order
}

const orderOfId = compiledByShape<{ role: Role }, { actorId: number; id: number }>()(
  (db, { role }, { actorId, id }) =>
    selectOrders(db)
      .where('o.id', '=', id)
      .where(({ ref }) => maySee({ role, id: actorId }, ref('o.userId'))),
)

const orderOfNumber = compiledByShape<
  { role: Role },
  { actorId: number; orderNo: string; numbers: readonly string[] }
>()((db, { role }, { actorId, orderNo, numbers }) =>
  selectOrders(db)
    .where('o.id', 'in', idsOfNumbers(numbers))
    .where(({ ref }) => maySee({ role, id: actorId }, ref('o.userId')))
    .orderBy(({ eb }) => eb('o.orderNo', '=', orderNo), 'desc')
    .orderBy(({ eb }) => eb('o.callerId', '=', actorId), 'desc')
    .orderBy('o.id', 'desc')
    .limit(1),
)

/** Reads an order by its number without a check of access; for the loop. */
export async function readStaticOrder(db: Readable, orderNo: string): Promise<OrderInLife | undefined> {
  const [order] = await orderWithNumber(db, { orderNo })
  return order
}

const orderWithNumber = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  selectOrders(db).where('o.orderNo', '=', orderNo),
)

/** Query of the ids of orders by order numbers or application order numbers; it uses the index of each. */
export function idsOfNumbers(numbers: ValueOf<readonly string[]>) {
  const ids = expressionBuilder<DB>().selectFrom('staticOrders').select('id')
  return ids.where('orderNo', 'in', listOf(numbers)).unionAll(ids.where('appOrderNo', 'in', listOf(numbers)))
}

/** The fields of a proxy that renewal and cancellation need. */
export interface InstanceInLife {
  readonly id: number
  readonly instanceNo: string
  readonly providerInstanceNo: string
  readonly status: InstanceStatus
  readonly autoRenew: boolean
  readonly expireTime: string
  /** Time until which the supplier runs it; null where the supplier does not say, and for the own stock. */
  readonly supplierExpireTime: string | null
  readonly releasedAt: string | null
  /** The supplier's number of the order that it came with; null where that is the `providerOrderNo` of its order. */
  readonly providerOrderNo: string | null
  /** Whether a renewal or replacement of it is processing: nothing else is done with it meanwhile. */
  readonly waiting: 0 | 1
  /** The cancellation that released it, else null; ids grow with time. */
  readonly cancellationId: number | null
}

/** Reads all proxies of an order, in the order in which they were delivered. */
export function instancesOf(db: Readable, orderId: number): Promise<InstanceInLife[]> {
  return readInstances(db, { orderId })
}

const readInstances = compiled<{ orderId: number }>()((db, { orderId }) =>
  db
    .selectFrom('instances')
    .select(['id', 'instanceNo', 'providerInstanceNo', 'status', 'autoRenew', 'expireTime', 'releasedAt'])
    .select(['cancellationId', 'supplierExpireTime', 'providerOrderNo'])
    .select(({ eb, ref, lit }) =>
      eb
        .case()
        .when(waitsForSupplier(ref('instances.id')))
        .then(lit<0 | 1>(1))
        .else(lit<0 | 1>(0))
        .end()
        .as('waiting'),
    )
    .where('orderId', '=', orderId)
    .orderBy('id'),
)

/**
 * Finds a proxy that the actor may see, with its order.
 *
 * @throws instance_not_found, also when it is somebody else's
 */
export async function findInstance(
  db: Readable,
  actor: Actor,
  instanceNo: string,
): Promise<{ readonly order: OrderInLife; readonly instance: InstanceInLife }> {
  const { role, id: actorId } = actor
  const [order] = await orderOfInstance(db, { role }, { actorId, instanceNo })
  const instances = order ? await instancesOf(db, order.id) : []
  const instance = instances.find((one) => one.instanceNo === instanceNo)
  if (!order || !instance) throw new ServiceError('instance_not_found', { data: { instance_no: instanceNo } })
  return { order, instance }
}

const orderOfInstance = compiledByShape<{ role: Role }, { actorId: number; instanceNo: string }>()(
  (db, { role }, { actorId, instanceNo }) =>
    selectOrders(db)
      .where('o.id', '=', ({ selectFrom }) =>
        selectFrom('instances').select('orderId').where('instanceNo', '=', instanceNo),
      )
      .where(({ ref }) => maySee({ role, id: actorId }, ref('o.userId'))),
)

/**
 * Picks proxies of an order by their numbers.
 *
 * @throws instance_not_found with the first number that does not belong to the order
 */
export function namedInstances(
  instances: readonly InstanceInLife[],
  numbers: readonly string[],
): InstanceInLife[] {
  const byNumber = new Map(instances.map((instance) => [instance.instanceNo, instance]))
  return numbers.map((instanceNo) => {
    const instance = byNumber.get(instanceNo)
    if (!instance) throw new ServiceError('instance_not_found', { data: { instance_no: instanceNo } })
    return instance
  })
}

/** Returns the error for an action on an order that is processing, or on proxies with a renewal or replacement in processing. */
export function stillProcessing(orderNo: string): ServiceError {
  return new ServiceError('order_processing', { data: { order_no: orderNo } })
}

/** Returns the error for an action that the state of an order, or of one of its proxies, does not allow. */
export function wrongState(
  order: OrderInLife,
  instance?: Pick<InstanceInLife, 'instanceNo' | 'status'>,
): ServiceError {
  if (order.status === 'processing') return stillProcessing(order.orderNo)
  return new ServiceError('invalid_state', {
    data: {
      order_no: order.orderNo,
      status: order.status,
      ...(instance && { instance_no: instance.instanceNo, instance_status: instance.status }),
    },
  })
}
