import type { Database } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { randomText } from '../ids.ts'
import { keepSetting, readSetting } from '../database/settings.ts'
import type { SupplierDriver } from './driver.ts'

const INSTANCE_ID = 'instance_id'

/**
 * Returns the id of this service, made once and kept in the database: a service that is its own supplier would sell the same proxies to
 * itself for ever (rules 4.9). A copy of the database has the same id.
 */
export async function instanceId({ db }: { readonly db: Database }): Promise<string> {
  const kept = await knownInstanceId({ db })
  return kept ?? db.write((tx) => keepSetting(tx, INSTANCE_ID, randomText(20)))
}

/** Returns the id if it was made already; for callers within a write transaction, who cannot make it. */
export function knownInstanceId({ db }: { readonly db: Database }): Promise<string | undefined> {
  return readSetting({ db }, INSTANCE_ID)
}

/** Most services that an order may have come through, and most characters of the id of one. */
const LONGEST = { chain: 8, id: 64 } as const

/**
 * Refuses an order that this service placed itself, directly or through others, or that came through too many (rules 4.9).
 *
 * @param via ids of the services that the order came through, the first seller first
 * @throws resale_loop
 */
export async function refuseLoop(deps: { readonly db: Database }, via: readonly string[]): Promise<void> {
  if (via.length === 0) return
  const tooLong = via.length > LONGEST.chain || via.some((id) => id.length > LONGEST.id)
  if (tooLong || via.includes(await instanceId(deps))) throw new ServiceError('resale_loop')
}

/**
 * Refuses an order that would be bought at another service when the chain has no room for this service's own id (rules 4.9).
 *
 * @throws resale_loop
 */
export function refuseFullChain(via: readonly string[]): void {
  if (via.length >= LONGEST.chain) throw new ServiceError('resale_loop')
}

/**
 * Whether the supplier is this very service.
 *
 * @throws SupplierFault when there is no answer
 */
export async function isBehind(
  deps: { readonly db: Database },
  driver: SupplierDriver,
  signal: AbortSignal,
): Promise<boolean> {
  return driver.self !== undefined && (await driver.self(signal)) === (await instanceId(deps))
}
