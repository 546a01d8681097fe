import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { type Readable, selectJson } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import type { Unit } from '../term.ts'
import type { InstanceStatus, OrderStatus } from './static-order.ts'

/** Which order is meant: by id, or by a number, which is the order's own or the one that the application gave. */
export type OrderKey = { readonly id: number } | { readonly orderNo: string }

/** An order as renewing and cancelling need it. */
export interface OrderInLife {
  readonly id: number
  readonly orderNo: string
  readonly userId: number
  readonly status: OrderStatus
  readonly autoRenew: 0 | 1
  readonly duration: number
  readonly unit: Unit
  readonly cycleTimes: number
  /** Paid per IP and billing period, and the periods paid for. */
  readonly unitPrice: Micros
  readonly periods: number
  readonly createdAt: string
  readonly productId: number
  readonly productNo: string
  readonly periodUnit: number
  readonly periodLength: number
  readonly refundHours: number
  readonly supplier: string
}

const orderJson = Prisma.sql`json_object('id', o.id, 'orderNo', o.order_no, 'userId', o.user_id, 'status', o.status,
  'autoRenew', o.auto_renew, 'duration', o.duration, 'unit', o.unit, 'cycleTimes', o.cycle_times, 'unitPrice', o.unit_price,
  'periods', o.periods, 'createdAt', o.created_at, 'productId', p.id, 'productNo', p.product_no, 'periodUnit', p.period_unit,
  'periodLength', p.period_length, 'refundHours', p.refund_hours, 'supplier', p.supplier)`

/**
 * The order that the actor means. Application numbers are unique per caller only: where an agent and its sub-users used
 * the same one, the actor's own order comes first, then the newest.
 *
 * @throws order_not_found, also when it is somebody else's
 */
export async function findStaticOrder(db: Readable, actor: Actor, key: OrderKey): Promise<OrderInLife> {
  const which =
    'id' in key ? Prisma.sql`o.id = ${key.id}` : Prisma.sql`o.id IN (${idsOfNumbers([key.orderNo])})`
  const first = 'id' in key ? Prisma.sql`o.id` : Prisma.sql`o.order_no = ${key.orderNo}`
  const [order] = await selectJson<OrderInLife>(
    db,
    Prisma.sql`SELECT ${orderJson} AS json FROM static_orders o JOIN products p ON p.id = o.product_id
               WHERE ${which} AND ${visibleTo(actor, 'o.user_id')}
               ORDER BY ${first} DESC, o.caller_id = ${actor.id} DESC, o.id DESC LIMIT 1`,
  )
  if (!order) throw new ServiceError('order_not_found')
  return order
}

/** The order with this number, whoever's it is; for the loop. */
export async function readStaticOrder(db: Readable, orderNo: string): Promise<OrderInLife | undefined> {
  const [order] = await selectJson<OrderInLife>(
    db,
    Prisma.sql`SELECT ${orderJson} AS json FROM static_orders o JOIN products p ON p.id = o.product_id
               WHERE o.order_no = ${orderNo}`,
  )
  return order
}

/** SQL of the ids of orders that have one of these numbers, their own or their application's; each by its index. */
export function idsOfNumbers(numbers: readonly string[]): Prisma.Sql {
  const list = JSON.stringify(numbers)
  return Prisma.sql`SELECT id FROM static_orders WHERE order_no IN (SELECT value FROM json_each(${list}))
                    UNION ALL SELECT id FROM static_orders WHERE app_order_no IN (SELECT value FROM json_each(${list}))`
}

/** A proxy of an order as renewing and cancelling need it. */
export interface InstanceInLife {
  readonly id: number
  readonly instanceNo: string
  readonly providerInstanceNo: string
  readonly status: InstanceStatus
  readonly autoRenew: 0 | 1
  readonly expireTime: string
  readonly releasedAt: string | null
  /** Ids grow with time; null unless a cancellation released it. */
  readonly cancellationId: number | null
}

/** All proxies of an order, in the order in which they were delivered. */
export function instancesOf(db: Readable, orderId: number): Promise<InstanceInLife[]> {
  return selectJson<InstanceInLife>(
    db,
    Prisma.sql`SELECT json_object('id', id, 'instanceNo', instance_no, 'providerInstanceNo', provider_instance_no, 'status', status,
                 'autoRenew', auto_renew, 'expireTime', expire_time, 'releasedAt', released_at, 'cancellationId', cancellation_id) AS json
               FROM instances WHERE order_id = ${orderId} ORDER BY id`,
  )
}

/**
 * Those of an order's proxies that are named.
 *
 * @throws instance_not_found with the first number that is none of the order's
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

/** The refusal of something that the state of an order, or of one of its proxies, does not allow. */
export function wrongState(order: OrderInLife, instance?: InstanceInLife): ServiceError {
  if (order.status === 'processing')
    return new ServiceError('order_processing', { data: { order_no: order.orderNo } })
  return new ServiceError('invalid_state', {
    data: {
      order_no: order.orderNo,
      status: order.status,
      ...(instance && { instance_no: instance.instanceNo, instance_status: instance.status }),
    },
  })
}
