import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import type { Micros } from '../money.ts'
import { knownInstanceId } from './instance-id.ts'
import { DRIVER_NAMES, type DriverName, type SupplierDriver, SupplierFault } from './driver.ts'
import type { SupplyDeps } from './deps.ts'

/** A connection to a supplier with its driver. */
export interface Connection {
  readonly id: number
  readonly name: string
  readonly driverKind: DriverName
  readonly driver: SupplierDriver
  /** Account currency for one unit of the supplier's currency, in 10^-6. */
  readonly rate: Micros
  /** Most requests at the same time. */
  readonly concurrency: number
  /** Hours in which the supplier takes proxies back for their price. */
  readonly refundHours: number
}

/** What the column `credentials` holds, sealed for the connection's name. */
export const Credentials = z.object({ key: z.string(), secret: z.string() })

interface MadeDriver {
  readonly updatedAt: string
  /** The id of this service that the driver was given. */
  readonly own: string | undefined
  readonly driver: SupplierDriver
}

/** Drivers by connection; made again after the connection was edited, which changes its `updated_at`. */
const drivers = new WeakMap<SupplyDeps, Map<number, MadeDriver>>()

/**
 * Reads a connection and makes its driver.
 *
 * @throws SupplierFault `misconfigured` when there is no such connection, no such driver, or its credentials cannot be opened
 */
export async function connectionOf(deps: SupplyDeps, id: number): Promise<Connection> {
  const [row] = await findConnection(deps.db.read, { id })
  if (!row) throw new SupplierFault('misconfigured', `there is no connection ${id}`)
  const driverKind = DRIVER_NAMES.find((name) => name === row.driver)
  if (!driverKind) throw new SupplierFault('misconfigured', `there is no driver ${row.driver}`)
  const { name, rate, concurrency, refundHours } = row
  const driver = driverOf(deps, driverKind, row, await knownInstanceId(deps))
  return { id, name, driverKind, rate, concurrency, refundHours, driver }
}

type ConnectionRow = Awaited<ReturnType<typeof findConnection>>[number]

function driverOf(
  deps: SupplyDeps,
  driverKind: DriverName,
  row: ConnectionRow,
  own?: string,
): SupplierDriver {
  const made = drivers.get(deps) ?? new Map<number, MadeDriver>()
  drivers.set(deps, made)
  const known = made.get(row.id)
  if (known && known.updatedAt === row.updatedAt && known.own === own) return known.driver
  const kind = deps.drivers[driverKind]
  if (!kind) throw new SupplierFault('misconfigured', `there is no driver ${driverKind}`)
  const credentials = Credentials.safeParse(deps.supplierSecrets.open(row.credentials, row.name))
  if (!credentials.success) {
    throw new SupplierFault(
      'misconfigured',
      `the credentials of ${row.name} were stored under another SECRETS_KEY`,
    )
  }
  const driver = kind.connect({
    url: row.url,
    ...(own !== undefined && { instanceId: own }),
    ...credentials.data,
  })
  made.set(row.id, { updatedAt: row.updatedAt, own, driver })
  return driver
}

const findConnection = compiled<{ id: number }>()((db, { id }) =>
  db
    .selectFrom('supplierConnections')
    .select(['id', 'name', 'driver', 'url', 'credentials', 'rate', 'concurrency', 'refundHours'])
    .select('updatedAt')
    .where('id', '=', id),
)
