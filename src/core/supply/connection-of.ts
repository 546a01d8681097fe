import type { CoreDeps } from '../deps.ts'
import type { Micros } from '../money.ts'
import { type ConnectionAccess, type DriverName, type SupplierDriver, SupplierFault } from './driver.ts'

export { inAccountCurrency, inSupplierCurrency } from './supplier-amount.ts'

export interface OpenedConnection {
  readonly id: number
  readonly name: string
  readonly driverKind: DriverName
  readonly driver: SupplierDriver
  /** 10^-6 of the account currency for one unit of the supplier's. */
  readonly rate: Micros
  readonly concurrency: number
  readonly refundHours: number
}

const opened = new WeakMap<
  CoreDeps,
  Map<number, { readonly version: string; readonly driver: SupplierDriver }>
>()

/**
 * A connection with its driver, which is made again after the connection was edited.
 *
 * @throws SupplierFault `misconfigured` when there is no such driver here, or the credentials cannot be decrypted
 */
export async function connectionOf(deps: CoreDeps, id: number): Promise<OpenedConnection> {
  const row = await deps.db.read.$kysely
    .selectFrom('supplierConnections')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { name, rate, concurrency, refundHours } = row
  const drivers = opened.get(deps) ?? new Map<number, { version: string; driver: SupplierDriver }>()
  opened.set(deps, drivers)
  const version = `${row.updatedAt} ${row.credentials}`
  const known = drivers.get(id)
  const driverKind = row.driver as DriverName
  const driver = known?.version === version ? known.driver : connect(deps, row)
  drivers.set(id, { version, driver })
  return { id, name, driverKind, driver, rate, concurrency, refundHours }
}

function connect(
  deps: CoreDeps,
  { name, driver, url, credentials }: { name: string; driver: string; url: string; credentials: string },
): SupplierDriver {
  const kind = deps.drivers[driver as DriverName]
  if (!kind) throw new SupplierFault('misconfigured', `there is no driver ${driver}`)
  const secrets = deps.supplierSecrets.open(credentials, name) as Omit<ConnectionAccess, 'url'> | undefined
  if (!secrets)
    throw new SupplierFault(
      'misconfigured',
      'the stored credentials cannot be decrypted: SECRETS_KEY is another one',
    )
  return kind.connect({ url, ...secrets })
}
