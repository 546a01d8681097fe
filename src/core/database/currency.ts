import type { CoreDeps } from '../deps.ts'
import { OperatorError } from '../operator-error.ts'
import { keepSetting, readSetting, writeSetting } from '../settings.ts'

const KEY = 'currency'
type Deps = Pick<CoreDeps, 'db'>

/**
 * Compares the configured currency with that of the amounts in the database (rules 9.5), which was stored at the first start.
 *
 * @param currency code of the configuration
 * @throws OperatorError when they differ: the same numbers would be other amounts of money
 */
export async function claimCurrency(deps: Deps, currency: string): Promise<void> {
  const own = (await currencyOf(deps)) ?? (await deps.db.write((tx) => keepSetting(tx, KEY, currency)))
  if (own !== currency)
    throw new OperatorError(
      `The amounts in this database are in ${own}, and CURRENCY is ${currency}: set CURRENCY=${own}, or DATABASE_URL to another file`,
    )
}

/** @returns the currency of the amounts; undefined before the first start */
export function currencyOf(deps: Deps): Promise<string | undefined> {
  return readSetting(deps, KEY)
}

/** Changes the currency of all amounts in the database, earlier ones included. Nothing is converted. */
export async function relabelCurrency(deps: Deps, currency: string): Promise<void> {
  await deps.db.write((tx) => writeSetting(tx, KEY, currency))
}
