import type { Essentials } from '../jobs/essentials.ts'
import type { Sealing } from '../sealed.ts'
import type { DriverKinds } from './driver.ts'
import type { Supplier } from './supplier.ts'

/** Dependencies of what is done with suppliers. */
export interface SupplyDeps extends Essentials {
  /** Suppliers by the name that products carry. */
  readonly suppliers: Readonly<Record<string, Supplier>>
  /** The supplier of all products that name a connection. */
  readonly connections: Supplier
  /** The kinds of third parties at which proxies can be bought. */
  readonly drivers: Partial<DriverKinds>
  /** Encrypts the credentials of connections. */
  readonly supplierSecrets: Sealing
}
