import { z } from 'zod'
import type { Role } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import { HEALTH } from '../checks/health.ts'
import { compiledByShape } from '../database/compiled.ts'
import { parseInput } from '../errors.ts'
import { GRACE_MS } from './expire-instances.ts'
import { waitsForSupplier } from './order-of-instances.ts'
import { isOf } from './static-order.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { PRODUCT_NAMES } from '../catalog/product-texts.ts'

/** Limits of renewing together: proxies, and orders that they come from (rules 5.30). */
export const TOGETHER = { proxies: 500, orders: 100 } as const

const Given = z.object({
  /** The actor, or a direct sub-user of it. */
  userId: z.int().positive(),
  productId: z.int().positive().optional(),
  countryCode: z.string().max(2).optional(),
})

/** A proxy that can be renewed, with the fields by which people choose it. */
export type RenewableProxy = Awaited<ReturnType<typeof readRenewable>>[number]

/**
 * Lists the proxies of a user that can be renewed now, those that end first before the others: in use or in their grace, and waiting
 * for no supplier. At most as many as can be renewed together.
 *
 * @returns `more` when there are others
 * @throws validation_error
 */
export async function renewableProxies(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof Given>,
): Promise<{ readonly proxies: readonly RenewableProxy[]; readonly more: boolean }> {
  const given = parseInput(Given, input)
  const endsAfter = new Date(clock.now().getTime() - GRACE_MS).toISOString()
  const scope = { ...given, actorId: actor.id, endsAfter, limit: TOGETHER.proxies + 1 }
  const found = await readRenewable(db.read, { role: actor.role }, scope)
  const orders = new Set<number>()
  const proxies = found.slice(0, TOGETHER.proxies).filter(({ orderId }) => {
    if (orders.size < TOGETHER.orders) orders.add(orderId)
    return orders.has(orderId)
  })
  return { proxies, more: proxies.length < found.length }
}

interface Scope extends z.output<typeof Given> {
  readonly actorId: number
  readonly endsAfter: string
  readonly limit: number
}

const readRenewable = compiledByShape<{ role: Role }, Scope>()(
  (db, { role }, { actorId, userId, productId, countryCode, endsAfter, limit }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
      .innerJoin('products as p', 'p.id', 'o.productId')
      .select(['i.id', 'i.instanceNo', 'i.ip', 'i.port', 'i.countryCode', 'i.cityCode', 'i.note', 'i.status'])
      .select(['i.autoRenew', 'i.expireTime', 'i.orderId', 'p.id as productId', HEALTH.as('health')])
      .select([PRODUCT_NAMES, 'p.periodUnit', 'p.periodLength'])
      .where(({ ref }) => isOf({ role, actorId, userId }, ref('i.userId')))
      .where('i.status', 'in', ['active', 'expired'])
      .where('i.releasedAt', 'is', null)
      .where('i.expireTime', '>', endsAfter)
      .where('o.status', 'in', ['active', 'partial', 'expired'])
      .where(({ not, ref }) => not(waitsForSupplier(ref('i.id'))))
      .$if(productId !== undefined, (query) => query.where('p.id', '=', productId as never))
      .$if(countryCode !== undefined, (query) => query.where('i.countryCode', '=', countryCode as never))
      .orderBy('i.expireTime')
      .orderBy('i.id')
      .limit(limit),
)
