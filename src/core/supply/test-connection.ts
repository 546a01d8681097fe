import type { Micros } from '../money.ts'
import { connectionOf } from './connection-of.ts'
import type { Capabilities, SupplierBalance } from './driver.ts'
import { asking, findConnection } from './find-connection.ts'
import { inAccountCurrency } from './supplier-amount.ts'
import { syncOffers } from './sync-offers.ts'
import type { SupplyDeps } from './deps.ts'

const PATIENCE_MS = 60_000

export interface ConnectionTest {
  readonly name: string
  /** The balance as the supplier states it, and in the account currency. */
  readonly supplierBalance: SupplierBalance
  readonly balance: Micros
  readonly offers: number
  readonly capabilities: Capabilities
}

/**
 * Asks a supplier for balance and catalogue; nothing is bought and nothing stored.
 *
 * @param patienceMs how long to wait for the answers
 * @throws validation_error, supplier_error
 */
export async function testConnection(
  deps: SupplyDeps,
  name: string,
  patienceMs = PATIENCE_MS,
): Promise<ConnectionTest> {
  const { id } = await findConnection(deps.db.read, name)
  const signal = AbortSignal.timeout(patienceMs)
  return asking(async () => {
    const { driver, rate } = await connectionOf(deps, id)
    const supplierBalance = await driver.balance(signal)
    const offers = await driver.catalogue(signal)
    return {
      name,
      supplierBalance,
      balance: inAccountCurrency(supplierBalance.available, rate, 'down'),
      offers: offers.length,
      capabilities: driver.capabilities,
    }
  })
}

/**
 * Reads the offers and the balance of a supplier now; see {@link syncOffers}.
 *
 * @param patienceMs how long to wait for the answers
 * @throws validation_error, supplier_error
 */
export async function syncConnection(
  deps: SupplyDeps,
  name: string,
  patienceMs = PATIENCE_MS,
): Promise<{ readonly offers: number; readonly gone: number }> {
  const { id } = await findConnection(deps.db.read, name)
  return asking(() => syncOffers(deps, id, AbortSignal.timeout(patienceMs)))
}
