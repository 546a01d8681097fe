import type { DriverKinds } from '../core/supply/driver.ts'
import { ipipv } from './ipipv/driver.ts'
import { resellerApi } from './reseller-api/driver.ts'

/** The kinds of third parties at which proxies can be bought, by the names that connections carry. */
export const DRIVERS: DriverKinds = { ipipv, 'reseller-api': resellerApi }
