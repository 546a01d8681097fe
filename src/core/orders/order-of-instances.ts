import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { literal } from '../database/dialect.ts'

/*
 * Facts about an order that follow from its active proxies, and conditions on proxies.
 */

/** Condition on an order: it has an active proxy. */
export function anyActive(orderId: Expression<number>): Expression<SqlBool> {
  return expressionBuilder<DB>().exists(activeOf(orderId).select('i.id'))
}

/** Condition on an order: any active proxy renews itself. */
export function anyRenews(orderId: Expression<number>): Expression<boolean> {
  const renewing = activeOf(orderId).where('i.autoRenew', '=', true)
  return expressionBuilder<DB>().exists(renewing.select('i.id')).$castTo<boolean>()
}

/** Returns the latest expiry time of the active proxies of an order; null when there are none. */
export function lastExpiry(orderId: Expression<number>): Expression<string | null> {
  return activeOf(orderId)
    .select(({ fn }) => fn.max('i.expireTime').as('last'))
    .$asScalar()
}

/** Condition on a proxy: one of its renewals waits for the supplier. */
export function isInRenewal(instanceId: Expression<number>): Expression<SqlBool> {
  return expressionBuilder<DB>().exists(
    expressionBuilder<DB>()
      .selectFrom('renewedInstances as n')
      .innerJoin('renewals as r', 'r.id', 'n.renewalId')
      .select('n.id')
      .where('n.instanceId', '=', instanceId)
      .where('r.status', '=', 'processing'),
  )
}

/** Condition on a proxy: one of its renewals or replacements is processing. */
export function waitsForSupplier(instanceId: Expression<number>): Expression<SqlBool> {
  const { or, exists, selectFrom } = expressionBuilder<DB>()
  const replaced = selectFrom('replacements as x')
    .select('x.id')
    .where('x.instanceId', '=', instanceId)
    .where('x.status', '=', literal('processing'))
  return or([isInRenewal(instanceId), exists(replaced)])
}

function activeOf(orderId: Expression<number>) {
  return expressionBuilder<DB>()
    .selectFrom('instances as i')
    .where('i.orderId', '=', orderId)
    .where('i.status', '=', 'active')
}
