import type { DriverKinds } from '../core/supply/driver.ts'
import { ipipv } from './ipipv/driver.ts'

/** The kinds of suppliers at which proxies can be bought. */
export const DRIVERS: Partial<DriverKinds> = { ipipv }
