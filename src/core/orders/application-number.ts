import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import type { Tx } from '../database/database.ts'
import { ServiceError } from '../errors.ts'

/** Where the numbers and keys are that an account has given to its requests. */
const NUMBERS = {
  static_orders: 'app_order_no',
  dynamic_orders: 'app_order_no',
  renewals: 'app_order_no',
  request_keys: 'key',
} as const

/**
 * An application order number is unique per caller over all kinds of orders, renewals and requests with a key (rules 4.3); the
 * database only knows it within a kind. In the transaction of the request.
 *
 * @param number the caller's; one that the service makes cannot be taken
 * @param own the kind of the request
 * @throws idempotency_conflict
 */
export async function refuseNumberOfOtherKind(
  tx: Tx,
  actor: Actor,
  number: string | null | undefined,
  own: keyof typeof NUMBERS,
): Promise<void> {
  if (!number) return
  const taken = Object.entries(NUMBERS)
    .filter(([table]) => table !== own)
    .map(
      ([table, column]) =>
        Prisma.sql`SELECT 1 FROM ${Prisma.raw(table)} WHERE caller_id = ${actor.id} AND ${Prisma.raw(column)} = ${number}`,
    )
  const rows = await tx.$queryRaw<unknown[]>(Prisma.join(taken, ' UNION ALL '))
  if (rows.length === 0) return
  const name = own === 'request_keys' ? 'idempotency_key' : 'app_order_no'
  throw new ServiceError('idempotency_conflict', { data: { [name]: number } })
}
