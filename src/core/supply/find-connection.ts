import { InvalidInput, ServiceError } from '../errors.ts'
import type { Queryable } from '../database/queries.ts'
import { SupplierFault } from './driver.ts'

const COLUMNS = [
  'id',
  'name',
  'driver',
  'url',
  'credentials',
  'status',
  'rate',
  'refundHours',
  'concurrency',
  'balance',
  'balanceAt',
  'syncedAt',
  'syncDueAt',
  'faults',
  'pausedUntil',
  'lastError',
  'alarmBalance',
  'alarmDays',
  'alarmed',
  'balanceExpiresOn',
  'expiryTold',
  'reconciledAt',
  'createdAt',
  'updatedAt',
] as const

/**
 * Returns the connection of this name.
 *
 * @throws validation_error (name) when there is none
 */
export async function findConnection({ $kysely }: Queryable, name: string) {
  const found = await $kysely
    .selectFrom('supplierConnections')
    // Named columns: PostgreSQL refuses a prepared `*` after a newer version of the service has added a column.
    .select(COLUMNS)
    .where('name', '=', name)
    .executeTakeFirst()
  if (!found) throw InvalidInput.of('name', 'no_such_supplier')
  return found
}

/**
 * Carries out work that asks a supplier.
 *
 * @throws supplier_error (data: reason) in place of a SupplierFault
 */
export async function asking<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SupplierFault)) throw error
    throw new ServiceError('supplier_error', {
      data: { reason: error.message, fault: error.kind },
      cause: error,
    })
  }
}
