import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'

/**
 * An application order number is unique per caller over all kinds of orders and renewals (contract 4); the database only knows it within
 * a kind. In the transaction that accepts an order.
 *
 * @param appOrderNo the caller's; one that the service makes cannot be taken
 * @param others tables of the other kinds
 * @throws idempotency_conflict
 */
export async function refuseNumberOfOtherKind(
  tx: Tx,
  actor: Actor,
  appOrderNo: string | null | undefined,
  ...others: ('static_orders' | 'dynamic_orders' | 'renewals')[]
): Promise<void> {
  if (!appOrderNo) return
  const taken = others.map(
    (table) =>
      Prisma.sql`SELECT 1 FROM ${Prisma.raw(table)} WHERE caller_id = ${actor.id} AND app_order_no = ${appOrderNo}`,
  )
  const rows = await tx.$queryRaw<unknown[]>(Prisma.join(taken, ' UNION ALL '))
  if (rows.length > 0) throw new ServiceError('idempotency_conflict', { data: { app_order_no: appOrderNo } })
}
