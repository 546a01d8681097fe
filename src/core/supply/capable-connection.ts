import { ServiceError } from '../errors.ts'
import { type Connection, connectionOf } from './connection-of.ts'
import { type Capabilities, SupplierFault } from './driver.ts'
import type { SupplyDeps } from './deps.ts'

/** An order whose proxies come from a third party. */
export interface Supplied {
  readonly orderNo: string
  readonly status: string
  readonly connectionId: number
}

/**
 * Returns the connection of an order if its supplier has a capability.
 *
 * @throws invalid_state when it has not; supplier_error while the connection cannot be used, as with wrong credentials
 */
export async function capableConnection(
  deps: SupplyDeps,
  does: keyof Pick<Capabilities, 'renews' | 'resets'>,
  { orderNo, status, connectionId }: Supplied,
): Promise<Connection> {
  const connection = await usableConnection(deps, connectionId)
  if (!connection) throw new ServiceError('supplier_error')
  if (!connection.driver.capabilities[does])
    throw new ServiceError('invalid_state', { data: { order_no: orderNo, status } })
  return connection
}

/** Returns a connection; undefined while it cannot be used. */
export async function usableConnection(deps: SupplyDeps, id: number): Promise<Connection | undefined> {
  try {
    return await connectionOf(deps, id)
  } catch (error) {
    if (!(error instanceof SupplierFault)) throw error
    return undefined
  }
}
