import type { DriverKinds } from '../core/supply/driver.ts'
import { resellerApi } from './reseller-api/driver.ts'

/** The kinds of suppliers at which proxies can be bought. */
export const DRIVERS: Partial<DriverKinds> = { 'reseller-api': resellerApi }
