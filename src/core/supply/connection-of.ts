import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import type { CoreDeps } from '../deps.ts'
import type { Micros } from '../money.ts'
import { type DriverName, type SupplierAmount, type SupplierDriver, SupplierFault } from './driver.ts'

/** An account at a supplier, with the driver that talks to it. */
export interface Connection {
  readonly id: number
  readonly name: string
  readonly driverKind: string
  readonly driver: SupplierDriver
  /** Account currency for one unit of the supplier's currency. */
  readonly rate: Micros
  readonly concurrency: number
  readonly refundHours: number
}

const Credentials = z.object({ key: z.string(), secret: z.string() })

/** Drivers that were made, by connection; another one is made after each edit. */
const made = new WeakMap<
  object,
  Map<number, { readonly updatedAt: string; readonly driver: SupplierDriver }>
>()

/**
 * Reads a connection and makes its driver.
 *
 * @throws SupplierFault `misconfigured` where there is no such driver, or the credentials cannot be read
 */
export async function connectionOf(deps: CoreDeps, id: number): Promise<Connection> {
  const [row] = await readConnection(deps.db.read, { id })
  if (!row) throw new SupplierFault('misconfigured', `there is no connection ${id}`)
  const { driver: driverKind, url, credentials, updatedAt, ...connection } = row
  const drivers = made.get(deps.drivers) ?? new Map()
  made.set(deps.drivers, drivers)
  const known = drivers.get(id)
  if (known?.updatedAt === updatedAt) return { ...connection, driverKind, driver: known.driver }
  const kind = deps.drivers[driverKind as DriverName]
  const access = Credentials.safeParse(deps.supplierSecrets.open(credentials, connection.name))
  if (!kind || !access.success) throw new SupplierFault('misconfigured', `${connection.name} cannot be used`)
  const driver = kind.connect({ url, ...access.data })
  drivers.set(id, { updatedAt, driver })
  return { ...connection, driverKind, driver }
}

const readConnection = compiled<{ id: number }>()((db, { id }) =>
  db
    .selectFrom('supplierConnections')
    .select(['id', 'name', 'driver', 'url', 'credentials', 'rate', 'concurrency', 'refundHours', 'updatedAt'])
    .where('id', '=', id),
)

/** An amount of ours in the supplier's currency, rounded down to 6 decimals. */
export function inSupplierCurrency(amount: Micros, rate: Micros): SupplierAmount {
  const units = (BigInt(amount) * 1_000_000n) / BigInt(rate)
  return `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`
}
