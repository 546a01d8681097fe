import type { DriverKinds } from '../core/supply/driver.ts'

/** The kinds of third parties at which proxies can be bought, by the names that connections carry. */
export const DRIVERS: Partial<DriverKinds> = {}
